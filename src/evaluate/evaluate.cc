#include "evaluate/evaluate.h"

#include <algorithm>

#include "evaluate/metrics.h"

namespace flyball::evaluate {
namespace {

using dataset::Part;

/// Answers to a step are judged over the longest test block, or this many steps without one.
constexpr Index kProbeSteps = 1000;

IoSpec io_spec(const dataset::Dataset& data, const Layout& columns, WindowShape shape) {
  IoSpec io;
  for (std::size_t i = 0; i < columns.inputs.size(); ++i) {
    const std::string& id = data.spec.variables[static_cast<std::size_t>(columns.inputs[i])].id;
    (static_cast<Index>(i) < columns.n_mv ? io.mvs : io.dvs).push_back(id);
  }
  for (const Index c : columns.outputs) {
    io.cvs.push_back(data.spec.variables[static_cast<std::size_t>(c)].id);
  }
  io.history_steps = shape.history;
  io.horizon_steps = shape.horizon;
  io.beat_ms = data.spec.beat_ms;
  return io;
}

PartCount count(const dataset::Dataset& data, Part part, const Layout& columns, WindowShape shape) {
  PartCount out;
  for (const dataset::Block* block : data.part(part)) {
    const auto windows = window_starts(data.run(block->run_id), *block, columns, shape).size();
    out.rows += block->unique_steps;
    out.windows += static_cast<std::int64_t>(windows);
    ++out.blocks;
    if (windows > 0 && std::ranges::find(out.runs, block->run_id) == out.runs.end()) {
      out.runs.push_back(block->run_id);
    }
  }
  return out;
}

PartCount count_points(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                       Part part) {
  PartCount out;
  out.blocks = static_cast<std::int64_t>(data.part(part).size());
  for (const dataset::OperatingPoint* p : points.part(part)) {
    out.rows += p->used;
    ++out.windows;
    if (std::ranges::find(out.runs, p->run_id) == out.runs.end()) out.runs.push_back(p->run_id);
  }
  return out;
}

std::int64_t shared_rows(const std::vector<dataset::Block>& blocks) {
  std::int64_t shared = 0;
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    for (std::size_t b = a + 1; b < blocks.size(); ++b) {
      const auto &x = blocks[a], &y = blocks[b];
      if (x.run_id != y.run_id || x.split == y.split) continue;
      const auto from = std::max(x.first_step, y.first_step);
      const auto to = std::min(x.first_step + x.steps, y.first_step + y.steps);
      shared += std::max<std::int64_t>(0, to - from);
    }
  }
  return shared;
}

Index longest_block(const dataset::Dataset& data) {
  std::int64_t longest = 0;
  for (const dataset::Block* block : data.part(Part::test))
    longest = std::max(longest, block->steps);
  return longest > 0 ? longest : kProbeSteps;
}

void take(Metrics& m, PartScores& val, PartScores& test) {
  m.one_step_val = std::move(val.one_step);
  m.one_step_test = std::move(test.one_step);
  m.rollout_val = std::move(val.rollout);
  m.rollout_test = std::move(test.rollout);
  m.persistence_val = std::move(val.persistence);
  m.persistence_test = std::move(test.persistence);
  m.one_step_persistence_val = std::move(val.persistence_one_step);
  m.one_step_persistence_test = std::move(test.persistence_one_step);
  m.rollout_nrmse = m.rollout_test.nrmse;
  m.persistence_nrmse = m.persistence_test.nrmse;
  if (m.rollout_nrmse && m.persistence_nrmse && *m.persistence_nrmse > 0) {
    m.rollout_improvement = 1 - *m.rollout_nrmse / *m.persistence_nrmse;
  }
  for (std::size_t j = 0; j < m.io_spec.cvs.size(); ++j) {
    m.change_fit.push_back({m.io_spec.cvs[j], Part::val, val.change_fit[j]});
    m.change_fit.push_back({m.io_spec.cvs[j], Part::test, test.change_fit[j]});
  }
}

}  // namespace

