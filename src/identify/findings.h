#pragma once
// What identification found beside the model: records for the report, the gates and model.json.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "identify/priors.h"

namespace flyball::identify {

/// First lag k at which cv(t) answers input(t − k).
struct DeadTime {
  std::string input, cv;
  std::int64_t steps = 0, low = 0, high = 0;
  bool active = false;        ///< jointly significant at 1 %
  bool found = false;         ///< active and located inside the range searched
  bool edge = false;          ///< at the end of the range, even after doubling it
  bool by_test = false;       ///< a lag was significant by itself; else least residual sum
  bool by_lags = false;       ///< from first- or second-order lags of all pairs of the CV
  bool feed_through = false;  ///< steps = 0: may be feedback
  std::int64_t steps_after_0 = 0;
  std::optional<std::int64_t> steps_with_0;  ///< of an MV in a loop, whose search starts at lag 1
  double p_value = 1;
  static constexpr auto fields() {
    using S = DeadTime;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("cv", &S::cv, "controlled variable"),
        field("steps", &S::steps, "first lag at which the CV answers").unit("steps"),
        field("low", &S::low, "95 % range").unit("steps"),
        field("high", &S::high, "95 % range").unit("steps"),
        field("active", &S::active, "the joint F test is significant at 1 %"),
        field("found", &S::found, "active and located inside the range searched"),
        field("edge", &S::edge, "at the end of the range, after doubling it"),
        field("byTest", &S::by_test, "first significant lag; else lag of least residual sum"),
        field("byLags", &S::by_lags, "from first- or second-order lags fitted to all pairs"),
        field("feedThrough", &S::feed_through, "steps is 0: direct answer, may be feedback"),
        field("stepsAfter0", &S::steps_after_0, "the estimate without lag 0").unit("steps"),
        field("stepsWith0", &S::steps_with_0,
              "MV in a loop: the estimate with lag 0 allowed, where it is another; the one used "
              "leaves it out")
            .unit("steps")
            .nullable(),
        field("pValue", &S::p_value, "of the joint F test")};
  }
};

/// One line of the table of orders of a CV.
struct OrderScore {
  std::int64_t na = 0, nb = 0, parameters = 0;
  double lambda = 0;
  bool differenced = false;
  std::optional<double> score, one_step;
  std::string reason;
  static constexpr auto fields() {
    using S = OrderScore;
    return FieldList{
        field("na", &S::na, "lags of the CV"),
        field("nb", &S::nb, "lags of each input"),
        field("parameters", &S::parameters, "without the constant"),
        field("lambda", &S::lambda, "best ridge, on N*var"),
        field("differenced", &S::differenced, "integrated disturbance"),
        field("score", &S::score, "F-step error over the folds / train std").nullable(),
        field("oneStep", &S::one_step, "one-step error over the folds / train std").nullable(),
        field("reason", &S::reason, "chosen, or why not")};
  }
};

/// What was decided for one CV.
struct CvFinding {
  std::string cv;
  std::int64_t na = 0, nb = 0, parameters = 0, rows = 0, folds = 0, rank = 0;
  double lambda = 0, condition = 0, radius = 0;
  bool differenced = false, integrating = false, settles_by_itself = false;
  std::optional<double> score, noise_floor;
  std::vector<OrderScore> orders;
  std::vector<std::string> parameter_names;
  std::vector<double> parameter_values;      ///< model units
  std::vector<double> parameter_std_errors;  ///< model units
  static constexpr auto fields() {
    using S = CvFinding;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("na", &S::na, "lags of the CV"),
        field("nb", &S::nb, "lags of each input"),
        field("parameters", &S::parameters, "without the constant"),
        field("rows", &S::rows, "rows of the regression").unit("steps"),
        field("folds", &S::folds, "of the cross-validation; 0: too few rows"),
        field("rank", &S::rank, "of the regressors"),
        field("lambda", &S::lambda, "ridge, on N*var"),
        field("condition", &S::condition, "of the scaled normal equations (lower bound)"),
        field("radius", &S::radius, "largest pole, without declared integrator and disturbance"),
        field("differenced", &S::differenced, "integrated disturbance"),
        field("integrating", &S::integrating, "declared a level"),
        field("settlesByItself", &S::settles_by_itself,
              "declared a level, yet predicted far better without an integrator"),
        field("score", &S::score, "F-step error over the folds / train std").nullable(),
        field("noiseFloor", &S::noise_floor,
              "cross-validated one-step error of the high-order ARX / train std")
            .nullable(),
        field("orders", &S::orders, "every structure tried"),
        field("parameterNames", &S::parameter_names, "in the order of the values"),
        field("parameterValues", &S::parameter_values, "model units"),
        field("parameterStdErrors", &S::parameter_std_errors, "model units")};
  }
};

