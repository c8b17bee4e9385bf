#include "historian/doubled_hour.h"

#include <algorithm>
#include <map>
#include <span>

#include "historian/cells.h"

namespace flyball::historian {
namespace {

class Resolver {
 public:
  Resolver(std::vector<TimeUs>& times, const std::vector<DoubledTime>& doubled, DoubledHour choice,
           const std::string& zone)
      : times_(times), doubled_(doubled), choice_(choice), zone_(zone) {}

  /// Rows of one sequence in the order of the file.
  void resolve(std::vector<std::size_t> rows) {
    std::int64_t rising = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const TimeUs step = times_[rows[i]] - times_[rows[i - 1]];
      rising += step > 0 ? 1 : step < 0 ? -1 : 0;
    }
    if (rising < 0) std::reverse(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size();) {
      std::size_t end = i;
      while (end < rows.size() && find(rows[end]) != nullptr && same_night(rows[i], rows[end]))
        ++end;
      if (end > i) decide(std::span(rows).subspan(i, end - i));
      i = std::max(end, i + 1);
    }
  }

  std::int64_t by_order = 0, by_choice = 0;

 private:
  const DoubledTime* find(std::size_t row) const {
    const auto at = std::ranges::lower_bound(doubled_, row, {}, &DoubledTime::row);
    return at != doubled_.end() && at->row == row ? &*at : nullptr;
  }

  bool same_night(std::size_t a, std::size_t b) const {
    return std::abs(times_[a] - times_[b]) < kDay;
  }

  void decide(std::span<const std::size_t> rows) {
    std::size_t turn = 0, turns = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      if (times_[rows[i]] > times_[rows[i - 1]]) continue;
      turn = i;
      ++turns;
    }
    if (turns == 1) {
      by_order += std::ssize(rows);
    } else if (choice_ == DoubledHour::refuse) {
      const DoubledTime& first = *find(rows[0]);
      throw Error("IMPORT_TIME_DOUBLED",
                  {{"line", first.line}, {"cell", readable(first.cell)}, {"zone", zone_}});
    } else {
      by_choice += std::ssize(rows);
      turn = choice_ == DoubledHour::first ? rows.size() : 0;
    }
    for (std::size_t i = turn; i < rows.size(); ++i) times_[rows[i]] = find(rows[i])->second;
  }

  std::vector<TimeUs>& times_;
  const std::vector<DoubledTime>& doubled_;
  DoubledHour choice_;
  const std::string& zone_;
};

}  // namespace

void resolve_doubled(std::vector<TimeUs>& times, const std::vector<DoubledTime>& doubled,
                     const std::vector<std::uint64_t>& sequence, DoubledHour choice,
                     const std::string& zone, std::vector<Message>& notes) {
  if (doubled.empty()) return;
  std::map<std::uint64_t, std::vector<std::size_t>> rows;
  for (std::size_t row = 0; row < times.size(); ++row)
    rows[sequence.empty() ? 0 : sequence[row]].push_back(row);
  Resolver resolver(times, doubled, choice, zone);
  for (auto& [key, of_key] : rows) resolver.resolve(std::move(of_key));
  const DoubledTime& first = doubled.front();
  if (resolver.by_order > 0) {
    notes.push_back({"IMPORT_DOUBLED_HOUR",
                     {{"rows", resolver.by_order},
                      {"zone", zone},
                      {"line", first.line},
                      {"cell", readable(first.cell)}}});
  }
  if (resolver.by_choice > 0) {
    notes.push_back({"IMPORT_DOUBLED_HOUR_CHOSEN",
                     {{"rows", resolver.by_choice},
                      {"choice", choice == DoubledHour::first ? "first" : "second"}}});
  }
}

}  // namespace flyball::historian
