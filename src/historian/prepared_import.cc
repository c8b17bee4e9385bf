#include "historian/prepared_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "historian/bad_values.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kReasonsShown = 5;

std::string reasons(const TextTable& table) {
  std::string out;
  for (std::size_t i = 0; i < table.rejected.size() && i < kReasonsShown; ++i) {
    out += (i == 0 ? "" : "; ") + table.rejected[i].message(table.layout.columns.size()).text();
  }
  return table.rejected.size() > kReasonsShown ? out + "; …" : out;
}

void check_rows(const TextTable& table, const ImportOptions& options) {
  if (static_cast<double>(table.rejected.size()) >
      options.max_rejects * static_cast<double>(table.rows_in)) {
    throw Error("IMPORT_TOO_MANY_REJECTS", {{"rejected", table.rejected.size()},
                                            {"rows", table.rows_in},
                                            {"limit", 100 * options.max_rejects, "%"},
                                            {"reasons", reasons(table)}});
  }
  if (table.columns.empty())
    throw Error("IMPORT_NO_TAGS", {{"columns", joined(table.layout.names())}});
  if (table.rows() < 2) throw Error("IMPORT_ONE_ROW", {{"rows", table.rows()}});
}

bool has_number(const TextTable& table, const TableTag& tag) {
  const std::vector<double>& values = table.columns[tag.column].values;
  const auto number = [](double v) { return !std::isnan(v); };
  if (!table.layout.is_long()) return std::ranges::any_of(values, number);
  return std::ranges::any_of(tag.rows, [&](std::size_t row) { return number(values[row]); });
}

void check_tags(const PreparedImport& import, std::vector<Message>& notes) {
  if (import.tags.empty())
    throw Error("IMPORT_NO_TAGS", {{"columns", joined(import.table.layout.names())}});
  std::size_t empty = 0;
  for (const TableTag& tag : import.tags) {
    if (has_number(import.table, tag)) continue;
    ++empty;
    notes.push_back({"IMPORT_TAG_ALL_BAD", {{"tag", tag.tag.name}}});
  }
  if (empty == import.tags.size())
    throw Error("IMPORT_ALL_BAD", {{"rows", import.table.rows_in}, {"tags", import.tags.size()}});
}

/// Counts what one tag has in one series.
class Counter {
 public:
  Counter(const Column& column, TagAccount& account) : column_(column), account_(account) {}

  void count(const Series& series) {
    for (const std::size_t row : series.rows) {
      const double v = column_.values[row];
      if (std::isnan(v)) continue;
      if (!column_.flags.empty() && is_flagged(row)) continue;
      count_good(v);
    }
    if (column_.flags.empty()) return;
    for (const std::size_t row : series.rows) {
      if (const Flag* flag = find(row)) count(*flag, column_.values[row]);
    }
  }

  void finish() {
    if (account_.good > 0) {
      account_.min = low_;
      account_.max = high_;
    }
    std::ranges::stable_sort(account_.reasons, std::ranges::greater{}, &BadCells::count);
  }

 private:
  const Flag* find(std::size_t row) const {
    const auto wanted = static_cast<std::int64_t>(row);
    const auto at = std::ranges::lower_bound(column_.flags, wanted, {}, &Flag::row);
    return at != column_.flags.end() && at->row == wanted ? &*at : nullptr;
  }
  bool is_flagged(std::size_t row) const { return find(row) != nullptr; }

  void count_good(double value) {
    ++account_.good;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }

  void count(const Flag& flag, double value) {
    if (flag.quality.good()) {
      count_good(value);
    } else {
      ++(flag.quality == kBadNoData ? account_.missing
         : flag.quality.bad()       ? account_.bad
                                    : account_.uncertain);
    }
    const std::string quality = fmt::format("0x{:08X}", flag.quality.code);
    const bool unnamed = flag.word == WordList::kFull;
    const std::string text = !unnamed                     ? column_.words.words()[flag.word]
                             : flag.quality == kBadNoData ? ""
                                                          : "…";
    for (BadCells& reason : account_.reasons) {
      if (reason.text != text || reason.quality != quality) continue;
      ++reason.count;
      return;
    }
    account_.reasons.push_back({text, quality, 1});
  }

  const Column& column_;
  TagAccount& account_;
  double low_ = INFINITY, high_ = -INFINITY;
};

