#pragma once
// Does an MV answer the CVs? Evidence, with a probability, that a loop was closed.
//
// Under the hypothesis "open loop" the disturbances of the CVs do not reach the MVs. With
//   e_y(t): what y(t) keeps given past y and inputs up to t   (ARX of every CV, order by AIC),
//   e_u(t): what u(t) keeps given past inputs                 (order by AIC),
//   z_k = Σ e_u(t) e_y(t−k), k = 1..q,
// z then has mean 0 and, whatever the autocorrelation of u, the covariance N R_u(k−k') Σ_ee, since
// e_y is white and independent of u. T = zᵀ S⁻¹ z over q·ny is F(q·ny, N − parameters): a Granger
// test that coloured disturbances and stepped inputs do not set off. q = 1, 3 and 10 are tried and
// the smallest p is multiplied by the
// number of tests.
//
//   probability = Σ w B_q / (1 + Σ w B_q),  ln B_q = (T_q − q·ny·ln N)/2,  w = 1/(number of tests)
// the posterior of "closed loop" at prior odds of 1:1, with the Bayes factors of Schwarz (unit
// information prior). q ≥ 1 leaves the same step out: u(t) that goes with y(t) can be a direct
// answer of the plant as well. Where only the same step shows (p below 1e-4) and nothing later
// does, the probability is not below 1/2. There a direct answer would be the same in large moves of
// u and in small ones; a controller's is not when u moves by itself in jumps. So the slope of e_y
// on e_u in the large moves is compared with that in the others: a fourth test, and Bayes factor,
// of one coefficient (z² against ln N). An MV that rests, to the last digit, in four of five of the
// steps in which a CV moves is no controller of the same step: there they answer it.
//
// In a loop: p below 1 % and a probability above 1/2, or computed from the CVs. Of open loops at
// most 1 % are called a loop, whatever the disturbance; what the linear ARX leaves of a nonlinear
// plant raises p, which is why both are asked for.
//
// Sources: Granger 1969; Haugh 1976 (residual cross-correlation); Kass and Raftery 1995.
#include <vector>

#include "identify/findings.h"
#include "identify/training_data.h"

namespace flyball::identify {

/// Of the test; a probability of 1 − this of an open loop being called closed.
inline constexpr double kFeedbackLevel = 0.01;

/// One entry per MV. variance_kept: residual variance given past inputs (10 lags) and y(t..t−6)
/// over that given past inputs alone; below 1 % the MV is computed from the CVs, unless it rests in
/// four of five of the steps in which a CV moves: then they answer it at once. The rest as above;
/// rows whose CVs were filled in do not count. Cost rows·(columns·10)² and one factorisation per
/// CV and order.
std::vector<Feedback> feedback_of(const TrainingData& data, const std::vector<bool>& used);

}  // namespace flyball::identify
