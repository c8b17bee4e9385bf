#pragma once
// Time inside: int64 microseconds since 1970-01-01T00:00:00Z, UTC. On the wire: RFC 3339.
#include <cstdint>
#include <string>
#include <string_view>

namespace flyball {

using TimeUs = std::int64_t;      ///< a point in time, µs since the epoch, UTC
using DurationUs = std::int64_t;  ///< a length of time, µs

inline constexpr DurationUs kMillisecond = 1'000;
inline constexpr DurationUs kSecond = 1'000'000;
inline constexpr DurationUs kDay = 86'400 * kSecond;

/// A half-open interval [from, to).
struct Interval {
  TimeUs from;
  TimeUs to;
  [[nodiscard]] bool contains(TimeUs t) const { return from <= t && t < to; }
};

/// "2026-03-01T08:00:00Z", with a fraction of 3 or 6 digits only when needed.
std::string format_time(TimeUs t);

/// Parses "YYYY-MM-DD[T ]hh:mm[:ss[.fraction]](Z|±hh[:]mm)". Throws TIME_INVALID.
TimeUs parse_time(std::string_view text);

/// As parse_time, but false instead of an error; `needs_offset` = false takes a missing offset as UTC.
bool try_parse_time(std::string_view text, TimeUs& out, bool needs_offset = true);

/// "80ms", "1.5s", "250us", "15min", "2h", "1d". Throws DURATION_INVALID; the result is > 0.
DurationUs parse_duration(std::string_view text);

/// The shortest of "80ms", "1.5s", "15min", ...
std::string format_duration(DurationUs d);

/// The port through which the product reads the clock; tests set one by hand.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimeUs now() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimeUs now() const override;
};

class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimeUs t = 0) : t_(t) {}
  [[nodiscard]] TimeUs now() const override { return t_; }
  void set(TimeUs t) { t_ = t; }

 private:
  TimeUs t_;
};

}  // namespace flyball