void count_tags(PreparedImport& import) {
  std::vector<Counter> counters;
  import.result.tags.reserve(import.tags.size());
  for (const TableTag& tag : import.tags) {
    TagAccount& account = import.result.tags.emplace_back();
    account.tag = tag.tag.name;
    account.unit = tag.tag.unit;
    account.kind = tag.tag.kind;
    account.states = tag.tag.states;
    counters.emplace_back(import.table.columns[tag.column], account);
  }
  for (const PlannedRun& planned : import.plan.runs) {
    for (const Series& series : planned.series) {
      for (const std::size_t tag : series.tags) counters[tag].count(series);
    }
  }
  for (Counter& counter : counters) counter.finish();
}

Interval span_of(const RunPlan& plan) {
  Interval out{INT64_MAX, INT64_MIN};
  for (const PlannedRun& planned : plan.runs) {
    for (const Series& series : planned.series) {
      out.from = std::min(out.from, series.times.front());
      out.to = std::max(out.to, series.times.back() + 1);
    }
  }
  return out;
}

void account_rows(PreparedImport& import) {
  const TextTable& table = import.table;
  ImportResult& result = import.result;
  result.rows_in = table.rows_in;
  result.rejected = std::ssize(table.rejected);
  result.merged = import.plan.merged;
  result.conflicts = import.plan.conflicts;
  result.stored = result.rows_in - result.rejected - result.merged;
  result.step = import.plan.step;
  result.times = span_of(import.plan);
  for (const PlannedRun& planned : import.plan.runs) result.runs.push_back(planned.run.id);
  for (const RejectedRow& row : table.rejected) {
    result.rejected_rows.push_back(
        {row.line, row.message(table.layout.columns.size()), to_utf8(row.text)});
  }
}

/// The newest import of the same bytes to the line.
std::optional<ImportRecord> earlier_import(const Historian& historian, const std::string& line,
                                           const std::string& sha256) {
  constexpr std::int64_t kImportsSearched = 10'000;
  if (sha256.empty()) return std::nullopt;
  for (ImportRecord& record : historian.imports(line, kImportsSearched)) {
    if (record.sha256 == sha256) return std::move(record);
  }
  return std::nullopt;
}

std::vector<std::string> runs_of(const ImportRecord& record) {
  return parse_json(record.account_json, "historian.db")["runs"].get<std::vector<std::string>>();
}

}  // namespace

PreparedImport prepare_import(std::string_view bytes, const ImportOptions& options,
                              const Historian& historian, const ProgressFn& progress,
                              const std::stop_token& stop, const ImportSource& source) {
  check_options(options);
  PreparedImport out;
  TextTable& table = out.table;
  table = read_table(bytes, layout_request(options), progress, stop);
  check_rows(table, options);
  std::vector<Message> notes = table.source->notes;
  notes.insert(notes.end(), table.layout.notes.begin(), table.layout.notes.end());
  if (table.blank_rows > 0) notes.push_back({"IMPORT_BLANK_ROWS", {{"rows", table.blank_rows}}});
  const TagsRequest request{options.line, options.keep_index, options.quality_codes,
                            options.bad_value};
  out.tags = find_tags(table, request, historian.tags(options.line), notes);
  check_tags(out, notes);
  propose_bad_values(table, out.tags, notes);
  const auto earlier = earlier_import(historian, options.line, source.sha256);
  const auto runs = earlier ? runs_of(*earlier) : std::vector<std::string>{};
  out.again = std::ranges::any_of(runs, [&](const std::string& run) {
    return !historian.runs({.line_id = options.line, .run_id = run}).empty();
  });
  if (out.again) notes.push_back({"IMPORT_AGAIN", {{"at", format_time(earlier->at)}}});
  out.plan = plan_runs(table, out.tags, options, historian, runs);
  notes.insert(notes.end(), out.plan.notes.begin(), out.plan.notes.end());
  out.result.notes = std::move(notes);
  count_tags(out);
  account_rows(out);
  return out;
}

std::vector<Sample> samples_of(const PreparedImport& import, std::size_t tag,
                               const Series& series) {
  const Column& column = import.table.columns[import.tags[tag].column];
  std::vector<Sample> out;
  out.reserve(series.rows.size());
  for (std::size_t i = 0; i < series.rows.size(); ++i)
    out.push_back({series.times[i], column.values[series.rows[i]], kGood});
  if (column.flags.empty()) return out;
  for (std::size_t i = 0; i < series.rows.size(); ++i) {
    const auto row = static_cast<std::int64_t>(series.rows[i]);
    const auto flag = std::ranges::lower_bound(column.flags, row, {}, &Flag::row);
    if (flag != column.flags.end() && flag->row == row) out[i].quality = flag->quality;
  }
  return out;
}

}  // namespace flyball::historian
