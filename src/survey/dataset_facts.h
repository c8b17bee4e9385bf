#pragma once
// What the train part of a dataset tells about modelling.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/spec.h"
#include "identify/findings.h"

namespace flyball::survey {

struct VariableFacts {
  std::string variable;
  dataset::Role role = dataset::Role::mv;
  std::int64_t count = 0;
  double mean = 0, std = 0, min = 0, max = 0;  ///< model units
  std::optional<std::int64_t> hold_steps;
  std::optional<identify::Excitation> excitation;  ///< of inputs
  static constexpr auto fields() {
    using V = VariableFacts;
    return FieldList{
        field("variable", &V::variable, "name"),
        field("role", &V::role, "role"),
        field("count", &V::count, "train steps with a value"),
        field("mean", &V::mean, "model units"),
        field("std", &V::std, "sample standard deviation (n-1)"),
        field("min", &V::min, "least"),
        field("max", &V::max, "largest"),
        field("holdSteps", &V::hold_steps, "changes only every k-th step").unit("steps"),
        field("excitation", &V::excitation, "of an input: did it move enough?")};
  }
};

struct StrongPair {
  std::string first, second;
  double r = 0;
  static constexpr auto fields() {
    using S = StrongPair;
    return FieldList{field("first", &S::first, "variable"),
                      field("second", &S::second, "variable"),
                      field("r", &S::r, "Pearson's correlation at the same step")};
  }
};

struct Correlations {
  std::vector<std::string> variables;
  std::vector<std::vector<double>> matrix;  ///< Pearson's r; null where one is constant or absent
  std::vector<StrongPair> strong;           ///< |r| > 0.95, the strongest first
  static constexpr auto fields() {
    using C = Correlations;
    return FieldList{field("variables", &C::variables, "rows and columns of the matrix"),
                      field("matrix", &C::matrix, "Pearson's r; null without variation"),
                      field("strong", &C::strong, "|r| above 0.95, the strongest first")};
  }
};

struct Weight {
  std::string variable;
  double weight = 0, inflation = 0;
  static constexpr auto fields() {
    using W = Weight;
    return FieldList{
        field("variable", &W::variable, "input"),
        field("weight", &W::weight, "in the combination that hardly moves, in standard deviations"),
        field("inflation", &W::inflation, "variance inflation factor 1/(1-R2); -1: infinite")};
  }
};

/// Of the correlation matrix R of the inputs that move.
struct Collinearity {
  std::optional<double> condition;  ///< √(λmax/λmin); null: infinite
  std::optional<double> least_share;  ///< λmin/Σλ·n: variance of the combination that hardly moves
  std::vector<Weight> weights;
  static constexpr auto fields() {
    using C = Collinearity;
    return FieldList{
        field("condition", &C::condition, "condition index; above 30 is collinear").nullable(),
        field("leastShare", &C::least_share, "variance of the combination that hardly moves")
            .nullable(),
        field("weights", &C::weights, "of that combination")};
  }
};

/// Correlation of the changes Δinput(t − lag) with Δcv(t).
struct PairFacts {
  identify::DeadTime dead_time;
  std::int64_t rows = 0;
  std::int64_t lag = 0;  ///< 1..: of the largest |r|
  double lag_r = 0;
  double same_step_r = 0;  ///< lag 0
  std::int64_t lead = 0;   ///< 1..: the CV leads the input
  double lead_r = 0;
  double bound = 0;  ///< |r| that chance exceeds in 1 % of such searches
  static constexpr auto fields() {
    using P = PairFacts;
    return FieldList{
        field("deadTime", &P::dead_time, "first lag at which the CV answers, with its range"),
        field("rows", &P::rows, "changes compared").unit("steps"),
        field("lag", &P::lag, "of the strongest correlation of changes, input first").unit("steps"),
        field("lagR", &P::lag_r, "that correlation"),
        field("sameStepR", &P::same_step_r, "correlation of changes in the same step"),
        field("lead", &P::lead, "of the strongest one with the CV first").unit("steps"),
        field("leadR", &P::lead_r, "that correlation"),
        field("bound", &P::bound, "what chance exceeds in 1 % of such searches")};
  }
};

struct CvFacts {
  std::string cv;
  std::optional<std::int64_t> rise_steps;  ///< to 63 % of the answer to its main input
  std::string main_input;
  std::optional<double> restoring_t;  ///< t of the CV's level in its own change; near 0: a level
  bool may_integrate = false;
  static constexpr auto fields() {
    using C = CvFacts;
    return FieldList{
        field("cv", &C::cv, "controlled variable"),
        field("riseSteps", &C::rise_steps, "to 63 % of the answer to its main input").unit("steps"),
        field("mainInput", &C::main_input, "largest |gain| times train range"),
        field("restoringT", &C::restoring_t, "t of the level in the CV's own change"),
        field("mayIntegrate", &C::may_integrate, "nothing brings it back to a level")};
  }
};

struct RunFacts {
  std::string run_id;
  std::int64_t steps = 0;
  double usable_share = 0;  ///< steps with every variable
  bool train = false;
  std::vector<double> means;     ///< of train runs, per variable, model units
  std::vector<double> distance;  ///< from the median run, in robust spreads of the run means
  std::string reason;            ///< why the run was dropped
  static constexpr auto fields() {
    using R = RunFacts;
    return FieldList{
        field("runId", &R::run_id, "run"),
        field("steps", &R::steps, "on the grid").unit("steps"),
        field("usableShare", &R::usable_share, "steps with a value of every variable"),
        field("train", &R::train, "some of it is in the train part"),
        field("means", &R::means, "of its train part, per variable"),
        field("distance", &R::distance, "from the median run, in robust spreads over the runs"),
        field("reason", &R::reason, "why it was dropped")};
  }
};

}  // namespace flyball::survey
