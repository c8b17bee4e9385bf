#pragma once
// What was found of a static response: records for report.json and the page.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "dataset/steady.h"

namespace flyball::identify {

/// How an input stood over the train points.
struct StaticInput {
  std::string input;
  bool mv = true;
  std::int64_t levels = 0;
  double low = 0, high = 0;
  bool left_out = false;
  std::optional<double> vif;
  double explained = 0;
  std::string with;
  static constexpr auto fields() {
    using S = StaticInput;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("mv", &S::mv, "false: DV"),
        field("levels", &S::levels, "distinct levels, a tenth of the range apart; at most 11"),
        field("low", &S::low, "of the train points, model units"),
        field("high", &S::high, "of the train points, model units"),
        field("leftOut", &S::left_out, "the same at every train point"),
        field("vif", &S::vif, "1 / (1 - explained); null: none, or the others give it exactly")
            .nullable(),
        field("explained", &S::explained, "share of its variance that the other inputs explain"),
        field("with", &S::with, "input it follows most")};
  }
};

/// A basis that was tried for a CV.
struct StaticCandidate {
  std::string cv, basis;
  std::int64_t parameters = 0;
  double lambda = 0;
  std::optional<double> score, difference, difference_error;
  std::string reason;
  static constexpr auto fields() {
    using S = StaticCandidate;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("basis", &S::basis, "linear, interactions or quadratic"),
        field("parameters", &S::parameters, "with the constant"),
        field("lambda", &S::lambda, "ridge, on N*var"),
        field("score", &S::score, "error of groups left out / train std").nullable(),
        field("difference", &S::difference,
              "of its mean square error from the best, in train variances")
            .nullable(),
        field("differenceError", &S::difference_error, "standard error of it").nullable(),
        field("reason", &S::reason, "chosen, or why not")};
  }
};

struct StaticTerm {
  std::string term;
  double value = 0, std_error = 0, p_value = 1;
  static constexpr auto fields() {
    using S = StaticTerm;
    return FieldList{field("term", &S::term, "product of inputs, each (u - mean)/std"),
                     field("value", &S::value, "model units of the CV"),
                     field("stdError", &S::std_error, "model units of the CV"),
                     field("pValue", &S::p_value, "that it is zero")};
  }
};

/// ∂cv/∂input.
struct StaticGain {
  std::string input;
  double centre = 0, std_error = 0, low = 0, high = 0;
  std::string sign;
  double p_value = 1;
  bool active = false;
  static constexpr auto fields() {
    using S = StaticGain;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("centre", &S::centre, "at the mean of the train points, model units"),
        field("stdError", &S::std_error, "of it"),
        field("low", &S::low, "least over the train points"),
        field("high", &S::high, "largest over the train points"),
        field("sign", &S::sign, "+ or - wherever it is beyond 2 standard errors; changes; unclear"),
        field("pValue", &S::p_value, "joint F test of all terms with this input"),
        field("active", &S::active, "significant at 1 %")};
  }
};

/// Points repeated at the same setting against the surface.
struct LackOfFit {
  std::int64_t settings = 0, replicates = 0;
  std::optional<double> f, p_value, pure_error;
  std::string note;
  static constexpr auto fields() {
    using S = LackOfFit;
    return FieldList{
        field("settings", &S::settings, "distinct settings of the inputs"),
        field("replicates", &S::replicates, "points beyond the first at a setting"),
        field("f", &S::f, "lack of fit over pure error").nullable(),
        field("pValue", &S::p_value, "below 0.05: the surface misses something").nullable(),
        field("pureError", &S::pure_error, "standard deviation at one setting, model units")
            .nullable(),
        field("note", &S::note, "what it says, or why there is none")};
  }
};

/// A train point that the surface hangs on.
struct LeveragePoint {
  std::string run;
  std::int64_t first_step = 0;
  double leverage = 0;
  static constexpr auto fields() {
    using S = LeveragePoint;
    return FieldList{field("run", &S::run, "run"),
                     field("firstStep", &S::first_step, "row of the run"),
                     field("leverage", &S::leverage, "0..1; 1: this point alone sets a term")};
  }
};

/// Curvature of a surface.
struct Curvature {
  std::vector<double> eigenvalues;
  std::string kind = "none";
  std::vector<double> stationary;
  bool inside = false;
  std::optional<double> value;
  static constexpr auto fields() {
    using S = Curvature;
    return FieldList{
        field("eigenvalues", &S::eigenvalues,
              "of the Hessian over the inputs that are in a product, normalised inputs"),
        field("kind", &S::kind, "maximum, minimum, saddle, ridge or none (no products)"),
        field("stationary", &S::stationary, "where the gradient is zero, model units per input"),
        field("inside", &S::inside, "of the region where the model holds"),
        field("value", &S::value, "of the CV there").nullable()};
  }
};

struct StaticCv {
  std::string cv, basis;
  std::int64_t parameters = 0, points = 0, groups = 0;
  bool by_run = false;
  double lambda = 0, residual_std = 0, explained = 0, h_max = 0, leverage_sum = 0;
  std::optional<double> score, noise_floor;
  std::vector<StaticTerm> terms;
  std::vector<StaticGain> gains;
  LackOfFit lack_of_fit;
  Curvature curvature;
  std::vector<LeveragePoint> high_leverage;
  static constexpr auto fields() {
    using S = StaticCv;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("basis", &S::basis, "linear, interactions or quadratic"),
        field("parameters", &S::parameters, "with the constant"),
        field("points", &S::points, "train points"),
        field("groups", &S::groups, "left out one after another"),
        field("byRun", &S::by_run, "a group is a run; else points that follow each other"),
        field("lambda", &S::lambda, "ridge, on N*var"),
        field("residualStd", &S::residual_std, "model units, N - sum of leverages"),
        field("explained", &S::explained, "R2 on train"),
        field("hMax", &S::h_max, "largest leverage: where the model ends"),
        field("leverageSum", &S::leverage_sum, "parameters without ridge"),
        field("score", &S::score, "error of groups left out / train std").nullable(),
        field("noiseFloor", &S::noise_floor,
              "deviation of repeats at one setting / train std; null: no repeats")
            .nullable(),
        field("terms", &S::terms, "coefficients"),
        field("gains", &S::gains, "per input"),
        field("lackOfFit", &S::lack_of_fit, "repeats against the surface"),
        field("curvature", &S::curvature, "Hessian"),
        field("highLeverage", &S::high_leverage, "train points above 3 p / N")};
  }
};

struct StaticFindings {
  dataset::SteadyRule rule;
  std::int64_t train_points = 0, val_points = 0, test_points = 0;
  std::vector<dataset::SteadyRefusal> refused;
  std::vector<StaticInput> inputs;
  std::vector<StaticCandidate> candidates;
  std::vector<StaticCv> cvs;
  std::vector<Message> warnings;
};

/// Everything but the warnings, as it stands in report.json under `identification`.
Json to_json(const StaticFindings& findings);

}  // namespace flyball::identify
