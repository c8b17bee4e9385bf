#include "historian/repeated_times.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

namespace flyball::historian {
namespace {

constexpr std::size_t kShown = 5;

class Merger {
 public:
  Merger(TextTable& table, OnDuplicate policy)
      : table_(table), policy_(policy), healed_(table.columns.size()) {}

  /// `rows` in the order of the file; `tags` have their values there.
  void merge(std::vector<std::size_t> rows, const std::vector<const TableTag*>& tags) {
    const std::vector<TimeUs>& times = table_.times;
    const auto stalls = [&](std::size_t a, std::size_t b) { return times[a] >= times[b]; };
    if (std::ranges::adjacent_find(rows, stalls) == rows.end()) return;
    std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return times[row]; });
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t end = i + 1;
      while (end < rows.size() && times[rows[end]] == times[rows[i]]) ++end;
      if (end > i + 1) keep_one(std::span(rows).subspan(i, end - i), tags);
      i = end;
    }
  }

  RepeatedTimes finish() {
    for (std::size_t i = 0; i < healed_.size(); ++i) {
      std::ranges::sort(healed_[i]);
      std::erase_if(table_.columns[i].flags, [&](const Flag& f) {
        return std::ranges::binary_search(healed_[i], static_cast<std::size_t>(f.row));
      });
    }
    const auto& shown = conflicting_.empty() ? repeated_ : conflicting_;
    out_.first.assign(shown.begin(), shown.end());
    return std::move(out_);
  }

 private:
  static void show(TimeUs at, std::vector<TimeUs>& times) {
    if (times.size() < kShown && (times.empty() || times.back() != at)) times.push_back(at);
  }

  void keep_one(std::span<const std::size_t> rows, const std::vector<const TableTag*>& tags) {
    const std::size_t kept = policy_ == OnDuplicate::first ? rows.front() : rows.back();
    const TimeUs at = table_.times[kept];
    if (out_.left_out.empty()) out_.left_out.resize(table_.rows(), 0);
    for (const std::size_t row : rows) {
      if (row == kept) continue;
      out_.left_out[row] = 1;
      ++out_.merged;
      show(at, repeated_);
      if (same_values(row, kept, tags)) continue;
      ++out_.conflicts;
      show(at, conflicting_);
      if (policy_ == OnDuplicate::refuse) refuse(at);
    }
    if (policy_ != OnDuplicate::mean) return;
    for (const TableTag* tag : tags) {
      if (tag->tag.kind == plant::TagKind::number) take_mean(rows, kept, tag->column);
    }
  }

  bool same_values(std::size_t a, std::size_t b, const std::vector<const TableTag*>& tags) const {
    return std::ranges::all_of(tags, [&](const TableTag* tag) {
      const std::vector<double>& v = table_.columns[tag->column].values;
      return std::bit_cast<std::uint64_t>(v[a]) == std::bit_cast<std::uint64_t>(v[b]);
    });
  }

  void take_mean(std::span<const std::size_t> rows, std::size_t kept, std::size_t column) {
    std::vector<double>& values = table_.columns[column].values;
    double sum = 0;
    std::int64_t count = 0;
    for (const std::size_t row : rows) {
      if (std::isnan(values[row])) continue;
      sum += values[row];
      ++count;
    }
    if (count == 0) return;
    if (std::isnan(values[kept])) healed_[column].push_back(kept);
    values[kept] = sum / static_cast<double>(count);
  }

  [[noreturn]] static void refuse(TimeUs at) {
    throw Error("IMPORT_TIMES_CONFLICT", {{"time", format_time(at)}});
  }

  TextTable& table_;
  OnDuplicate policy_;
  RepeatedTimes out_;
  std::vector<TimeUs> repeated_, conflicting_;
  std::vector<std::vector<std::size_t>> healed_;  ///< per column: rows that got a value by the mean
};

RepeatedTimes merge(TextTable& table, const std::vector<TableTag>& tags, OnDuplicate policy) {
  Merger merger(table, policy);
  if (table.layout.is_long()) {
    for (const TableTag& tag : tags) merger.merge(tag.rows, {&tag});
    return merger.finish();
  }
  const auto stalls = [](TimeUs a, TimeUs b) { return a >= b; };
  if (std::ranges::adjacent_find(table.times, stalls) == table.times.end()) return {};
  std::vector<std::size_t> rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::vector<const TableTag*> all;
  for (const TableTag& tag : tags) all.push_back(&tag);
  merger.merge(std::move(rows), all);
  return merger.finish();
}

}  // namespace

bool many_conflicts(std::int64_t conflicts, std::int64_t rows) {
  return 2 * conflicts > rows || (conflicts >= 10 && 10 * conflicts > rows);
}

RepeatedTimes merge_repeated(TextTable& table, const std::vector<TableTag>& tags,
                             std::optional<OnDuplicate> policy) {
  RepeatedTimes out = merge(table, tags, policy.value_or(OnDuplicate::last));
  if (!policy && many_conflicts(out.conflicts, static_cast<std::int64_t>(table.rows()))) {
    throw Error("IMPORT_ROWS_COLLIDE", {{"conflicts", out.conflicts},
                                        {"rows", table.rows()},
                                        {"time", format_time(out.first.front())}});
  }
  return out;
}

}  // namespace flyball::historian
