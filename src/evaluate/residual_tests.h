#pragma once
// Are one-step residuals white, and do they still know something of the inputs?
//
//   r_e(τ)   = Σ e(t) e(t+τ) / Σ e²
//   r_eu(τ)  = Σ e(t) u(t−τ) / √(Σe² Σu²)     τ ≥ 0: dynamics that the model misses;
//                                             τ < 0: feedback from the CV to the input
// Means are removed; pairs never cross a block or a row without a window. 99 % bounds:
// 2.576/√N for r_e, 2.576·√(Σ_k r_e(k) r_u(k) / N) for r_eu (Ljung, System Identification, §16.6).
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "evaluate/scores.h"

namespace flyball::evaluate {

struct CrossCorrelation {
  std::string input;
  double bound = 0;
  std::vector<double> positive;  ///< τ = 0..L
  std::vector<double> negative;  ///< τ = −1..−L
  bool misses_dynamics = false;  ///< |r| > bound at some τ ≥ 0
  bool feedback = false;         ///< |r| > bound at some τ < 0
  static constexpr auto fields() {
    using C = CrossCorrelation;
    return FieldList{
        field("input", &C::input, "MV or DV"),
        field("bound", &C::bound, "99 % bound of a single lag"),
        field("positive", &C::positive, "residual against the input 0..L steps earlier"),
        field("negative", &C::negative, "residual against the input 1..L steps later"),
        field("missesDynamics", &C::misses_dynamics, "a lag >= 0 is beyond the bound"),
        field("feedback", &C::feedback, "a lag < 0 is beyond the bound")};
  }
};

struct ResidualTest {
  std::string cv;
  std::int64_t count = 0;
  std::vector<double> autocorrelation;  ///< τ = 1..L
  double bound = 0;
  std::optional<double> portmanteau;  ///< Ljung-Box Q = N(N+2) Σ r²(τ)/(N−τ)
  std::optional<double> p_value;      ///< of Q under χ² with L degrees of freedom
  bool white = false;                 ///< p ≥ 0.01
  std::vector<CrossCorrelation> inputs;
  static constexpr auto fields() {
    using R = ResidualTest;
    return FieldList{
        field("cv", &R::cv, "controlled variable"),
        field("count", &R::count, "residuals"),
        field("autocorrelation", &R::autocorrelation, "at lags 1..L"),
        field("bound", &R::bound, "99 % bound of a single lag"),
        field("portmanteau", &R::portmanteau, "Ljung-Box Q").nullable(),
        field("pValue", &R::p_value, "chance of a larger Q if the residuals were white").nullable(),
        field("white", &R::white, "pValue >= 0.01"),
        field("inputs", &R::inputs, "cross-correlation with each input")};
  }
};

/// One entry per CV; lags L = min(25, N/4). Empty lists when there are fewer than 8 residuals.
std::vector<ResidualTest> residual_tests(const dataset::Dataset& data,
                                         const std::vector<BlockResiduals>& residuals);

}  // namespace flyball::evaluate
