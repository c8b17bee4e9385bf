#include "historian/time_source.h"

#include <charconv>
#include <cmath>

namespace flyball::historian {
namespace {

constexpr double kFarthest = 253'402'300'800e6;  // 10000-01-01T00:00:00Z

/// 0.fraction units in µs.
std::optional<DurationUs> fraction_of(std::string_view digits, DurationUs unit) {
  double share = 0, scale = 0.1;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    share += (c - '0') * scale;
    scale /= 10;
  }
  return std::llround(share * static_cast<double>(unit));
}

}  // namespace

std::optional<TimeUs> read_epoch(std::string_view cell, DurationUs unit) {
  const char* end = cell.data() + cell.size();
  std::int64_t whole = 0;
  const auto [stop, error] = std::from_chars(cell.data(), end, whole);
  if (error != std::errc()) return std::nullopt;
  if (std::abs(static_cast<double>(whole)) * static_cast<double>(unit) >= kFarthest)
    return std::nullopt;
  if (stop == end) return whole * unit;
  if (*stop == '.' || *stop == ',') {
    const std::string_view digits(stop + 1, static_cast<std::size_t>(end - stop - 1));
    if (const auto part = fraction_of(digits, unit))
      return whole * unit + (cell.front() == '-' ? -*part : *part);
  }
  double value = 0;
  const auto [last, failed] = std::from_chars(cell.data(), end, value);
  value *= static_cast<double>(unit);
  if (failed != std::errc() || last != end || !(std::abs(value) < kFarthest)) return std::nullopt;
  return std::llround(value);
}

DurationUs epoch_unit(std::string_view format) {
  if (format == "epoch-s") return kSecond;
  if (format == "epoch-ms") return kMillisecond;
  return format == "epoch-us" ? 1 : 0;
}

TimeReader::TimeReader(TimeSource source, const std::optional<std::string>& zone)
    : source_(std::move(source)) {
  if (zone) zone_.emplace(*zone);
}

TimeReading TimeReader::read(const std::array<std::string_view, 2>& cells) {
  TimeReading out;
  if (source_.form == TimeForm::epoch) {
    const auto at = read_epoch(cells[0], source_.epoch_unit);
    return {at ? TimeFault::none : TimeFault::form, at.value_or(0), {}};
  }
  if (source_.form == TimeForm::iso && try_parse_time(cells[0], out.at)) return out;
  // The short way for 2026-03-01 08:00:00, which has no room for an offset.
  const bool plain = source_.columns.size() == 1 && source_.form != TimeForm::pattern;
  TimeUs local = 0;
  if (plain && cells[0].size() == 19 && cells[0][16] == ':' &&
      try_parse_time(cells[0], local, false))
    return from_wall(local);
  CivilTime civil;
  if (!read_civil_cells(cells, civil)) return {TimeFault::form, 0, {}};
  return to_utc(civil);
}

bool TimeReader::read_civil_cells(const std::array<std::string_view, 2>& cells, CivilTime& out) {
  const bool two = source_.columns.size() == 2;
  if (source_.form == TimeForm::pattern) {
    if (!two) return source_.pattern->read(cells[0], out);
    both_.assign(cells[0]).append(" ").append(cells[1]);
    return source_.pattern->read(both_, out);
  }
  if (!two) return read_civil(cells[0], source_.order, out);
  std::string_view date = cells[0], clock = cells[1];
  return take_date(date, source_.order, out) && date.empty() && take_clock(clock, out) &&
         clock.empty();
}

TimeReading TimeReader::to_utc(const CivilTime& civil) {
  const auto local = local_us(civil);
  if (!local) return {TimeFault::form, 0, {}};
  if (civil.offset_minutes)
    return {TimeFault::none, *local - *civil.offset_minutes * 60 * kSecond, {}};
  return from_wall(*local);
}

TimeReading TimeReader::from_wall(TimeUs local) {
  if (!zone_) return {TimeFault::no_offset, 0, {}};
  const WallTime wall = zone_->resolve(local);
  if (wall.readings == 0) return {TimeFault::left_out, 0, {}};
  return {TimeFault::none, wall.first,
          wall.readings == 2 ? std::optional(wall.second) : std::nullopt};
}

}  // namespace flyball::historian
