#include "dataset/summary.h"

#include <cmath>

#include "dataset/column_stats.h"

namespace flyball::dataset {
namespace {

constexpr double kMuchFilled = 0.1;
constexpr double kManySpikes = 0.01;
constexpr double kCoarseQuantum = 0.2;  // of the standard deviation
constexpr double kFrozenShare = 0.05;
constexpr Index kFrozenSteps = 50, kTimesUsual = 10;
constexpr double kUsualShare = 0.95;
constexpr double kHeldShare = 0.9;
constexpr std::int64_t kFewChanges = 20;

/// The share of `part` in `whole`, 0 of nothing.
double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

class Warnings {
 public:
  Warnings(const Spec& spec, const Norm& norm, const std::vector<ColumnStats>& columns,
           Report& report)
      : spec_(spec), norm_(norm), columns_(columns), report_(report) {}

  void collect() {
    parts();
    for (std::size_t c = 0; c < spec_.variables.size(); ++c) {
      const Variable& v = spec_.variables[c];
      counts(v);
      times(v);
      if (v.role == Role::cv) signal(v, c);
    }
  }

 private:
  void warn(std::string code, std::vector<Param> params) {
    report_.warnings.push_back(words({std::move(code), std::move(params)}));
  }

  void parts() {
    PartCounts rows = report_.rows;
    const Split& split = spec_.split;
    const auto empty = [&](Part part, double ratio) {
      if (ratio > 0 && rows.of(part) == 0) {
        const Window& w = spec_.window;
        warn("PART_EMPTY",
             {{"part", enum_name(part)}, {"purge", w.history_steps + w.horizon_steps, "steps"}});
      }
    };
    empty(Part::val, split.val_ratio);
    empty(Part::test, split.test_ratio);
    for (const std::string& id : report_.constant_columns)
      warn("VARIABLE_NOT_MOVED", {{"variable", id}});
  }

  void counts(const Variable& v) {
    const CleanCounts& n = report_.cleaning.at(v.node_id);
    if (const double filled = share(n.interpolated + n.held, n.steps);
        filled > kMuchFilled && !v.stepped) {
      warn("MUCH_FILLED", {{"variable", v.id}, {"value", 100 * filled, "%"}});
    }
    if (const double spikes = share(n.dropped_spike, n.total); spikes > kManySpikes) {
      warn("MANY_SPIKES", {{"variable", v.id}, {"value", 100 * spikes, "%"}});
    }
    if (n.kept_suspects > 0) {
      warn("SPIKES_KEPT", {{"variable", v.id},
                           {"count", n.kept_suspects},
                           {"value", 100 * share(n.kept_suspects, n.total), "%"}});
    }
    const auto bad = n.dropped_quality + n.dropped_not_finite + n.dropped_range;
    if (const double dropped = share(bad, n.total); dropped > kManySpikes) {
      warn("MANY_DROPPED", {{"variable", v.id}, {"value", 100 * dropped, "%"}});
    }
    if (const double out = share(n.dropped_mode, n.total); out > kManySpikes) {
      warn("MANY_OUT_OF_MODE",
           {{"variable", v.id}, {"value", 100 * out, "%"}, {"tag", v.mode_tag}});
    }
  }

  /// Above half a beat the record is not regular at this beat.
  void times(const Variable& v) {
    const auto timing = report_.timing.find(v.node_id);
    if (timing == report_.timing.end() || !(timing->second.jitter > spec_.beat_ms / 2)) return;
    warn("IRREGULAR_TIMES", {{"variable", v.id},
                             {"run", timing->second.run_id},
                             {"value", timing->second.jitter, "ms"},
                             {"period", timing->second.period, "ms"},
                             {"beat", spec_.beat_ms, "ms"}});
  }

  void signal(const Variable& v, std::size_t c) {
    const ColumnStats& column = columns_[c];
    const double quantum = column.quantum(), std = norm_.std[c];
    if (quantum > kCoarseQuantum * std) {
      warn("COARSELY_QUANTISED", {{"variable", v.id},
                                  {"quantum", quantum, v.model_unit},
                                  {"value", 100 * quantum / std, "%"}});
    }
    const std::map<Index, std::int64_t>& stays = column.stays();
    if (stays.empty()) return;
    const Index longest = stays.rbegin()->first;
    const bool share_of_all = share(longest, column.count()) > kFrozenShare;
    if (longest >= kFrozenSteps && (share_of_all || (v.role == Role::cv && unusual(stays))))
      warn("SIGNAL_FROZEN", {{"variable", v.id}, {"steps", std::int64_t{longest}, "steps"}});
    held(v, stays);
  }

  /// The longest stay is ten times the length that 95 % of the stays do not exceed: a measured value
  /// that moves does not rest so long. What people set may.
  static bool unusual(const std::map<Index, std::int64_t>& stays) {
    std::int64_t total = 0, below = 0;
    for (const auto& [length, count] : stays) total += count;
    for (const auto& [length, count] : stays) {
      below += count;
      if (share(below, total) >= kUsualShare) return stays.rbegin()->first >= kTimesUsual * length;
    }
    return false;
  }

  /// A slower signal repeated on a faster grid changes at multiples of one number of steps.
  void held(const Variable& v, const std::map<Index, std::int64_t>& stays) {
    std::int64_t total = 0, below = 0, regular = 0;
    for (const auto& [length, count] : stays) total += count;
    if (total < kFewChanges) return;
    Index typical = 0;
    for (const auto& [length, count] : stays) {
      typical = length;
      below += count;
      if (below > total / 2) break;
    }
    if (typical < 2) return;
    for (const auto& [length, count] : stays) regular += length % typical == 0 ? count : 0;
    if (share(regular, total) >= kHeldShare) {
      warn("OVERSAMPLED_HOLD", {{"variable", v.id},
                                {"steps", std::int64_t{typical}, "steps"},
                                {"beat", format_duration(typical * beat_us(spec_))}});
    }
  }

  const Spec& spec_;
  const Norm& norm_;
  const std::vector<ColumnStats>& columns_;
  Report& report_;
};

}  // namespace

void summarise(const Spec& spec, const Norm& norm, const RunSource& runs, Report& report) {
  const std::vector<ColumnStats> columns = column_stats(runs, spec.variables.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Variable& v = spec.variables[c];
    const CleanCounts& n = report.cleaning.at(v.node_id);
    NodeSummary s = columns[c].summary();
    s.node_id = v.node_id;
    s.role = v.role;
    s.missing_ratio = share(n.missing, n.steps);
    s.filled_ratio = share(n.interpolated + n.held, n.steps);
    s.cleaned_ratio = share(n.dropped(), n.total);
    report.node_summaries.push_back(std::move(s));
  }
  Warnings(spec, norm, columns, report).collect();
}

}  // namespace flyball::dataset
