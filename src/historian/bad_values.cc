#include "historian/bad_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace flyball::historian {
namespace {

struct BadValue {
  std::optional<std::string> tag;
  double value;
};

BadValue parse(const std::string& item) {
  const auto equals = item.rfind('=');
  const bool has_tag = equals != std::string::npos;
  const std::string_view number = std::string_view(item).substr(has_tag ? equals + 1 : 0);
  const Number read = read_number(trim(number), Decimal::point);
  if (read.quality != kGood) throw Error("IMPORT_BAD_VALUE", {{"text", item}}, "/badValue");
  return {has_tag ? std::optional(item.substr(0, equals)) : std::nullopt, read.value};
}

template <class F>
void for_each_value(const TextTable& table, const TableTag& tag, F&& f) {
  const std::vector<double>& values = table.columns[tag.column].values;
  if (table.layout.is_long()) {
    for (const std::size_t row : tag.rows) f(row, values[row]);
  } else {
    for (std::size_t row = 0; row < values.size(); ++row) f(row, values[row]);
  }
}

/// One end of the values of a tag, as if it were the lowest: `sign` −1 looks at the highest.
struct End {
  double outermost = std::numeric_limits<double>::infinity();
  double next = std::numeric_limits<double>::infinity();
  std::int64_t count = 0;

  /// NaN adds nothing.
  void add(double v) {
    if (!(v < next)) return;
    if (v < outermost) {
      next = outermost;
      outermost = v;
      count = 1;
    } else if (v == outermost) {
      ++count;
    } else {
      next = v;
    }
  }
};

bool in_nines(double v) {
  const std::string digits = fmt::format("{:.0f}", std::abs(v));
  return digits.size() >= 3 && digits.find_first_not_of('9') == std::string::npos;
}

/// Different values beside the outermost one, counted up to `most`.
std::size_t kinds_beside(const TextTable& table, const TableTag& tag, double outermost,
                         std::size_t most) {
  std::set<double> kinds;
  for_each_value(table, tag, [&](std::size_t, double v) {
    if (!std::isnan(v) && v != outermost && kinds.size() < most) kinds.insert(v);
  });
  return kinds.size();
}

bool looks_made_up(const TextTable& table, const TableTag& tag, const End& end, double range) {
  constexpr std::size_t kMany = 20;
  const double v = end.outermost;
  if (!std::isfinite(v) || !std::isfinite(end.next)) return false;
  if (std::floor(v) != v || std::abs(v) < 10 || !(end.next - v > range / 10)) return false;
  if (end.count >= 3 && kinds_beside(table, tag, v, kMany) == kMany) return true;
  return in_nines(v) && end.next - v > range && kinds_beside(table, tag, v, 2) == 2;
}

struct Found {
  std::int64_t count = 0;
  std::vector<std::string> tags;
  double low = 0, high = 0;  ///< of the first tag's other values
};

}  // namespace

void apply_bad_values(TextTable& table, const std::vector<TableTag>& tags,
                      const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    const BadValue bad = parse(item);
    std::vector<std::string> names;
    for (const TableTag& tag : tags) names.push_back(tag.tag.name);
    if (bad.tag) (void)column_named(names, *bad.tag);
    for (const TableTag& tag : tags) {
      if (bad.tag && *bad.tag != tag.tag.name) continue;
      if (tag.tag.kind == plant::TagKind::digital) continue;
      Column& column = table.columns[tag.column];
      const std::uint32_t why = column.words.index_of(fmt::format("{}", bad.value));
      std::vector<Flag> flags;
      for_each_value(table, tag, [&](std::size_t row, double v) {
        if (v == bad.value) flags.push_back({static_cast<std::int64_t>(row), kBadNoData, why});
      });
      add_flags(column, std::move(flags));
    }
  }
}

void propose_bad_values(const TextTable& table, const std::vector<TableTag>& tags,
                        std::vector<Message>& notes) {
  std::map<double, Found> found;
  for (const TableTag& tag : tags) {
    if (tag.tag.kind == plant::TagKind::digital) continue;
    End low, high;  // of v and of −v
    for_each_value(table, tag, [&](std::size_t, double v) {
      low.add(v);
      high.add(-v);
    });
    const auto propose = [&](double value, std::int64_t count, double from, double to) {
      Found& f = found[value];
      if (f.tags.empty()) {
        f.low = from;
        f.high = to;
      }
      f.count += count;
      f.tags.push_back(tag.tag.name);
    };
    const double lowest = low.outermost, highest = -high.outermost;
    if (looks_made_up(table, tag, low, highest - low.next))
      propose(lowest, low.count, low.next, highest);
    if (looks_made_up(table, tag, high, -high.next - lowest))
      propose(highest, high.count, lowest, -high.next);
  }
  for (const auto& [value, f] : found) {
    notes.push_back({"IMPORT_BAD_VALUE_LIKELY",
                     {{"value", fmt::format("{}", value)},
                      {"count", f.count},
                      {"tags", readable(joined(f.tags), 200)},
                      {"tag", f.tags.front()},
                      {"low", f.low},
                      {"high", f.high}}});
  }
}

}  // namespace flyball::historian
