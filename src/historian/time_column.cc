#include "historian/time_column.h"

#include <algorithm>
#include <array>

#include "core/record.h"
#include "historian/date_order.h"

namespace flyball::historian {
namespace {

constexpr std::array<std::string_view, 22> kTimeNames{
    "time",       "timestamp", "datetime", "date",       "date time",  "date_time",
    "date/time",  "times",     "ts",       "timestamps", "time stamp", "time_stamp",
    "clock time", "clocktime", "utc",      "time_utc",   "utc_time",   "unixtime",
    "unix_time",  "epoch",     "zeit",     "zeitstempel"};
constexpr std::array<std::string_view, 3> kDateNames{"date", "datum", "day"};
constexpr std::array<std::string_view, 4> kClockNames{"time", "clock", "uhrzeit", "zeit"};

/// In lower case, without what stands in brackets behind: "time [s since epoch]" is time.
std::string plain_name(std::string_view name) {
  return lower_case(trim(name.substr(0, name.find_first_of("[("))));
}

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, plain_name(name)) != names.end();
}

enum class Kind { missing, iso, local, short_year, clock, epoch, number, text };

DurationUs plausible_epoch(std::string_view cell) {
  const std::string_view whole = cell.substr(0, cell.find_first_of(".,"));
  if (whole.find_first_not_of("0123456789") != std::string_view::npos) return 0;
  return whole.size() == 10   ? kSecond
         : whole.size() == 13 ? kMillisecond
         : whole.size() == 16 ? 1
                              : 0;
}

Kind kind_of_time(std::string_view cell) {
  const CellKind kind = kind_of(cell);
  if (kind == CellKind::missing) return Kind::missing;
  if (kind == CellKind::time) return Kind::iso;
  if (kind == CellKind::number) return plausible_epoch(cell) > 0 ? Kind::epoch : Kind::number;
  for (const DateOrder order : {DateOrder::day_first, DateOrder::month_first}) {
    CivilTime read;
    if (!read_civil(cell, order, read) || !local_us(read)) continue;
    return read.offset_minutes ? Kind::iso : Kind::local;
  }
  if (is_clock(cell)) return Kind::clock;
  return date_look(cell).shape == DateShape::short_year ? Kind::short_year : Kind::text;
}

/// How the cells of one column look in the first rows.
struct Look {
  std::size_t cells = 0;  ///< not missing
  std::array<std::size_t, 8> of{};
  std::array<std::string_view, 8> example{};

