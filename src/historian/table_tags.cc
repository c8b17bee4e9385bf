#include "historian/table_tags.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "historian/bad_values.h"
#include "historian/digital_tags.h"

namespace flyball::historian {
namespace {

/// Not a single cell.
bool is_empty(const Column& column) {
  const auto empty = [](const Flag& f) {
    return f.word == WordList::kFull && f.quality == kBadNoData;
  };
  return column.flags.size() == column.values.size() && std::ranges::all_of(column.flags, empty);
}

/// Whole numbers that rise by one from row to row; a rejected row may be missing.
bool counts_rows(const Column& column, std::size_t rejected) {
  if (!column.flags.empty() || column.values.size() < 2) return false;
  const auto stalls = [](double a, double b) { return !(b >= a + 1); };
  if (std::ranges::adjacent_find(column.values, stalls) != column.values.end()) return false;
  const auto whole = [](double v) { return std::floor(v) == v; };
  return std::ranges::all_of(column.values, whole) &&
         column.values.back() - column.values.front() <=
             static_cast<double>(column.values.size() - 1 + rejected);
}

bool names_an_index(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames{"index", "idx", "row",    "rows", "no", "no.",
                                                    "nr",    "nr.", "number", "#",    "id", "n"};
  const std::string lower = lower_case(name);
  return std::ranges::find(kNames, lower) != kNames.end() || lower.starts_with("unnamed");
}

bool is_index(const TextTable& table, std::size_t column) {
  const std::size_t at = table.of_columns[column];
  const Layout& layout = table.layout;
  if (at != 0 || !layout.has_header || table.columns.size() < 2) return false;
  if (layout.was_named[0] && !names_an_index(layout.columns[0].name)) return false;
  return counts_rows(table.columns[column], table.rejected.size());
}

std::vector<TableTag> tags_of_columns(TextTable& table, bool keep_index,
                                      std::vector<Message>& notes) {
  std::vector<TableTag> out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    ColumnRole& role = table.layout.columns[table.of_columns[i]].role;
    if (!table.layout.was_named[table.of_columns[i]] && is_empty(column) && table.rows() > 0) {
      role = ColumnRole::unused;
      notes.push_back({"IMPORT_COLUMN_EMPTY", {{"column", column.name}}});
      continue;
    }
    if (!keep_index && is_index(table, i)) {
      role = ColumnRole::index;
      notes.push_back({"IMPORT_INDEX_COLUMN",
                       {{"column", column.name},
                        {"first", column.values.front()},
                        {"last", column.values.back()}}});
      continue;
    }
    TableTag& tag = out.emplace_back();
    tag.tag.name = column.name;
    tag.tag.unit = column.unit;
    tag.column = i;
  }
  return out;
}

/// The unit that the rows of a tag name; the first row that names another is refused.
std::string unit_of(const TableTag& tag, const WordColumn& units) {
  std::optional<std::uint32_t> found;
  for (const std::size_t row : tag.rows) {
    const std::uint32_t id = units.ids[row];
    if (units.words.words()[id].empty() || id == found) continue;
    if (found) {
      throw Error("IMPORT_UNITS_MIXED", {{"tag", tag.tag.name},
                                         {"first", readable(units.words.words()[*found])},
                                         {"second", readable(units.words.words()[id])}});
    }
    found = id;
  }
  return found ? readable(units.words.words()[*found]) : "";
}

std::vector<TableTag> tags_of_rows(const TextTable& table) {
  const WordColumn& names = *table.words_of(ColumnRole::tag_name);
  const WordColumn* units = table.words_of(ColumnRole::unit);
  std::vector<TableTag> all;
  for (const std::string& name : names.words.words()) {
    TableTag& tag = all.emplace_back();
    tag.tag.name = name;
    tag.column = 0;
  }
  for (std::size_t row = 0; row < names.ids.size(); ++row) all[names.ids[row]].rows.push_back(row);
  std::erase_if(all, [](const TableTag& tag) { return tag.rows.empty(); });
  for (TableTag& tag : all) {
    if (units != nullptr) tag.tag.unit = unit_of(tag, *units);
  }
  return all;
}

/// What is known stays; the table may add a unit, never change it.
void complete(TableTag& tag, const TagsRequest& request, const std::vector<plant::Tag>& known) {
  tag.tag.line_id = request.line;
  const auto old = std::ranges::find(known, tag.tag.name, &plant::Tag::name);
  if (old == known.end()) return;
  const std::string unit = tag.tag.unit;
  tag.tag = *old;
  if (unit.empty()) return;
  if (!old->unit.empty() && old->unit != unit) {
    throw Error("IMPORT_UNIT_CHANGED",
                {{"tag", tag.tag.name}, {"known", old->unit}, {"found", unit}});
  }
  tag.tag.unit = unit;
}

void apply_qualities(TextTable& table, const WordColumn& judge, const TagsRequest& request,
                     std::vector<Message>& notes) {
  const auto& texts = judge.words.words();
  const std::vector<Quality> qualities = read_qualities(judge.name, texts, request.codes, notes);
  const auto good = [](Quality q) { return q == kGood; };
  if (std::ranges::all_of(qualities, good)) return;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (judge.of && judge.of != i) continue;
    Column& column = table.columns[i];
    std::vector<Flag> flags;
    for (std::size_t row = 0; row < judge.ids.size(); ++row) {
      const std::uint32_t id = judge.ids[row];
      if (qualities[id] == kGood) continue;
      const std::uint32_t why = column.words.index_of(judge.name + " " + readable(texts[id]));
      flags.push_back({static_cast<std::int64_t>(row), qualities[id], why});
    }
    add_flags(column, std::move(flags));
  }
}

}  // namespace

void add_flags(Column& column, std::vector<Flag> added) {
  std::ranges::stable_sort(added, {}, &Flag::row);
  std::vector<Flag> out;
  out.reserve(column.flags.size() + added.size());
  auto old = column.flags.begin();
  for (const Flag& flag : added) {
    while (old != column.flags.end() && old->row < flag.row) out.push_back(*old++);
    const bool both = old != column.flags.end() && old->row == flag.row;
    out.push_back(both && flag.quality.code >> 30 < old->quality.code >> 30 ? *old : flag);
    if (both) ++old;
    if (out.back().quality.bad())
      column.values[static_cast<std::size_t>(flag.row)] = std::numeric_limits<double>::quiet_NaN();
  }
  out.insert(out.end(), old, column.flags.end());
  column.flags = std::move(out);
}

std::vector<TableTag> find_tags(TextTable& table, const TagsRequest& request,
                                const std::vector<plant::Tag>& known, std::vector<Message>& notes) {
  std::vector<TableTag> tags = table.layout.is_long()
                                   ? tags_of_rows(table)
                                   : tags_of_columns(table, request.keep_index, notes);
  for (TableTag& tag : tags) complete(tag, request, known);
  make_digital(table, tags, known, notes);
  apply_bad_values(table, tags, request.bad_values);
  for (const WordColumn& words : table.word_columns) {
    if (words.role == ColumnRole::quality) apply_qualities(table, words, request, notes);
  }
  return tags;
}

}  // namespace flyball::historian