/// How an input moved in train.
struct Excitation {
  std::string input;
  bool mv = true;
  bool constant = false, excited = false;
  std::int64_t moves = 0, levels = 0, persistence_order = 0;
  bool left_out = false;
  std::string reason;
  static constexpr auto fields() {
    using S = Excitation;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("mv", &S::mv, "false: DV"),
        field("constant", &S::constant, "never moved in train"),
        field("excited", &S::excited, "10 moves, or persistent excitation of its order"),
        field("moves", &S::moves, "changes by more than 10 % of the train range since the last"),
        field("levels", &S::levels, "distinct levels, a tenth of the range apart; at most 11"),
        field("persistenceOrder", &S::persistence_order, "rank of the lagged input, at most 20"),
        field("leftOut", &S::left_out, "not an input of the model"),
        field("reason", &S::reason, "why it was left out")};
  }
};

/// Does an MV answer the CVs? See identify/feedback.h for the test.
struct Feedback {
  std::string mv;
  std::optional<double> variance_kept;
  bool computed_from_cvs = false;
  std::optional<double> p_value, probability, same_step_p_value;
  bool in_loop = false, rests = false;
  std::string cv;
  std::int64_t direction = 0;
  std::vector<std::string> not_direct;
  std::string set_point;
  double mv_move = 0, cv_move = 0;
  static constexpr auto fields() {
    using S = Feedback;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"),
        field(
            "varianceKept", &S::variance_kept,
            "share of its variance that y(t..t-6) does not explain, given past inputs; null: past "
            "inputs alone determine it")
            .nullable(),
        field("computedFromCvs", &S::computed_from_cvs,
              "keeps less than 1 %: feedback without excitation"),
        field("pValue", &S::p_value,
              "that an open loop shows so much dependence on past disturbances of the CVs; null: "
              "not tested")
            .nullable(),
        field("probability", &S::probability, "that the MV is in a loop, at prior odds of 1:1")
            .nullable(),
        field("sameStepPValue", &S::same_step_p_value,
              "of the dependence within one step: a loop or a direct answer")
            .nullable(),
        field("inLoop", &S::in_loop,
              "pValue below 1 % and probability above 1/2, or computed from the CVs"),
        field("rests", &S::rests,
              "keeps its value to the last digit in four of five of the steps in which a CV moves: "
              "what goes with it within a step answers it"),
        field("cv", &S::cv, "controlled variable that the MV answers most"),
        field("direction", &S::direction, "1: the MV rises when that CV does, -1: it falls"),
        field("notDirect", &S::not_direct,
              "CVs that go with small moves of the MV within a step but not with its jumps: the "
              "controller's answer, not the plant's; their dead times start at one step"),
        field("setPoint", &S::set_point, "tag of the loop's set-point, when declared"),
        field("mvMove", &S::mv_move,
              "step of the MV that stands out of its own moves in the loop (3 of its standard "
              "deviations given the past), model units"),
        field("cvMove", &S::cv_move,
              "step of the set-point that stands out of the CV's movement (3 of its standard "
              "deviations), model units")};
  }
};

/// The gain of an MV that is, or may be, in a loop: estimates that need different things to be
/// true.
struct LoopGain {
  std::string mv, cv, set_point;
  std::optional<double> model, model_std_error;
  std::optional<double> direct, direct_std_error;
  std::optional<double> instrumental, instrumental_std_error;
  double set_point_share = 0;
  bool sign_known = false;
  std::string used;
  static constexpr auto fields() {
    using S = LoopGain;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"),
        field("cv", &S::cv, "controlled variable"),
        field("setPoint", &S::set_point, "tag of the set-point; empty: none declared"),
        field("model", &S::model,
              "gain of the model, where the instruments are used of the one they replace, model "
              "units")
            .nullable(),
        field("modelStdError", &S::model_std_error, "standard error").nullable(),
        field("direct", &S::direct,
              "gain of the ARX with all lags from 1 on: right in a loop when its equation error is "
              "white")
            .nullable(),
        field("directStdError", &S::direct_std_error, "standard error").nullable(),
        field("instrumental", &S::instrumental,
              "gain from what the set-point's moves alone explain: right whatever the disturbance")
            .nullable(),
        field("instrumentalStdError", &S::instrumental_std_error, "standard error").nullable(),
        field("setPointShare", &S::set_point_share,
              "share of the MV's variance that the set-point's moves explain"),
        field("signKnown", &S::sign_known, "the 95 % interval of the gain leaves 0 out"),
        field("used", &S::used,
              "model, or instrumental where that is more precise or the two differ by more than "
              "2.58 standard errors")};
  }
};

