#include "report/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "report/text.h"

namespace flyball::report {
namespace {

/// The smallest of 1, 2, 5 × 10ⁿ that is not below `least`.
double nice_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double m : {1.0, 2.0, 5.0, 10.0}) {
    if (m * power >= least * (1 - 1e-9)) return m * power;
  }
  return 10 * power;
}

std::chrono::year_month_day date_of(TimeUs t) {
  using namespace std::chrono;
  return year_month_day{floor<days>(sys_time<microseconds>{microseconds{t}})};
}

std::string date_text(TimeUs t) {
  const auto d = date_of(t);
  return fmt::format("{:04}-{:02}-{:02}", int(d.year()), unsigned(d.month()), unsigned(d.day()));
}

std::string time_of_day(TimeUs t, bool seconds) {
  const TimeUs s = (((t % kDay) + kDay) % kDay) / kSecond;
  const std::string minutes = fmt::format("{:02}:{:02}", s / 3600, s / 60 % 60);
  return seconds ? fmt::format("{}:{:02}", minutes, s % 60) : minutes;
}

Ticks month_ticks(TimeUs first, TimeUs last, TimeUs origin, int most) {
  using namespace std::chrono;
  const double months_in_span = double(last - first) / (30.44 * double(kDay));
  int step = 1200;
  for (const int candidate : {1, 3, 6, 12, 24, 60, 120, 240, 600}) {
    if (months_in_span / candidate <= most - 1) {
      step = candidate;
      break;
    }
  }
  const auto start = date_of(first);
  int month = int(start.year()) * 12 + int(unsigned(start.month())) - 1;
  month -= ((month % step) + step) % step;
  Ticks out;
  for (;; month += step) {
    const auto day = year{month / 12} / (month % 12 + 1) / 1;
    const TimeUs t = TimeUs{sys_days{day}.time_since_epoch().count()} * kDay;
    if (t > last) break;
    if (t < first) continue;
    out.ticks.push_back({double(t - origin) / double(kSecond),
                         fmt::format("{:04}-{:02}", month / 12, month % 12 + 1), ""});
  }
  return out;
}

}  // namespace

void RangeFinder::add(double value) {
  if (!std::isfinite(value)) return;
  if (empty()) {
    range = {value, value};
  } else {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
}

void RangeFinder::add(const std::vector<double>& values) {
  for (const double v : values) add(v);
}

Range padded(Range range, double share) {
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (!(range.span() > 1e-12 * size)) {
    const double half = size > 0 ? 0.05 * size : 1.0;
    return {range.low - half, range.high + half};
  }
  return {range.low - share * range.span(), range.high + share * range.span()};
}

Ticks nice_ticks(Range range, int most, bool whole) {
  Ticks out;
  if (!(range.span() > 0) || !std::isfinite(range.span())) return out;
  constexpr double kTolerance = 1e-9;
  const auto first_of = [&](double s) { return std::ceil(range.low / s - kTolerance); };
  const auto last_of = [&](double s) { return std::floor(range.high / s + kTolerance); };
  const auto inside = [&](double s) { return last_of(s) - first_of(s) + 1; };
  double step = nice_step(range.span() / (3.0 * std::max(2, most)));
  while (inside(step) > most) {
    const double next = nice_step(step * 1.5);
    if (inside(next) < 1) break;
    step = next;
  }
  if (whole) step = std::max(1.0, step);
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  int shift = 0;
  if (largest >= 1e5 || largest < 1e-2) {
    shift = 3 * int(std::floor(std::log10(largest) / 3));
    out.factor = "×" + power_of_ten(shift);
  }
  const double factor = std::pow(10.0, -shift);
  const int decimals = std::clamp(int(-std::floor(std::log10(step * factor) + 1e-9)), 0, 12);
  for (double k = first_of(step); k <= last_of(step); k += 1) {
    out.ticks.push_back({k * step, fixed(k * step * factor, decimals), ""});
  }
  return out;
}

TimeUnit time_unit(double span_seconds) {
  // Minutes, hours and days are not divided by ten, so they start at four; seconds are.
  static constexpr std::array<std::pair<double, TimeUnit>, 6> kUnits{{{4 * 86400.0, {86400, "d"}},
                                                                      {4 * 3600.0, {3600, "h"}},
                                                                      {4 * 60.0, {60, "min"}},
                                                                      {1, {1, "s"}},
                                                                      {1e-3, {1e-3, "ms"}},
                                                                      {0, {1e-6, "µs"}}}};
  for (const auto& [least, unit] : kUnits) {
    if (span_seconds >= least) return unit;
  }
  return kUnits.back().second;
}

Ticks calendar_ticks(TimeUs origin, Range range, int most) {
  static constexpr std::array<std::int64_t, 22> kSteps{
      1,    2,    5,    10,    15,    30,    60,    120,    300,    600,    900,
      1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 432000, 604800, 1209600};
  const TimeUs first = origin + TimeUs(std::ceil(range.low * double(kSecond)));
  const TimeUs last = origin + TimeUs(std::floor(range.high * double(kSecond)));
  const auto* step = std::ranges::find_if(
      kSteps, [&](std::int64_t s) { return range.span() / double(s) <= double(most); });
  if (step == kSteps.end()) return month_ticks(first, last, origin, most);

  const TimeUs step_us = *step * kSecond;
  TimeUs t = first - ((first % step_us) + step_us) % step_us;
  if (t < first) t += step_us;
  Ticks out;
  std::string date_before;
  for (; t <= last; t += step_us) {
    Tick tick{double(t - origin) / double(kSecond), "", ""};
    const std::string date = date_text(t);
    if (step_us >= kDay) {
      tick.label = date;
    } else {
      tick.label = time_of_day(t, step_us < 60 * kSecond);
      if (date != date_before) tick.second = date;
    }
    date_before = date;
    out.ticks.push_back(std::move(tick));
  }
  return out;
}

}  // namespace flyball::report