Evaluation evaluate(const dataset::Dataset& data, const Predict& predict, const Options& options) {
  const Layout columns = layout(data);
  const WindowShape shape{options.history > 0 ? options.history : data.spec.window.history_steps,
                          options.horizon > 0 ? options.horizon : data.spec.window.horizon_steps};
  const auto report = [&](double fraction, const char* note) {
    if (options.progress) options.progress({"evaluate", fraction, note});
  };
  Evaluation out;
  Metrics& m = out.metrics;
  m.io_spec = io_spec(data, columns, shape);
  m.dataset_sha256 = options.dataset_sha256;
  m.artifact_hash = options.artifact_hash;
  m.agent = options.agent_metrics;
  m.train = count(data, Part::train, columns, shape);
  m.val = count(data, Part::val, columns, shape);
  m.test = count(data, Part::test, columns, shape);
  m.row_count = m.train.rows + m.val.rows + m.test.rows;
  m.shared_rows = shared_rows(data.blocks);

  report(0.05, "val");
  PartScores val = score_part(data, Part::val, predict, shape, options.stop);
  report(0.45, "test");
  PartScores test = score_part(data, Part::test, predict, shape, options.stop);
  take(m, val, test);
  out.val_residuals = std::move(val.residuals);
  out.test_residuals = std::move(test.residuals);

  report(0.85, "free run");
  std::vector<Index> limit;
  for (const Index c : columns.outputs) {
    const auto at = static_cast<std::size_t>(c);
    out.train_std.push_back(data.norm.std[at]);
    limit.push_back(data.spec.variables[at].integrating ? shape.horizon : 0);
  }
  m.excursions.resize(columns.outputs.size());
  for (std::size_t j = 0; j < columns.outputs.size(); ++j) {
    m.excursions[j].cv = m.io_spec.cvs[j];
    m.excursions[j].integrating = limit[j] > 0;
  }
  for (const Part part : {Part::train, Part::val, Part::test}) {
    if (data.part(part).empty()) continue;
    FreeRun run = free_run(data, part, predict, shape.history);
    for (FreeRunFit& f : fit(data, run)) m.free_run_fit.push_back(std::move(f));
    if (part == Part::test) {
      const auto reached = excursion(data, run, limit);
      for (std::size_t j = 0; j < reached.size(); ++j) m.excursions[j].free_run = reached[j];
    }
    out.free_runs.push_back(std::move(run));
  }
  m.step_answers = step_answers(data, predict, shape.history, longest_block(data), limit);
  report(0.95, "residuals");
  m.residual_tests = residual_tests(data, out.test_residuals);
  report(1, "");
  return out;
}

Evaluation evaluate_points(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                           const Predict& predict, std::int64_t parameters,
                           const Options& options) {
  const Layout columns = layout(data);
  Evaluation out;
  Metrics& m = out.metrics;
  m.io_spec = io_spec(data, columns, {0, 1});
  m.dataset_sha256 = options.dataset_sha256;
  m.artifact_hash = options.artifact_hash;
  m.agent = options.agent_metrics;
  m.shared_rows = shared_rows(data.blocks);
  out.points = predict_points(data, points, predict);
  out.train_std = train_spread(out.points, static_cast<Index>(columns.outputs.size()));
  PointEvidence evidence;
  evidence.points = points.rule.points;
  evidence.parameters = parameters;
  m.train = count_points(data, points, Part::train);
  m.val = count_points(data, points, Part::val);
  m.test = count_points(data, points, Part::test);
  m.row_count = m.train.rows + m.val.rows + m.test.rows;
  evidence.train = m.train.windows;
  evidence.val = m.val.windows;
  evidence.test = m.test.windows;
  m.one_step_val = score_points(data, out.points, Part::val, out.train_std, false);
  m.one_step_test = score_points(data, out.points, Part::test, out.train_std, false);
  m.one_step_persistence_val = score_points(data, out.points, Part::val, out.train_std, true);
  m.one_step_persistence_test = score_points(data, out.points, Part::test, out.train_std, true);
  evidence.val_outside = evidence.val - m.one_step_val.windows;
  evidence.test_outside = evidence.test - m.one_step_test.windows;
  m.operating_points = evidence;
  if (options.progress) options.progress({"evaluate", 1, ""});
  return out;
}

}  // namespace flyball::evaluate
