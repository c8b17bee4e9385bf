#pragma once
// The final fit of each CV and what is said about it.
#include <optional>
#include <vector>

#include "identify/findings.h"
#include "identify/order_search.h"

namespace flyball::identify {

/// Another fit of the same inputs with the standard error of each gain, all told (below half of
/// it).
struct ToldGains {
  Arx arx;
  std::vector<double> errors;
};

/// Fit of the chosen structure on every row it can use, with its uncertainty (normalised units).
struct FinalFit {
  Arx arx;
  Matrix covariance;  ///< of theta: s² H C H, H = (C + λ diag C)⁻¹
  Matrix draws;       ///< parameters over blocks of rows drawn again; empty: not such a fit
  Vector residual;    ///< table rows, NaN where there is none
  /// Another fit of the same inputs, whose difference widens the ranges: the largest structure, or
  /// that of the simulation where the noise biases this one.
  std::optional<Arx> largest;
  /// A likely fit that tells the gains: bounds what the covariance says where that is the size of
  /// a root that A, B and C nearly share.
  std::optional<ToldGains> told;
  double condition = 0;
  Index rank = 0, rows = 0;
};

/// The shorter lag of the chosen structure gives a few rows more than the search had; when that fit
/// is not stable, the search's own is kept.
FinalFit final_fit(const Regression& r, const SearchResult& search);

/// B(1)/A(1) of the `at`-th input: the gain, or the rate per step of an integrating CV.
double steady(const Arx& arx, Index at);
/// The same by another fit of the CV, as far as the record can tell it: its answer three settling
/// times of `fit` after the last of its own direct terms. A pole near 1, by which a large structure
/// follows a slow disturbance, would make of a small rest any gain.
double steady_by(const Arx& other, const Arx& fit, Index at);
/// Its derivative by θ: ∂/∂b = 1/A(1), ∂/∂a = B(1)/A(1)².
Vector steady_slope(const Arx& arx, Index at);

/// Standard error of the gain (rate) by the covariance of the fit. A gain that another fit tells
/// with error s is no farther from the truth than the two are apart and s: where the covariance is
/// above three times √(apart² + s²), that is the error.
double covariance_error(const FinalFit& fit, Index at);

/// Largest modulus of the roots of A(q).
double radius_of(const Arx& arx);

/// Names, values and standard errors of the parameters of a fit, in model units.
void describe_parameters(const TrainingData& data, Index cv, const FinalFit& fit, CvFinding& f);

CvFinding describe(const TrainingData& data, Index cv, const SearchResult& search,
                   const FinalFit& fit, Index folds);

/// Mean product of the residuals over the rows that all CVs have; without any, each CV by itself.
Matrix innovation_covariance(const std::vector<FinalFit>& fits);

/// Answers in model units with standard errors, for the pairs in the model.
std::vector<StepResponse> describe_steps(const TrainingData& data,
                                         const std::vector<FinalFit>& fits, Index horizon);

}  // namespace flyball::identify
