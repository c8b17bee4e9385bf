#pragma once
// What the plant did after advice was applied, from its stored series.
//
//   baseline window: as long as the settle window, up to the moment of application
//   δ_j = mean after − mean before, with ±1.96·√(s_b²·f_b/n_b + s_a²·f_a/n_a),
//   f = (1+ρ)/(1−ρ), ρ the lag-1 autocorrelation (0 ≤ ρ ≤ 0.99): neighbouring values are not
//   independent.
//   loss of a CV, in train deviations σ: track |m − ref|, min m, max −m, band the distance outside
//   its limits; ΔL = Σ w_j (L_j(after) − L_j(before)) / Σ w_j, half width h = Σ w_j h_j / Σ w_j
//   (the losses of several CVs may move together).
//   improved ΔL < −h, worse ΔL > h; else neutral when the interval excludes what was promised,
//   inconclusive when it does not.
#include <span>

#include "advise/records.h"
#include "optimise/problem.h"

namespace flyball::advise {

/// One CV in model units: grid values, NaN = missing.
struct OutcomeSeries {
  std::vector<double> before, after;
  double predicted_before = 0, predicted_after = 0;  ///< of the advice over the same windows
};

/// Means of one tag before and after.
ObservedChange observed_change(const std::string& var_id, std::span<const double> before,
                               std::span<const double> after);

/// Distance of a mean from what the profile wants of the CV, in train deviations.
double loss(const optimise::CvTerm& cv, double mean);

/// Fills observed, lossChange, halfWidth, predictedLossChange, verdict, reasons. `series` in the
/// order of problem.cv. `mv_reasons`: why the MVs were not where the advice had them: inconclusive.
void judge(AdviceOutcome& outcome, const optimise::ProblemIr& problem,
           const std::vector<OutcomeSeries>& series, const std::vector<Message>& mv_reasons);

}  // namespace flyball::advise
