#include "survey/run_profiles.h"

#include <algorithm>
#include <cmath>

#include "math/statistics.h"

namespace flyball::survey {
namespace {

constexpr std::size_t kFewRuns = 5;
constexpr double kMadToSigma = 1.4826, kLeastSpread = 0.1;

double usable_share(const dataset::Series& series) {
  const Index steps = series.mask.rows();
  Index usable = 0;
  for (Index t = 0; t < steps; ++t) usable += (series.mask.row(t).array() != 0).all() ? 1 : 0;
  return steps > 0 ? static_cast<double>(usable) / static_cast<double>(steps) : 0;
}

/// Model units; NaN where the run has no value in train.
std::vector<double> train_means(const identify::TrainingData& data,
                                const std::vector<const identify::Stretch*>& blocks) {
  std::vector<double> out;
  for (Index c = 0; c < data.x.cols(); ++c) {
    double sum = 0;
    Index n = 0;
    for (const identify::Stretch* block : blocks) {
      for (Index t = block->first; t < block->end; ++t) {
        if (!std::isfinite(data.x(t, c))) continue;
        sum += data.x(t, c);
        ++n;
      }
    }
    const double mean = n > 0 ? sum / static_cast<double>(n) : NAN;
    out.push_back(data.constant[static_cast<std::size_t>(c)] ? data.mean(c)
                                                             : data.mean(c) + data.std(c) * mean);
  }
  return out;
}

void find_distances(const identify::TrainingData& data, std::vector<RunFacts>& runs) {
  for (Index c = 0; c < data.x.cols(); ++c) {
    const auto column = static_cast<std::size_t>(c);
    std::vector<double> means;
    for (const RunFacts& run : runs) {
      if (run.train && std::isfinite(run.means[column])) means.push_back(run.means[column]);
    }
    if (means.size() < kFewRuns) continue;
    const double median = math::median(means);
    for (double& m : means) m = std::abs(m - median);
    const double spread = std::max(kMadToSigma * math::median(means), kLeastSpread * data.std(c));
    for (RunFacts& run : runs) {
      if (!run.train) continue;
      run.distance.resize(static_cast<std::size_t>(data.x.cols()), 0);
      const double mean = run.means[column];
      if (std::isfinite(mean)) run.distance[column] = (mean - median) / spread;
    }
  }
}

}  // namespace

std::vector<RunFacts> run_profiles(const dataset::Dataset& dataset, const dataset::Report& report,
                                   const identify::TrainingData& data) {
  const auto train = dataset.part(dataset::Part::train);
  std::vector<RunFacts> out;
  for (const dataset::Series& series : dataset.runs) {
    RunFacts run;
    run.run_id = series.run_id;
    run.steps = series.mask.rows();
    run.usable_share = usable_share(series);
    std::vector<const identify::Stretch*> blocks;
    for (std::size_t b = 0; b < train.size(); ++b) {
      if (train[b]->run_id == series.run_id) blocks.push_back(&data.blocks[b]);
    }
    run.train = !blocks.empty();
    if (run.train) run.means = train_means(data, blocks);
    out.push_back(std::move(run));
  }
  find_distances(data, out);
  for (const dataset::DroppedRun& dropped : report.runs_dropped) {
    RunFacts run;
    run.run_id = dropped.run_id;
    run.reason = dropped.reason;
    out.push_back(std::move(run));
  }
  return out;
}

}  // namespace flyball::survey
