#include <algorithm>
#include <cmath>
#include <set>

#include "uq/conformal.h"
#include "uq/pieces.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

constexpr std::int64_t kFewestTestSteps = 120;
constexpr std::int64_t kFewestTestRuns = 2;
constexpr std::int64_t kFewestTestBlocks = 1;
constexpr std::int64_t kFewestValBlocks = 2;
constexpr std::int64_t kFewestValRuns = 1;
constexpr std::int64_t kJointValBlocks = 20;
constexpr double kGoodChance = 0.8;

double round_to(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

/// The first rule that refuses, in the order of what a person can do about it.
std::optional<Message> refusal(const BlockScores& val, const BlockScores& test,
                               const UqOptions& options) {
  const auto least = [&](const char* of_blocks, const char* of_points, std::int64_t value,
                         std::int64_t limit, std::int64_t too_short) {
    return Message{options.points ? of_points : of_blocks,
                   {{"value", value},
                    {"limit", limit},
                    {"steps", block_start_steps(options.horizon)},
                    {"short", too_short}}};
  };
  if (val.scores.cols() < 1) return Message{"UQ_NO_CV", {}};
  const std::int64_t test_runs = std::max(test.part_runs, test.run_count());
  if (test_runs < kFewestTestRuns) {
    return least("UQ_TEST_RUNS", "UQ_TEST_RUNS_POINTS", test_runs, kFewestTestRuns, test.too_short);
  }
  if (test.blocks() < kFewestTestBlocks) {
    return least("UQ_TEST_BLOCKS", "UQ_TEST_BLOCKS_POINTS", test.blocks(), kFewestTestBlocks,
                 test.too_short);
  }
  if (test.run_count() < kFewestTestRuns) {
    return least("UQ_TEST_RUNS_SHORT", "UQ_TEST_RUNS_SHORT_POINTS", test.run_count(),
                 kFewestTestRuns, test.too_short);
  }
  if (test.unique_steps < kFewestTestSteps) {
    return least("UQ_TEST_STEPS", "UQ_TEST_STEPS_POINTS", test.unique_steps, kFewestTestSteps,
                 test.too_short);
  }
  if (val.blocks() < kFewestValBlocks) {
    return least("UQ_VAL_BLOCKS", "UQ_VAL_BLOCKS_POINTS", val.blocks(), kFewestValBlocks,
                 val.too_short);
  }
  if (val.run_count() < kFewestValRuns) {
    return least("UQ_VAL_RUNS", "UQ_VAL_RUNS_POINTS", val.run_count(), kFewestValRuns,
                 val.too_short);
  }
  if (!val.scores.allFinite()) return Message{"UQ_NOT_FINITE", {}};
  return std::nullopt;
}

double share_within(const ConstVectorRef& scores, double qhat) {
  Index within = 0;
  for (Index i = 0; i < scores.size(); ++i) {
    within += std::isfinite(scores(i)) && scores(i) <= qhat ? 1 : 0;
  }
  return static_cast<double>(within) / static_cast<double>(scores.size());
}

std::vector<StepBand> step_bands(const BlockScores& val, const BlockScores& test,
                                 const UqOptions& options, Method method) {
  std::vector<StepBand> out;
  if (options.scale.size() == 0 || val.scaled.rows() != val.scores.rows()) return out;
  for (Index j = 0; j < val.scaled.cols(); ++j) {
    StepBand band;
    band.cv = options.cvs[static_cast<std::size_t>(j)];
    const double factor = quantile(val.scaled.col(j), method, options.alpha);
    band.factor = round_to(factor, 6);
    for (const double s : options.scale.col(j)) band.half_width.push_back(round_to(factor * s, 9));
    band.coverage_test = round_to(share_within(test.scaled.col(j), factor), 6);
    out.push_back(std::move(band));
  }
  return out;
}

Joint joint_band(const BlockScores& val, const BlockScores& test, const UqOptions& options,
                 Method method) {
  const auto largest = [&](const Matrix& scores) {
    Vector out = Vector::Zero(scores.rows());
    for (Index j = 0; j < scores.cols(); ++j) {
      out = out.cwiseMax(scores.col(j) / options.train_std[static_cast<std::size_t>(j)]);
    }
    return out;
  };
  const double qhat = quantile(largest(val.scores), method, options.alpha);
  return {round_to(qhat, 9), round_to(share_within(largest(test.scores), qhat), 6)};
}

}  // namespace

