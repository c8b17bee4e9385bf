#pragma once
// Local time of an IANA zone to UTC, by the zone data of the system.
#include <string>

#include "core/time.h"

namespace date {
class time_zone;
}

namespace flyball::historian {

/// The points in time that a clock on the wall can mean.
struct WallTime {
  int readings = 0;   ///< 0 in the hour that spring leaves out, 2 in the hour that autumn repeats
  TimeUs first = 0;   ///< the only or the earlier one
  TimeUs second = 0;  ///< the later one of two
};

class Zone {
 public:
  /// Such as "Europe/Berlin" or "UTC". Throws TIME_ZONE_UNKNOWN, TIME_ZONES_MISSING.
  explicit Zone(const std::string& name);

  /// `local`: µs since 1970-01-01 00:00 on that wall. O(log of the zone's changes), and O(1) far
  /// from a change that the object has seen last; so not for several threads at once.
  [[nodiscard]] WallTime resolve(TimeUs local);

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  const date::time_zone* zone_;
  std::string name_;
  TimeUs safe_from_ = 0, safe_to_ = 0;  ///< local times at which only `safe_offset_` holds
  DurationUs safe_offset_ = 0;
};

}  // namespace flyball::historian