  [[nodiscard]] std::size_t count(Kind kind) const { return of[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] std::string_view cell(Kind kind) const {
    return example[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] bool mostly(Kind kind) const { return cells > 0 && 2 * count(kind) >= cells; }
  [[nodiscard]] bool times() const {
    return cells > 0 && 2 * (count(Kind::iso) + count(Kind::local)) >= cells;
  }
  [[nodiscard]] std::string_view most_common() const {
    const auto most = std::max_element(of.begin() + 1, of.end()) - of.begin();
    return example[static_cast<std::size_t>(most)];
  }
};

Look look_at(const std::vector<std::vector<Cell>>& rows, std::size_t column) {
  Look look;
  for (const auto& row : rows) {
    if (column >= row.size()) continue;
    const auto kind = static_cast<std::size_t>(kind_of_time(row[column].text));
    if (look.of[kind]++ == 0) look.example[kind] = row[column].text;
    if (kind != 0) ++look.cells;
  }
  return look;
}

class Search {
 public:
  Search(const TableHead& table, const TimeRequest& request, const std::vector<std::size_t>& taken,
         std::vector<Message>& notes)
      : table_(table), request_(request), taken_(taken), notes_(notes) {
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      const bool free = std::ranges::find(taken, i) == taken.end();
      looks_.push_back(free ? look_at(table.rows, i) : Look{});
    }
  }

  TimeSource run() {
    TimeSource out;
    if (request_.format) read_format(out);
    out.columns = request_.column ? declared() : found(out);
    for (const std::size_t i : out.columns) {
      if (std::ranges::find(taken_, i) == taken_.end()) continue;
      throw Error(
          "IMPORT_OPTIONS_CONFLICT",
          {{"first", "--time-column"}, {"second", "another flag that names the same column"}});
    }
    if (!request_.format) find_form(out);
    check_offset(out);
    if (out.form == TimeForm::civil) {
      out.order = find_date_order(table_, out.columns, notes_);
    }
    say(out);
    return out;
  }

 private:
  void read_format(TimeSource& out) const {
    out.epoch_unit = epoch_unit(*request_.format);
    out.form = out.epoch_unit > 0 ? TimeForm::epoch : TimeForm::pattern;
    if (out.form == TimeForm::pattern) out.pattern.emplace(*request_.format);
  }

  [[nodiscard]] std::vector<std::size_t> declared() const {
    const std::string& name = *request_.column;
    const auto comma = name.find(',');
    const bool whole = std::ranges::find(table_.names, name) != table_.names.end();
    if (whole || comma == std::string::npos) return {column_named(table_.names, name)};
    const auto part = [&](std::string_view s) {
      return column_named(table_.names, std::string(trim(s)));
    };
    return {part(std::string_view(name).substr(0, comma)),
            part(std::string_view(name).substr(comma + 1))};
  }

  /// By name first, then by content.
  [[nodiscard]] std::vector<std::size_t> found(const TimeSource& source) const {
    if (const auto pair = date_and_clock(); !pair.empty()) return pair;
    for (const bool by_name : {true, false}) {
      for (std::size_t i = 0; i < looks_.size(); ++i) {
        if (is_one_of(kTimeNames, table_.names[i]) == by_name && fits(looks_[i], source, by_name))
          return {i};
      }
    }
    for (const bool by_name : {true, false}) {
      for (std::size_t i = 0; i < looks_.size(); ++i) {
        const Look& look = looks_[i];
        if (by_name ? is_one_of(kTimeNames, table_.names[i]) && look.cells > 0
                    : look.mostly(Kind::short_year))
          refuse(i);
      }
    }
    throw Error("IMPORT_NO_TIME_COLUMN");
  }

  [[nodiscard]] bool fits(const Look& look, const TimeSource& source, bool by_name) const {
    if (source.form == TimeForm::pattern) return by_name || fits_pattern(look, *source.pattern);
    if (source.form == TimeForm::epoch)
      return by_name && (look.mostly(Kind::number) || look.mostly(Kind::epoch));
    return look.times() || (by_name && look.mostly(Kind::epoch));
  }

  [[nodiscard]] static bool fits_pattern(const Look& look, const TimePattern& pattern) {
    CivilTime civil;
    return look.cells > 0 && pattern.read(look.most_common(), civil);
  }

  /// A column of dates named so, and one of times of the day.
  [[nodiscard]] std::vector<std::size_t> date_and_clock() const {
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const Look& look = looks_[i];
      if (!is_one_of(kDateNames, table_.names[i]) ||
          !(look.times() || look.mostly(Kind::short_year)))
        continue;
      std::string_view rest = look.most_common();
      if (rest.find_first_of(" :") != std::string_view::npos) continue;
      for (std::size_t k = 0; k < looks_.size(); ++k) {
        if (k == i || !is_one_of(kClockNames, table_.names[k])) continue;
        if (looks_[k].cells > 0 && is_clock(looks_[k].most_common())) return {i, k};
      }
    }
    return {};
  }

  void find_form(TimeSource& out) {
    const std::size_t first = out.columns.front();
    const Look& look = looks_[first];
    if (out.columns.size() == 2) {
      if (!look.times()) refuse(first);
      if (!is_clock(looks_[out.columns[1]].most_common())) refuse(out.columns[1]);
      out.form = TimeForm::civil;
    } else if (look.mostly(Kind::epoch) && is_one_of(kTimeNames, table_.names[first])) {
      out.form = TimeForm::epoch;
      take_epoch(look.cell(Kind::epoch), out);
    } else if (!look.times()) {
      refuse(first);
    } else {
      out.form = try_iso(look) ? TimeForm::iso : TimeForm::civil;
    }
  }

