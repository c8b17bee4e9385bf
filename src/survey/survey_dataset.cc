#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "identify/excitation.h"
#include "identify/feedback.h"
#include "survey/correlation.h"
#include "survey/dataset_proposals.h"
#include "survey/dynamics.h"
#include "survey/repeats.h"
#include "survey/run_profiles.h"
#include "survey/survey.h"
#include "survey/values.h"

namespace flyball::survey {
namespace {

constexpr Index kRange = 20, kParameters = 10;

/// A column of the train part as a signal whose clock counts rows; model units.
Signal signal_of(const identify::TrainingData& data, Index column) {
  Signal out;
  for (const identify::Stretch& block : data.blocks) {
    const std::size_t first = out.x.size();
    for (Index t = block.first; t < block.end; ++t) {
      if (!std::isfinite(data.x(t, column))) continue;
      out.t.push_back(t);
      out.x.push_back(data.mean(column) + data.std(column) * data.x(t, column));
    }
    if (out.x.size() > first) out.runs.push_back({"", first, out.x.size()});
  }
  return out;
}

VariableFacts variable_of(const identify::TrainingData& data, Index c) {
  const Signal signal = signal_of(data, c);
  const ValueFacts values = values_of(signal.x);
  VariableFacts out;
  out.variable = data.name(c);
  out.role = c < data.n_mv   ? dataset::Role::mv
             : c < data.nu() ? dataset::Role::dv
                             : dataset::Role::cv;
  out.count = values.count;
  out.mean = data.mean(c);
  out.std = data.constant[static_cast<std::size_t>(c)] ? 0 : data.std(c);
  out.min = data.low(c);
  out.max = data.high(c);
  const Shape shape = shape_of(signal, values, 1);
  if (!shape.looks_stepped) out.hold_steps = shape.hold_steps;
  if (c < data.nu()) out.excitation = identify::excitation_of(data, c, kParameters);
  return out;
}

}  // namespace

DatasetSurvey survey_dataset(const dataset::Dataset& dataset, const dataset::Report& report,
                             const ProgressFn& progress, const std::stop_token& stop) {
  const auto done = [&](double fraction) {
    check_stop(stop);
    if (progress) progress({"survey", fraction, ""});
  };
  const identify::TrainingData data = identify::training_data(dataset);
  DatasetSurvey out;
  for (Index c = 0; c < data.x.cols(); ++c) out.variables.push_back(variable_of(data, c));
  done(0.2);
  out.correlations = correlations_of(data);
  out.collinearity = collinearity_of(data, out.correlations);
  std::vector<bool> used;
  for (Index m = 0; m < data.nu(); ++m) used.push_back(!data.constant[static_cast<std::size_t>(m)]);
  out.feedback = identify::feedback_of(data, used);
  done(0.4);
  const Index inputs = std::max<Index>(data.nu(), 1);
  const Index range = std::clamp<Index>(data.x.rows() / (10 * inputs), 1, kRange);
  Dynamics dynamics = dynamics_of(data, range, stop);
  out.cvs = std::move(dynamics.cvs);
  done(0.8);
  for (Index m = 0; m < data.nu(); ++m) {
    for (Index j = 0; j < data.ny(); ++j) {
      PairFacts pair;
      pair.dead_time = std::move(dynamics.dead_times[out.pairs.size()]);
      correlate_changes(data, m, data.nu() + j, range, pair);
      out.pairs.push_back(std::move(pair));
    }
  }
  out.runs = run_profiles(dataset, report, data);
  out.proposals = dataset_proposals(dataset.spec, out);
  done(1);
  return out;
}

}  // namespace flyball::survey