UqResult calibrate(const BlockScores& val, const BlockScores& test, const UqOptions& options) {
  if (std::optional<Message> reason = refusal(val, test, options)) {
    return {std::nullopt, std::move(reason)};
  }
  Uq uq;
  uq.method = choose_method(val.blocks(), val.run_count());
  uq.cvs = options.cvs;
  uq.alpha = options.alpha;
  uq.horizon = options.horizon;
  uq.block_start_steps = options.points ? 1 : block_start_steps(options.horizon);
  uq.score.start_steps = uq.block_start_steps;
  uq.score.horizon = options.horizon;
  uq.score.separation = options.separation;
  uq.n_val_blocks = val.blocks();
  uq.n_val_runs = val.run_count();
  uq.n_val_unique_steps = val.unique_steps;
  uq.n_val_too_short = val.too_short;
  uq.n_test_blocks = test.blocks();
  uq.n_test_runs = test.run_count();
  uq.n_unique_test_steps = test.unique_steps;
  uq.n_test_too_short = test.too_short;
  if (uq.method == Method::empirical_max) uq.safety_factor = 1.25;

  double coverage = 1;
  const Index cvs = val.scores.cols();
  for (Index j = 0; j < cvs; ++j) {
    const double qhat = quantile(val.scores.col(j), uq.method, options.alpha);
    uq.qhat_per_cv.push_back(round_to(qhat, 9));
    coverage = std::min(coverage, share_within(test.scores.col(j), qhat));
  }
  uq.coverage_test = round_to(coverage, 6);
  const auto hits = std::llround(coverage * static_cast<double>(uq.n_test_blocks));
  const Share within = binomial_interval(hits, uq.n_test_blocks);
  uq.coverage_low = round_to(within.low, 6);
  uq.coverage_high = round_to(within.high, 6);
  uq.step_bands = step_bands(val, test, options, uq.method);
  uq.coverage_threshold = coverage_threshold(uq.method, uq.n_test_runs);
  uq.covered = coverage >= uq.coverage_threshold - 1e-12;
  uq.pass_chance = pass_chance(uq.method, uq.n_val_blocks, uq.n_test_blocks, uq.coverage_threshold,
                               options.alpha, cvs);
  if (uq.pass_chance < kGoodChance) {
    uq.blocks_needed = blocks_needed(uq.n_test_runs, options.alpha, cvs);
  }
  if (uq.n_val_blocks >= kJointValBlocks && !options.train_std.empty()) {
    uq.joint = joint_band(val, test, options, uq.method);
  }
  return {std::move(uq), std::nullopt};
}

UqResult evidence(const dataset::Dataset& data, const evaluate::Predict& predict,
                  evaluate::WindowShape shape, double alpha, const std::stop_token& stop,
                  Index settling) {
  UqOptions options;
  options.alpha = alpha;
  options.horizon = shape.horizon;
  for (const Index c : evaluate::layout(data).outputs) {
    options.cvs.push_back(data.spec.variables[static_cast<std::size_t>(c)].id);
    options.train_std.push_back(data.norm.std[static_cast<std::size_t>(c)]);
  }
  options.separation = shape.history;
  options.scale = step_scale(data, predict, shape, stop);
  const auto scores_of = [&](dataset::Part part, Index piece) {
    return block_scores(data, part, predict, shape, stop, options.scale, piece);
  };
  const BlockScores test = scores_of(dataset::Part::test, 0);
  if (test.part_runs != 1 || settling <= 0)
    return calibrate(scores_of(dataset::Part::val, 0), test, options);
  const Index piece = piece_steps(settling, shape.horizon);
  const BlockScores cut = scores_of(dataset::Part::test, piece);
  if (cut.part_runs < kFewestTestRuns) {
    return {
        std::nullopt,
        Message{"UQ_PIECES_SHORT",
                {{"value", cut.part_runs}, {"limit", kFewestTestRuns}, {"steps", piece, "steps"}}}};
  }
  const PieceTest apart = test_pieces(data, predict, shape, piece, settling, stop);
  if (!(apart.correlation < apart.limit)) {
    return {std::nullopt, Message{"UQ_PIECES_CORRELATED",
                                  {{"cv", apart.cv},
                                   {"steps", piece, "steps"},
                                   {"value", apart.correlation},
                                   {"limit", apart.limit}}}};
  }
  UqResult out = calibrate(scores_of(dataset::Part::val, piece), cut, options);
  if (out.uq) {
    out.uq->run_rule = RunRule::calendar_pieces;
    out.uq->piece_steps = piece;
    out.uq->piece_correlation = round_to(apart.correlation, 6);
    out.uq->piece_correlation_limit = round_to(apart.limit, 6);
  }
  return out;
}

UqResult point_evidence(const std::vector<evaluate::PointResult>& points,
                        const std::vector<std::string>& cvs, const std::vector<double>& train_std,
                        double alpha) {
  const auto scores_of = [&](dataset::Part part) {
    BlockScores out;
    std::set<std::string> runs;
    std::vector<const evaluate::PointResult*> inside;
    for (const evaluate::PointResult& p : points) {
      if (p.point->part != part) continue;
      runs.insert(p.point->run_id);
      if (p.inside()) {
        inside.push_back(&p);
      } else {
        ++out.too_short;
      }
    }
    out.part_runs = static_cast<std::int64_t>(runs.size());
    out.scores.resize(static_cast<Index>(inside.size()), static_cast<Index>(cvs.size()));
    for (std::size_t i = 0; i < inside.size(); ++i) {
      out.scores.row(static_cast<Index>(i)) = (inside[i]->predicted - inside[i]->y).cwiseAbs();
      out.runs.push_back(inside[i]->point->run_id);
      out.unique_steps += inside[i]->point->used;
    }
    return out;
  };
  UqOptions options;
  options.alpha = alpha;
  options.horizon = 1;
  options.cvs = cvs;
  options.train_std = train_std;
  options.points = true;
  return calibrate(scores_of(dataset::Part::val), scores_of(dataset::Part::test), options);
}

}  // namespace flyball::uq
