#pragma once
// Operating points of a dataset: what one row of a static model is (platform.md §2.5).
//
// A hold is a stretch of one block in which no MV moves by more than `move` from step to step. In a
// hold, a window of `minSteps` rows is calm when every variable has |slope|·span ≤ drift and a
// standard deviation about its line ≤ spread; calm windows that touch are one piece. A piece counts
// when it is calm as a whole (its first rows are dropped until it is), begins at least
// `settleSteps` after the hold began, and lasts at least a third of the transient before it, so
// that neither a CV still at its old level during the dead time nor a slow drift passes for steady.
// One operating point is the mean of each variable over such a segment.
//
// Tolerances come from the train part alone and hold for val and test: with n rows, noise s (median
// standard deviation about a line) and its inflation by autocorrelation c = √((1+ρ)/(1−ρ)),
//   drift = max(tolerance·r, 3·s·c·√(12/n)),  spread = max(tolerance·r/2, 3·s),
// r the range between the 5 % and 95 % quantiles. All of it is invariant to units.
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset.h"

namespace flyball::dataset {

/// What one operating point is the mean of: a steady segment, a run (a batch), one row, or what a
/// person marked: steady stretches, or batches where there are none.
enum class Points { segments, runs, rows, marked };
constexpr auto enum_names(Points) {
  return std::array<std::string_view, 4>{"segments", "runs", "rows", "marked"};
}

/// Marked where people marked steady stretches, else segments.
Points usual_points(const Spec& spec);

struct SteadyOptions {
  std::optional<Points> points = {};               ///< default: usual_points()
  std::optional<std::int64_t> min_steps = {};  ///< default: a fifth of the median hold, 5..60
  double tolerance = 0.02;                     ///< of the range
};

/// Per variable, model units.
struct SteadyTolerance {
  std::string id;
  Role role = Role::mv;
  double move = 0;  ///< of an MV from step to step
  double drift = 0, spread = 0, noise = 0, inflation = 1;
  static constexpr auto fields() {
    using S = SteadyTolerance;
    return FieldList{
        field("id", &S::id, "variable"),
        field("role", &S::role, "mv, dv or cv"),
        field("move", &S::move, "an MV that changes by more from step to step moves"),
        field("drift", &S::drift, "least tolerated change over a segment"),
        field("spread", &S::spread, "tolerated standard deviation within a segment"),
        field("noise", &S::noise, "median standard deviation about a line, train"),
        field("inflation", &S::inflation, "of the noise of a slope by autocorrelation")};
  }
};

struct SteadyRule {
  Points points = Points::segments;
  std::int64_t min_steps = 5, settle_steps = 0;
  std::vector<SteadyTolerance> tolerances;  ///< in the order of spec.variables; empty: not used
  static constexpr auto fields() {
    using S = SteadyRule;
    return FieldList{
        field("points", &S::points, "what one operating point is the mean of"),
        field("minSteps", &S::min_steps, "shortest segment").unit("steps"),
        field("settleSteps", &S::settle_steps, "left out after a move of an MV").unit("steps"),
        field("tolerances", &S::tolerances, "per variable")};
  }
};

struct OperatingPoint {
  std::string run_id;
  Part part = Part::train;
  std::int64_t first_step = 0, steps = 0;  ///< rows of the run's series
  std::int64_t used = 0;  ///< rows in which every input has a value and some CV is observed
  Vector mean;            ///< per variable of the spec, model units
};

/// Holds (or runs, rows) of a part that gave no operating point.
struct SteadyRefusal {
  Part part = Part::train;
  std::string reason;  ///< moves, short, drifts, varies, missing, shared
  std::string variable;
  std::int64_t holds = 0, rows = 0;
  static constexpr auto fields() {
    using S = SteadyRefusal;
    return FieldList{
        field("part", &S::part, "train, val or test"),
        field("reason", &S::reason,
              "moves: an MV moved again too soon; short: too few rows; drifts, varies: a variable "
              "did; missing: values are; shared: the setting stands in the part before too"),
        field("variable", &S::variable, "the one to blame; empty: none"),
        field("holds", &S::holds, "stretches without a move"),
        field("rows", &S::rows, "in them").unit("steps")};
  }
};

struct OperatingPoints {
  SteadyRule rule;
  std::vector<OperatingPoint> points;  ///< in the order of the blocks, then time
  std::vector<SteadyRefusal> refused;
  [[nodiscard]] std::vector<const OperatingPoint*> part(Part p) const;
};

/// The tolerances, from the train part. Cost O(rows · variables).
SteadyRule steady_rule(const Dataset& data, const SteadyOptions& options = {});

/// Operating points of every part by one rule; none spans two blocks. Cost O(rows · variables).
OperatingPoints operating_points(const Dataset& data, const SteadyRule& rule);

}  // namespace flyball::dataset
