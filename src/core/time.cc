#include "core/time.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "core/error.h"

namespace flyball {
namespace {

bool digits(std::string_view& s, std::size_t n, int& out) {
  if (s.size() < n) return false;
  out = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (s[i] < '0' || s[i] > '9') return false;
    out = out * 10 + (s[i] - '0');
  }
  s.remove_prefix(n);
  return true;
}

bool skip(std::string_view& s, char c) {
  if (s.empty() || s.front() != c) return false;
  s.remove_prefix(1);
  return true;
}

/// ".123456789" to microseconds, further digits cut.
bool fraction(std::string_view& s, std::int64_t& us) {
  us = 0;
  if (s.empty() || (s.front() != '.' && s.front() != ',')) return true;
  s.remove_prefix(1);
  std::size_t n = 0;
  std::int64_t scale = 100'000;
  while (n < s.size() && s[n] >= '0' && s[n] <= '9') {
    us += (s[n] - '0') * scale;
    scale /= 10;
    ++n;
  }
  s.remove_prefix(n);
  return n > 0;
}

struct Unit {
  std::string_view name;
  DurationUs length;
};
constexpr std::array kUnits{Unit{"us", 1},          Unit{"ms", kMillisecond},    Unit{"s", kSecond},
                            Unit{"min", 60 * kSecond}, Unit{"h", 3600 * kSecond}, Unit{"d", kDay}};

}  // namespace

std::string format_time(TimeUs t) {
  using namespace std::chrono;
  const sys_time<microseconds> tp{microseconds{t}};
  const auto day = floor<days>(tp);
  const year_month_day ymd{day};
  const hh_mm_ss hms{tp - day};
  std::string out = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(ymd.year()),
                                static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                                hms.hours().count(), hms.minutes().count(), hms.seconds().count());
  const auto us = hms.subseconds().count();
  if (us % 1000 != 0) {
    out += fmt::format(".{:06}", us);
  } else if (us != 0) {
    out += fmt::format(".{:03}", us / 1000);
  }
  return out + 'Z';
}

bool try_parse_time(std::string_view s, TimeUs& out, bool needs_offset) {
  using namespace std::chrono;
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, sec = 0;
  if (!digits(s, 4, y) || !skip(s, '-') || !digits(s, 2, mo) || !skip(s, '-') || !digits(s, 2, d)) {
    return false;
  }
  if (!skip(s, 'T') && !skip(s, 't') && !skip(s, ' ')) return false;
  if (!digits(s, 2, h) || !skip(s, ':') || !digits(s, 2, mi)) return false;
  std::int64_t us = 0;
  if (skip(s, ':') && (!digits(s, 2, sec) || !fraction(s, us))) return false;
  int offset_minutes = 0;
  skip(s, ' ');
  if (s.empty()) {
    if (needs_offset) return false;
  } else if (!skip(s, 'Z') && !skip(s, 'z')) {
    const int sign = s.front() == '-' ? -1 : 1;
    int oh = 0, om = 0;
    if (!skip(s, '+') && !skip(s, '-')) return false;
    if (!digits(s, 2, oh)) return false;
    skip(s, ':');
    if (!s.empty() && !digits(s, 2, om)) return false;
    if (oh > 23 || om > 59) return false;
    offset_minutes = sign * (oh * 60 + om);
  }
  const year_month_day ymd{year{y}, month{static_cast<unsigned>(mo)}, day{static_cast<unsigned>(d)}};
  if (!s.empty() || !ymd.ok() || h > 23 || mi > 59 || sec > 60) return false;
  const auto t = sys_days{ymd} + hours{h} + minutes{mi - offset_minutes} + seconds{sec};
  out = duration_cast<microseconds>(t.time_since_epoch()).count() + us;
  return true;
}

TimeUs parse_time(std::string_view text) {
  TimeUs t = 0;
  if (!try_parse_time(text, t)) throw Error("TIME_INVALID", {{"text", text}});
  return t;
}

DurationUs parse_duration(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec == std::errc{}) {
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    for (const Unit& u : kUnits) {
      if (u.name != unit) continue;
      const double us = std::round(value * static_cast<double>(u.length));
      if (us >= 1 && us < 9e18) return static_cast<DurationUs>(us);
    }
  }
  throw Error("DURATION_INVALID", {{"text", text}});
}

std::string format_duration(DurationUs d) {
  const Unit* best = &kUnits[0];
  for (const Unit& u : kUnits) {
    if (d >= u.length) best = &u;
  }
  return fmt::format("{:.6g}{}", static_cast<double>(d) / static_cast<double>(best->length), best->name);
}

TimeUs SystemClock::now() const {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace flyball
