#pragma once
// Uncertainty evidence of a model: block conformal, calibrated on val, checked on test.
//
// A part is cut, run by run and never across a gap, into scoring blocks of L_b = 3·h consecutive
// start steps, with H steps between the last step that a block predicts and the first that the
// next predicts. The score of a block and CV is the maximum of |ŷ(t+k) − y(t+k)| over its start
// steps t and k = 0..h−1 (h steps, the horizon F), in model units. Blocks of the same size are
// exchangeable under a stationary error; P(next score ≤ r-th smallest of n) = r/(n+1).
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/words.h"
#include "evaluate/points.h"
#include "evaluate/predictor.h"

namespace flyball::uq {

/// Scores of one part.
struct BlockScores {
  Matrix scores;  ///< blocks × ny, model units; not finite where a prediction diverged
  std::vector<std::string> runs;  ///< of each block
  std::int64_t unique_steps = 0;  ///< steps predicted in the blocks, each counted once
  std::int64_t part_runs = 0;     ///< runs of the part, those that gave no block too
  std::int64_t too_short = 0;  ///< stretches of valid start steps shorter than L_b: gave no block

  [[nodiscard]] std::int64_t blocks() const { return scores.rows(); }
  [[nodiscard]] std::int64_t run_count() const;  ///< runs that gave blocks
};

/// Start steps of one scoring block: 3·h.
Index block_start_steps(Index horizon);

/// Rolls the predictor out from every start step of every scoring block (MVs known, DVs held).
/// Throws CANCELLED on a stop.
BlockScores block_scores(const dataset::Dataset& data, dataset::Part part,
                         const evaluate::Predict& predict, evaluate::WindowShape shape,
                         const std::stop_token& stop = {});

enum class Method { split_conformal, empirical_max };
constexpr auto enum_names(Method) {
  return std::array<std::string_view, 2>{"split_conformal", "empirical_max"};
}

/// One quantile of the largest error over CVs (each in its train deviations) and steps.
struct Joint {
  double qhat = 0;  ///< train standard deviations
  double coverage_test = 0;
  static constexpr auto fields() {
    return std::tuple{
        field("qhat", &Joint::qhat,
              "largest error over CVs and steps, in train standard deviations"),
        field("coverageTest", &Joint::coverage_test, "share of test blocks within it")};
  }
};

/// The evidence (platform.md §2.14.1).
struct Uq {
  Method method = Method::empirical_max;
  std::vector<std::string> cvs;
  std::vector<double> qhat_per_cv;  ///< model units, 9 decimals
  double coverage_test = 0;         ///< least over CVs, 6 decimals
  double coverage_threshold = 1;
  bool covered = false;  ///< coverage_test ≥ coverage_threshold
  double alpha = 0.1;
  std::int64_t horizon = 0;            ///< h
  std::int64_t block_start_steps = 0;  ///< L_b
  std::int64_t n_val_blocks = 0, n_val_runs = 0, n_val_unique_steps = 0, n_val_too_short = 0;
  std::int64_t n_test_blocks = 0, n_test_runs = 0, n_unique_test_steps = 0, n_test_too_short = 0;
  std::optional<double> safety_factor;
  double pass_chance = 0;
  std::optional<std::int64_t> blocks_needed;
  std::optional<Joint> joint;
  std::optional<std::string> calibrated_at;  ///< RFC 3339; written by who stores it

  static constexpr auto fields() {
    return std::tuple{
        field("method", &Uq::method,
              "split_conformal from 9 val blocks of 2 runs, else empirical_max"),
        field("cvs", &Uq::cvs, "order of qhatPerCv"),
        field("qhatPerCv", &Uq::qhat_per_cv, "half width of the band, model units"),
        field("coverageTest", &Uq::coverage_test,
              "least share over CVs of test blocks within qhat"),
        field("coverageThreshold", &Uq::coverage_threshold, "what coverageTest has to reach"),
        field("covered", &Uq::covered, "coverageTest >= coverageThreshold"),
        field("alpha", &Uq::alpha, "1 - nominal coverage of a block"),
        field("horizon", &Uq::horizon, "h").unit("steps"),
        field("blockStartSteps", &Uq::block_start_steps, "start steps of each scoring block")
            .unit("steps"),
        field("nValBlocks", &Uq::n_val_blocks, "calibration blocks"),
        field("nValRuns", &Uq::n_val_runs, "runs they come from"),
        field("nValUniqueSteps", &Uq::n_val_unique_steps, "steps predicted in them").unit("steps"),
        field("nValTooShort", &Uq::n_val_too_short, "stretches too short for a block"),
        field("nTestBlocks", &Uq::n_test_blocks, "check blocks"),
        field("nTestRuns", &Uq::n_test_runs, "runs they come from"),
        field("nUniqueTestSteps", &Uq::n_unique_test_steps, "steps predicted in them")
            .unit("steps"),
        field("nTestTooShort", &Uq::n_test_too_short, "stretches too short for a block"),
        field("safetyFactor", &Uq::safety_factor, "of empirical_max"),
        field("passChance", &Uq::pass_chance,
              "chance that a perfectly calibrated model of this many CVs and blocks reaches the "
              "threshold"),
        field(
            "blocksNeeded", &Uq::blocks_needed,
            "val blocks, and as many test blocks, for a chance of 0.8; absent when it is reached"),
        field("joint", &Uq::joint, "one band for all CVs, from 20 val blocks"),
        field("calibratedAt", &Uq::calibrated_at, "when")};
  }
};

/// Evidence, or the reason why there is none.
struct UqResult {
  std::optional<Uq> uq;
  std::optional<Message> reason;
};

struct UqOptions {
  double alpha = 0.1;
  Index horizon = 1;
  std::vector<std::string> cvs;
  std::vector<double> train_std;  ///< per CV, for the joint score; empty: none
  bool points = false;            ///< a block is one operating point of a static model
};

/// Emitted only with at least 120 unique test steps, 2 test runs, 1 test block, 2 val blocks,
/// 1 val run, 1 CV, and finite val scores. A test score that is not finite counts as not covered.
UqResult calibrate(const BlockScores& val, const BlockScores& test, const UqOptions& options);

/// Scores both parts and calibrates.
UqResult evidence(const dataset::Dataset& data, const evaluate::Predict& predict,
                  evaluate::WindowShape shape, double alpha = 0.1,
                  const std::stop_token& stop = {});

/// A static model: every operating point of val and test where it holds is a block, horizon 1; a
/// point where it does not gives none and is counted as too short.
UqResult point_evidence(const std::vector<evaluate::PointResult>& points,
                        const std::vector<std::string>& cvs, const std::vector<double>& train_std,
                        double alpha);

/// empirical_max → 1; split_conformal → max(0.8, 0.9 − 3·√(0.09 / max(1, nTestRuns))).
double coverage_threshold(Method method, std::int64_t n_test_runs);

}  // namespace flyball::uq