  [[nodiscard]] static bool try_iso(const Look& look) {
    TimeUs t = 0;
    return look.mostly(Kind::iso) && try_parse_time(look.cell(Kind::iso), t);
  }

  void take_epoch(std::string_view cell, TimeSource& out) {
    out.epoch_unit = plausible_epoch(cell);
    const char* unit = out.epoch_unit == kSecond ? "s" : out.epoch_unit == 1 ? "us" : "ms";
    notes_.push_back({"IMPORT_EPOCH",
                      {{"column", table_.names[out.columns.front()]},
                       {"cell", readable(cell)},
                       {"unit", unit},
                       {"time", format_time(read_epoch(cell, out.epoch_unit).value_or(0))}}});
  }

  /// Times without offset need a zone.
  void check_offset(const TimeSource& out) const {
    if (request_.zone || out.form == TimeForm::epoch || out.form == TimeForm::iso) return;
    const Look& look = looks_[out.columns.back()];
    if (out.form == TimeForm::pattern ? out.pattern->has_offset() : look.mostly(Kind::iso)) return;
    std::string cell(look.most_common());
    if (out.columns.size() == 2) {
      CivilTime civil;
      std::string_view clock = cell;
      if (out.form == TimeForm::civil && take_clock(clock, civil) && civil.offset_minutes) return;
      cell = std::string(looks_[out.columns.front()].most_common()) + " " + cell;
    }
    throw Error("IMPORT_TIME_NO_OFFSET",
                {{"column", table_.names[out.columns.front()]}, {"cell", readable(cell)}});
  }

  void say(const TimeSource& out) const {
    if (request_.zone && out.form != TimeForm::epoch)
      notes_.push_back({"IMPORT_LOCAL_TIME", {{"zone", *request_.zone}}});
    if (request_.column) return;
    std::string names = table_.names[out.columns.front()];
    std::string cell(looks_[out.columns.front()].most_common());
    if (out.columns.size() == 2) {
      names += " and " + table_.names[out.columns.back()];
      cell += " " + std::string(looks_[out.columns.back()].most_common());
    }
    notes_.push_back({"IMPORT_TIME_COLUMN",
                      {{"column", names},
                       {"cell", readable(cell)},
                       {"times", looks_[out.columns.front()].cells},
                       {"of", table_.rows.size()}}});
  }

  /// Why a column that should hold the time cannot be taken.
  [[noreturn]] void refuse(std::size_t column) const {
    const Look& look = looks_[column];
    const bool number = look.mostly(Kind::number) || look.mostly(Kind::epoch);
    throw Error(number ? "IMPORT_TIME_IS_NUMBER" : "IMPORT_TIME_FORMAT",
                {{"column", table_.names[column]}, {"cell", readable(look.most_common())}});
  }

  const TableHead& table_;
  const TimeRequest& request_;
  const std::vector<std::size_t>& taken_;
  std::vector<Message>& notes_;
  std::vector<Look> looks_;
};

}  // namespace

std::size_t column_named(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string near = nearest(name, known);
    throw Error("IMPORT_COLUMN_UNKNOWN",
                {{"name", name},
                 {"suggestion", near.empty() ? near : ", did you mean \"" + near + "\"?"},
                 {"columns", readable(joined(names), 200)}});
  }
  return static_cast<std::size_t>(at - names.begin());
}

TimeSource find_time(const TableHead& table, const TimeRequest& request,
                     const std::vector<std::size_t>& taken, std::vector<Message>& notes) {
  return Search(table, request, taken, notes).run();
}

}  // namespace flyball::historian
