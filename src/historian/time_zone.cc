#include "historian/time_zone.h"

#include <date/tz.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/record.h"

namespace flyball::historian {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

const date::tzdb& zones() {
  try {
    return date::get_tzdb();
  } catch (const std::runtime_error& e) {
    throw Error("TIME_ZONES_MISSING", {{"reason", e.what()}});
  }
}

const date::time_zone* find_zone(const std::string& name) {
  const date::tzdb& db = zones();
  try {
    return date::locate_zone(name);
  } catch (const std::runtime_error&) {
    std::vector<std::string_view> known;
    for (const date::time_zone& zone : db.zones) known.push_back(zone.name());
    const std::string near = nearest(name, known);
    throw Error(
        "TIME_ZONE_UNKNOWN",
        {{"zone", name}, {"suggestion", near.empty() ? near : ", did you mean \"" + near + "\"?"}},
        "/timeZone");
  }
}

/// Zone changes lie within years 1 to 9999 here, so that microseconds never overflow.
TimeUs bounded(date::sys_seconds t, DurationUs shift) {
  constexpr std::int64_t kBound = 300'000'000'000;
  return std::clamp<std::int64_t>(t.time_since_epoch().count(), -kBound, kBound) * kSecond + shift;
}

}  // namespace

Zone::Zone(const std::string& name) : zone_(find_zone(name)), name_(name) {}

WallTime Zone::resolve(TimeUs local) {
  if (local >= safe_from_ && local < safe_to_) return {1, local - safe_offset_, 0};
  const auto info =
      zone_->get_info(date::local_time<seconds>{date::floor<seconds>(microseconds{local})});
  const auto offset = [](const date::sys_info& i) { return i.offset.count() * kSecond; };
  switch (info.result) {
    case date::local_info::nonexistent:
      return {};
    case date::local_info::ambiguous:
      return {2, local - offset(info.first), local - offset(info.second)};
    default:
      break;
  }
  safe_offset_ = offset(info.first);
  safe_from_ = bounded(info.first.begin, safe_offset_ + 2 * kDay);
  safe_to_ = bounded(info.first.end, safe_offset_ - 2 * kDay);
  return {1, local - safe_offset_, 0};
}

}  // namespace flyball::historian