/// An MV that moved together with another input.
struct Collinear {
  std::string mv, with;
  double explained = 0;
  double vif = 1;
  std::vector<std::string> others;
  std::vector<double> weights;
  std::string combination;
  bool unseparable = false;
  static constexpr auto fields() {
    using S = Collinear;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"),
        field("with", &S::with, "input it follows most"),
        field("explained", &S::explained, "share of its variance explained by the other inputs"),
        field("vif", &S::vif, "variance inflation of its gain, 1/(1 - explained)"),
        field("others", &S::others,
              "inputs that it follows, weights of a tenth of the largest or more"),
        field("weights", &S::weights, "units of the MV per unit of each"),
        field("combination", &S::combination, "the same in words"),
        field("unseparable", &S::unseparable,
              "their gains cannot be told apart: one of them was left out of the model, or is in it "
              "for the prediction's sake alone")};
  }
};

/// Answer of a CV to a unit step of an input, in model units, k = 0, 1, ...
struct StepResponse {
  std::string input, cv;
  std::vector<double> values, standard_errors;
  std::optional<double> gain, gain_std_error;
  std::optional<double> rate;                         ///< of an integrating CV, per step
  std::vector<double> bootstrap_low, bootstrap_high;  ///< 95 %, of `values`; see block_bootstrap.h
  std::optional<double> gain_bootstrap_low, gain_bootstrap_high;
  std::vector<double> gain_covariance;  ///< of the gain or rate with those of every input
  std::int64_t settling_steps = -1;     ///< to 98 %; −1: none within 3 000
  static constexpr auto fields() {
    using S = StepResponse;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("cv", &S::cv, "controlled variable"),
        field("values", &S::values, "answer to a unit step, model units"),
        field("standardErrors", &S::standard_errors,
              "parameter covariance by the delta method, and the difference to the largest "
              "structure"),
        field("gain", &S::gain, "steady state; null: integrating or not identifiable").nullable(),
        field("gainStdError", &S::gain_std_error, "as standardErrors").nullable(),
        field("rate", &S::rate, "steady change per step of an integrating CV"),
        field("bootstrapLow", &S::bootstrap_low,
              "95 % range of values over blocks of rows drawn again; empty: not from an ARX fit"),
        field("bootstrapHigh", &S::bootstrap_high, "its upper end"),
        field("gainBootstrapLow", &S::gain_bootstrap_low,
              "95 % range of the gain (of an integrating CV the rate), likewise"),
        field("gainBootstrapHigh", &S::gain_bootstrap_high, "its upper end"),
        field("gainCovariance", &S::gain_covariance,
              "of the gain or rate with those of this CV to every input, MVs then DVs"),
        field("settlingSteps", &S::settling_steps, "to 98 %; -1: none").unit("steps")};
  }
};

/// A controller as declared, closed around the model; see diagnose/declared_loops.h.
struct LoopStability {
  std::string mv, cv;
  double radius = 0;
  std::optional<double> gain_margin;
  bool record_in_loop = false;
  static constexpr auto fields() {
    using S = LoopStability;
    return FieldList{
        field("mv", &S::mv, "manipulated variable"), field("cv", &S::cv, "controlled variable"),
        field("radius", &S::radius, "largest pole of the model with all declared controllers"),
        field("gainMargin", &S::gain_margin,
              "factor on this controller's gain that brings the radius to 1; null: none up to 100")
            .nullable(),
        field("recordInLoop", &S::record_in_loop, "the record shows the MV answering the CVs")};
  }
};

struct Findings {
  std::vector<LoopStability> declared_loops;
  std::vector<DeadTime> dead_times;  ///< every (input, CV), input by input
  std::vector<CvFinding> cvs;
  std::vector<Excitation> excitation;  ///< inputs in order
  std::vector<Feedback> feedback;      ///< MVs in order
  std::vector<LoopGain> loop_gains;    ///< pairs of MVs that are or may be in a loop
  std::vector<Collinear> collinear;
  std::vector<PriorCheck> priors;            ///< in the order stated
  std::vector<StepResponse> step_responses;  ///< pairs that are in the model
  std::int64_t train_rows = 0, dead_time_max = 0;
  std::int64_t settling_steps = -1;  ///< slowest pair
  std::vector<Message> warnings;

  /// The set-point of an MV's loop: it tells cause from effect and is no input of the model.
  [[nodiscard]] bool is_set_point(const std::string& input) const {
    return std::ranges::any_of(feedback, [&](const Feedback& f) { return f.set_point == input; });
  }
};

/// Everything but the warnings, as it stands in report.json under `identification`.
Json to_json(const Findings& findings);

}  // namespace flyball::identify
