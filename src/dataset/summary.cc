#include "dataset/summary.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "dataset/change_scale.h"
#include "math/statistics.h"

namespace flyball::dataset {
namespace {

constexpr double kMuchFilled = 0.1;
constexpr double kManySpikes = 0.01;
constexpr double kCoarseQuantum = 0.2;  // of the standard deviation
constexpr double kFrozenShare = 0.1;
constexpr Index kFrozenSteps = 50;
constexpr double kHeldShare = 0.9;
constexpr std::size_t kFewChanges = 20;

/// The share of `part` in `whole`, 0 of nothing.
double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::vector<double> values_of(const Dataset& dataset, Index c) {
  std::vector<double> out;
  for (const Series& run : dataset.runs) {
    for (Index i = 0; i < run.values.rows(); ++i) {
      if (run.mask(i, c) != 0) out.push_back(run.values(i, c));
    }
  }
  return out;
}

/// Steps between one change of an observed signal and the next, over all runs.
std::vector<Index> stays(const Dataset& dataset, Index c) {
  std::vector<Index> out;
  for (const Series& run : dataset.runs) {
    Index since = 0;
    for (Index i = 1; i < run.values.rows(); ++i) {
      if (run.mask(i, c) != 1 || run.mask(i - 1, c) != 1) {
        since = i;
      } else if (run.values(i, c) != run.values(i - 1, c)) {
        out.push_back(i - since);
        since = i;
      }
    }
    out.push_back(run.values.rows() - since);
  }
  return out;
}

class Warnings {
 public:
  Warnings(const Dataset& dataset, const Report& report) : dataset_(dataset), report_(report) {}

  std::vector<Words> collect() {
    parts();
    for (std::size_t c = 0; c < dataset_.spec.variables.size(); ++c) {
      const Variable& v = dataset_.spec.variables[c];
      counts(v);
      if (v.role == Role::cv) signal(v, static_cast<Index>(c));
    }
    return std::move(out_);
  }

 private:
  void warn(std::string code, std::vector<Param> params) {
    out_.push_back(words({std::move(code), std::move(params)}));
  }

  void parts() {
    PartCounts rows = report_.rows;
    const Split& split = dataset_.spec.split;
    const auto empty = [&](Part part, double ratio) {
      if (ratio > 0 && rows.of(part) == 0) {
        const Window& w = dataset_.spec.window;
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
    const auto bad = n.dropped_quality + n.dropped_not_finite + n.dropped_range;
    if (const double dropped = share(bad, n.total); dropped > kManySpikes) {
      warn("MANY_DROPPED", {{"variable", v.id}, {"value", 100 * dropped, "%"}});
    }
  }

  void signal(const Variable& v, Index c) {
    const std::vector<double> values = values_of(dataset_, c);
    const double quantum = observed_quantum(values);
    const double std = dataset_.norm.std[static_cast<std::size_t>(c)];
    if (quantum > kCoarseQuantum * std) {
      warn("COARSELY_QUANTISED", {{"variable", v.id},
                         {"quantum", quantum, v.model_unit},
                         {"value", 100 * quantum / std, "%"}});
    }
    std::vector<Index> stay = stays(dataset_, c);
    if (stay.empty()) return;
    const Index longest = *std::ranges::max_element(stay);
    if (longest >= kFrozenSteps &&
        static_cast<double>(longest) > kFrozenShare * static_cast<double>(values.size())) {
      warn("SIGNAL_FROZEN", {{"variable", v.id}, {"steps", std::int64_t{longest}, "steps"}});
    }
    held(v, std::move(stay));
  }

  /// A slower signal repeated on a faster grid changes at multiples of one number of steps.
  void held(const Variable& v, std::vector<Index> stay) {
    if (stay.size() < kFewChanges) return;
    std::ranges::sort(stay);
    const Index typical = stay[stay.size() / 2];
    if (typical < 2) return;
    const auto regular = std::ranges::count_if(stay, [&](Index n) { return n % typical == 0; });
    if (share(regular, static_cast<std::int64_t>(stay.size())) >= kHeldShare) {
      warn("OVERSAMPLED_HOLD", {{"variable", v.id},
                                {"steps", std::int64_t{typical}, "steps"},
                                {"beat", format_duration(typical * beat_us(dataset_.spec))}});
    }
  }

  const Dataset& dataset_;
  const Report& report_;
  std::vector<Words> out_;
};

}  // namespace

std::vector<NodeSummary> summarise(const Dataset& dataset, const Report& report) {
  std::vector<NodeSummary> out;
  for (std::size_t c = 0; c < dataset.spec.variables.size(); ++c) {
    const Variable& v = dataset.spec.variables[c];
    std::vector<double> values = values_of(dataset, static_cast<Index>(c));
    const CleanCounts& n = report.cleaning.at(v.node_id);
    NodeSummary s;
    s.node_id = v.node_id;
    s.role = v.role;
    s.count = static_cast<std::int64_t>(values.size());
    s.mean = math::mean(values);
    s.std = math::sample_std(values);
    std::ranges::sort(values);
    s.min = math::quantile(values, 0);
    s.p05 = math::quantile(values, 0.05);
    s.p50 = math::quantile(values, 0.5);
    s.p95 = math::quantile(values, 0.95);
    s.max = math::quantile(values, 1);
    s.missing_ratio = share(n.missing, n.steps);
    s.filled_ratio = share(n.interpolated + n.held, n.steps);
    s.cleaned_ratio = share(n.dropped(), n.total);
    out.push_back(std::move(s));
  }
  return out;
}

std::vector<Words> find_warnings(const Dataset& dataset, const Report& report) {
  return Warnings(dataset, report).collect();
}

}  // namespace flyball::dataset
