#pragma once
// Whether a plant is still what a model learnt, told from predictions of data stored since.
//
// Per CV: ratio = √(mean of the windows' squared errors / squared error on test), both in train
// deviations; ratioLow the same with the mean less 2 standard errors of it (windows do not
// overlap). The inputs: the share of windows whose first row lies more than kFar deviations from
// the train mean in some input; a Gaussian input does so in 0.27 % of them.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "evaluate/replay.h"

namespace flyball::evaluate {

inline constexpr double kFar = 3.0;                ///< deviations
inline constexpr std::int64_t kDriftWindows = 20;  ///< with fewer nothing is said
inline constexpr double kDriftShare = 0.2;         ///< of windows that are far
inline constexpr double kDriftError = 0.15;        ///< growth of the error

enum class DriftVerdict { steady, drift, cannotTell };
constexpr auto enum_names(DriftVerdict) {
  return std::array<std::string_view, 3>{"steady", "drift", "cannotTell"};
}

struct CvDrift {
  std::string cv;
  std::optional<double> test, now, ratio, ratio_low, level_shift;
  static constexpr auto fields() {
    using C = CvDrift;
    return FieldList{
        field("cv", &C::cv, "controlled variable"),
        field("test", &C::test, "error on test, in train deviations"),
        field("now", &C::now, "error on what was stored since"),
        field("ratio", &C::ratio, "now / test"),
        field("ratioLow", &C::ratio_low, "lower end of its interval, 2 standard errors"),
        field("levelShift", &C::level_shift, "mean of the CV from its train mean, in deviations")};
  }
};

struct Drift {
  DriftVerdict verdict = DriftVerdict::cannotTell;
  std::int64_t windows = 0, runs = 0;
  std::optional<double> far_share;
  std::vector<CvDrift> cvs;
  std::vector<std::string> reasons;  ///< of the verdict, in words
  static constexpr auto fields() {
    using D = Drift;
    return FieldList{
        field("verdict", &D::verdict, "steady, drift, or cannotTell: too few data"),
        field("windows", &D::windows, "predictions that could be compared"),
        field("runs", &D::runs, "runs they stand in"),
        field("farShare", &D::far_share, "of them, with inputs that train did not see"),
        field("cvs", &D::cvs, "per CV"),
        field("reasons", &D::reasons, "of the verdict, in words")};
  }
};

/// `test`: the error of each CV on test in train deviations, as the evaluator measured it over the
/// same horizon. drift: ratio > 1 + kDriftError with ratioLow > 1 for a CV, or farShare >
/// kDriftShare.
Drift judge_drift(const std::vector<std::string>& cvs,
                  const std::vector<std::optional<double>>& test,
                  const std::vector<ReplayedPrediction>& since);

}  // namespace flyball::evaluate
