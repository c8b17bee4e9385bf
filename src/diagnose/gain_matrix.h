#pragma once
// Can the MVs move the CVs apart? The steady-state gain matrix, its relative gains and its
// singular values, with what the uncertainty of the gains does to them.
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"
#include "identify/findings.h"

namespace flyball::diagnose {

/// A combination of moves that the CVs hardly answer.
struct WeakDirection {
  double singular_value = 0, std_error = 0;
  bool certain = false;
  std::string moves, answer;
  static constexpr auto fields() {
    using S = WeakDirection;
    return FieldList{
        field("singularValue", &S::singular_value, "of the scaled gain matrix"),
        field("stdError", &S::std_error, "to first order in the gains"),
        field("certain", &S::certain, "more than two standard errors above 0"),
        field("moves", &S::moves, "the MVs together, in standard deviations of train"),
        field("answer", &S::answer, "the CVs that it moves, in standard deviations of train")};
  }
};

/// Rows are CVs, columns MVs. `gains` in model units (of an integrating CV: change per step), 0
/// where there is no path. Scaled: times std of the MV over std of the CV, both over train.
/// Relative gains Λ = K ∘ (K⁺)ᵀ do not depend on the scale. Ranges hold 95 % of 400 draws from the
/// covariance of the gains (CVs independent, seed fixed). (Bristol 1966; Skogestad and
/// Postlethwaite 2005, 3.4.)
struct GainMatrix {
  std::vector<std::string> mvs, cvs;
  std::vector<std::vector<double>> gains, scaled, relative, relative_low, relative_high;
  std::vector<double> singular_values, singular_low, singular_high;
  std::optional<double> condition, condition_low, condition_high;
  std::vector<WeakDirection> weak;
  static constexpr auto fields() {
    using S = GainMatrix;
    return FieldList{
        field("mvs", &S::mvs, "columns"),
        field("cvs", &S::cvs, "rows"),
        field("gains", &S::gains, "model units; per step for a CV that integrates"),
        field("scaled", &S::scaled, "times std of the MV over std of the CV"),
        field("relative", &S::relative, "relative gain array"),
        field("relativeLow", &S::relative_low, "95 % range"),
        field("relativeHigh", &S::relative_high, "95 % range"),
        field("singularValues", &S::singular_values, "of the scaled matrix, descending"),
        field("singularLow", &S::singular_low, "95 % range"),
        field("singularHigh", &S::singular_high, "95 % range"),
        field("condition", &S::condition, "largest over least singular value; null: singular")
            .nullable(),
        field("conditionLow", &S::condition_low, "95 % range").nullable(),
        field("conditionHigh", &S::condition_high, "95 % range; null: singular").nullable(),
        field("weak", &S::weak,
              "combinations whose singular value is below 1/50 of the largest, or below 1/10 and "
              "not certain")};
  }
};

/// Empty below two MVs or two CVs with a path. Cost 400·(ny + nu)³.
std::optional<GainMatrix> gain_matrix_of(const dataset::Dataset& data,
                                         const identify::Findings& findings);

/// U, σ (descending) and V of the least dimension of k (rows × columns), by the eigenvalues of
/// [0 K; Kᵀ 0]: small singular values keep their digits.
struct Singular {
  Matrix u, v;
  Vector values;
};
Singular singular_values_of(const Matrix& k);

/// K ∘ (K⁺)ᵀ.
Matrix relative_gains(const Matrix& k);

}  // namespace flyball::diagnose
