#pragma once
// polynomial_narx@1: from the train part of a dataset to a polynomial NARX of every CV, and the
// choice between it and a linear model. Reads train blocks only; the same bytes every time.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "identify/identify_auto.h"
#include "model/polynomial_narx.h"

namespace flyball::identify {

inline constexpr std::string_view kNarxVersion = "polynomial_narx@1 1.0.0";

/// ŷ stays inside the train range widened by this share of it on both sides.
inline constexpr double kNarxBoundShare = 0.5;

/// One term of one CV.
struct NarxTermFinding {
  std::string cv, term;
  double coefficient = 0, std_error = 0, err = 0;
  static constexpr auto fields() {
    using S = NarxTermFinding;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("term", &S::term, "product of lagged variables; 1: the constant"),
        field("coefficient", &S::coefficient,
              "of deviations from the train mean over the train std"),
        field("stdError", &S::std_error, "holds for autocorrelated residuals"),
        field("err", &S::err,
              "share of the CV's variance that the simulation gained when it came in")};
  }
};

struct NarxResult {
  model::PolynomialNarx model;
  Index history = 0;  ///< H
  Index horizon = 0;  ///< F
  Findings findings;  ///< of the data; dead times, answers and CVs are those of this model
  std::vector<NarxTermFinding> terms;
  std::vector<LeaderboardRow> leaderboard;     ///< CV by CV, best of each path
  std::vector<std::vector<FoldErrors>> folds;  ///< of the chosen, per CV; F-step errors
};

/// Inputs are kept with a CV when its terms that hold them are jointly significant at 1 % (Wald).
/// Errors of identify_arx; DATA_TOO_SHORT when there are not two folds, MODEL_UNSTABLE when every
/// candidate is held by its bounds or explains nothing.
NarxResult identify_narx(const dataset::Dataset& data, const ArxOptions& options = {},
                         const ProgressFn& progress = {}, std::stop_token stop = {});

/// The same with what identify_arx or identify_auto found on the same dataset.
NarxResult identify_narx(const dataset::Dataset& data, const IdentifyResult& linear,
                         const ProgressFn& progress = {}, std::stop_token stop = {});

/// What auto@1 does about the nonlinear family.
struct NarxTrial {
  std::optional<NarxResult> better;  ///< set when it takes the place of the linear model
  std::vector<LeaderboardRow> rows;  ///< to be added to the leaderboard, tried or not
};

/// Tried unless a CV integrates, an MV is computed from the CVs, the rows are too few or too many,
/// or the linear model predicts F steps within 10 % of the noise floor. It wins when the pooled
/// loss, all CVs together, is lower by more than its standard error and the error by 5 %.
/// `folds`: of the linear model chosen for each CV.
NarxTrial try_narx(const dataset::Dataset& data, const IdentifyResult& linear,
                   const std::vector<std::vector<FoldErrors>>& folds,
                   const ProgressFn& progress = {}, std::stop_token stop = {});

/// One table, CV by CV, least loss first.
std::vector<LeaderboardRow> joined(const std::vector<LeaderboardRow>& linear,
                                   const std::vector<LeaderboardRow>& narx);

}  // namespace flyball::identify
