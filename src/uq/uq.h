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
  Matrix scaled;  ///< blocks × ny, of |error| over the scale of its step; empty without a scale
  std::vector<std::string> runs;  ///< of each block
  std::int64_t unique_steps = 0;  ///< steps predicted in the blocks, each counted once
  std::int64_t part_runs = 0;     ///< runs of the part, those that gave no block too
  std::int64_t too_short = 0;  ///< stretches of valid start steps shorter than L_b: gave no block

  [[nodiscard]] std::int64_t blocks() const { return scores.rows(); }
  [[nodiscard]] std::int64_t run_count() const;  ///< runs that gave blocks
};

/// Start steps of one scoring block: 3·h.
Index block_start_steps(Index horizon);

/// s_j(k): root mean square error at k = 0..h−1 over the windows of train (evenly spaced, at most
/// 2 000), h × ny, model units, at least 1e-9 of the train deviation. Empty without a window or
/// where a prediction diverged. Throws CANCELLED on a stop.
Matrix step_scale(const dataset::Dataset& data, const evaluate::Predict& predict,
                  evaluate::WindowShape shape, const std::stop_token& stop = {});

/// Rolls the predictor out from every start step of every scoring block (MVs known, DVs held).
/// `scale` (h × ny) gives the scaled scores too. Throws CANCELLED on a stop.
/// With `piece` > 0 every stretch is cut into as many pieces of at least that many rows as it
/// holds, H + h rows apart, and each piece counts as a run.
BlockScores block_scores(const dataset::Dataset& data, dataset::Part part,
                         const evaluate::Predict& predict, evaluate::WindowShape shape,
                         const std::stop_token& stop = {}, const Matrix& scale = {},
                         Index piece = 0);

enum class Method { split_conformal, empirical_max };
constexpr auto enum_names(Method) {
  return std::array<std::string_view, 2>{"split_conformal", "empirical_max"};
}

/// One quantile of the largest error over CVs (each in its train deviations) and steps.
struct Joint {
  double qhat = 0;  ///< train standard deviations
  double coverage_test = 0;
  static constexpr auto fields() {
    return FieldList{
        field("qhat", &Joint::qhat,
              "largest error over CVs and steps, in train standard deviations"),
        field("coverageTest", &Joint::coverage_test, "share of test blocks within it")};
  }
};

/// What a score is, so that whoever reads the evidence can compute it again.
struct ScoreDefinition {
  std::string code = "max_abs_rollout_error@1";
  std::string aggregation =
      "maximum over the start steps t of a block and over k = 0..h-1 of |predicted(t+k) - y(t+k)|";
  std::int64_t start_steps = 0, horizon = 0, separation = 0;
  std::string disturbances = "held at the last row of the history";
  std::string unit = "model units of each CV";
  static constexpr auto fields() {
    using S = ScoreDefinition;
    return FieldList{
        field("code", &S::code, "changes when the definition does"),
        field("aggregation", &S::aggregation, "in words"),
        field("startSteps", &S::start_steps, "L_b, start steps of each block").unit("steps"),
        field("horizon", &S::horizon, "h, steps predicted from each start").unit("steps"),
        field("separation", &S::separation, "H, steps between two blocks").unit("steps"),
        field("disturbances", &S::disturbances, "what DVs do in the prediction"),
        field("unit", &S::unit, "of the score")};
  }
};

/// The band of one CV at each step ahead: q·s(k), s(k) the RMS error at that step in train and q
/// the quantile over val blocks of max |error(k)|/s(k). It covers a block as a whole: all its
/// start steps and all k at once.
struct StepBand {
  std::string cv;
  double factor = 0;
  std::vector<double> half_width;
  double coverage_test = 0;
  static constexpr auto fields() {
    using S = StepBand;
    return FieldList{field("cv", &S::cv, "controlled variable"),
                      field("factor", &S::factor, "q, over the RMS error in train"),
                      field("halfWidth", &S::half_width, "q s(k) at k = 0..h-1, model units"),
                      field("coverageTest", &S::coverage_test,
                            "share of test blocks that stay within it at every step")};
  }
};

/// What counted as a run.
enum class RunRule { declared, calendar_pieces };
constexpr auto enum_names(RunRule) {
  return std::array<std::string_view, 2>{"declared", "calendar_pieces"};
}

/// The evidence (platform.md §2.14.1).
struct Uq {
  Method method = Method::empirical_max;
  RunRule run_rule = RunRule::declared;
  std::optional<std::int64_t> piece_steps;
  std::optional<double> piece_correlation, piece_correlation_limit;
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
  ScoreDefinition score;
  double coverage_low = 0, coverage_high = 1;
  std::vector<StepBand> step_bands;
  double pass_chance = 0;
  std::optional<std::int64_t> blocks_needed;
  std::optional<Joint> joint;
  std::optional<std::string> calibrated_at;  ///< RFC 3339; written by who stores it

  static constexpr auto fields() {
    return FieldList{
        field("method", &Uq::method,
              "split_conformal from 9 val blocks of 2 runs, else empirical_max"),
        field("runRule", &Uq::run_rule,
              "declared runs, or calendar pieces of one record whose errors are independent"),
        field("pieceSteps", &Uq::piece_steps, "shortest calendar piece, 10 settling times")
            .unit("steps"),
        field("pieceCorrelation", &Uq::piece_correlation,
              "of the errors one piece apart, largest of the CVs"),
        field("pieceCorrelationLimit", &Uq::piece_correlation_limit,
              "it is significant at 5 % from here on"),
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
        field("score", &Uq::score, "what a score is"),
        field("coverageLow", &Uq::coverage_low, "95 % interval of coverageTest (Clopper-Pearson)"),
        field("coverageHigh", &Uq::coverage_high, "95 % interval of coverageTest"),
        field("stepBands", &Uq::step_bands, "per CV and step ahead; empty without a train window"),
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
  Index separation = 0;  ///< H
  Matrix scale;          ///< of step_scale; empty: no bands per step
  std::vector<std::string> cvs;
  std::vector<double> train_std;  ///< per CV, for the joint score; empty: none
  bool points = false;            ///< a block is one operating point of a static model
};

/// Emitted only with at least 120 unique test steps, 2 test runs, 1 test block, 2 val blocks,
/// 1 val run, 1 CV, and finite val scores. A test score that is not finite counts as not covered.
UqResult calibrate(const BlockScores& val, const BlockScores& test, const UqOptions& options);

/// Scores both parts and calibrates. With fewer than 2 test runs and a settling time (steps; 0: not
/// known) the record is cut into calendar pieces of 10 settling times, which count as runs when the
/// errors are not correlated one piece apart (uq/pieces.h).
UqResult evidence(const dataset::Dataset& data, const evaluate::Predict& predict,
                  evaluate::WindowShape shape, double alpha = 0.1, const std::stop_token& stop = {},
                  Index settling = 0);

/// A static model: every operating point of val and test where it holds is a block, horizon 1; a
/// point where it does not gives none and is counted as too short.
UqResult point_evidence(const std::vector<evaluate::PointResult>& points,
                        const std::vector<std::string>& cvs, const std::vector<double>& train_std,
                        double alpha);

/// empirical_max → 1; split_conformal → max(0.8, 0.9 − 3·√(0.09 / max(1, nTestRuns))).
double coverage_threshold(Method method, std::int64_t n_test_runs);

}  // namespace flyball::uq
