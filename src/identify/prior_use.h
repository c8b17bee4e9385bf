#pragma once
// How priors enter a search: candidate lags, structures that hold, and a fit held to a gain.
#include <string>
#include <vector>

#include "identify/priors.h"
#include "identify/refine.h"

namespace flyball::identify {

/// First lags k that a plant dead time within the priors of a pair allows, floor(θ/beat) + 1; one
/// less is tried at the lower end.
struct LagRange {
  Index low = 0;
  std::optional<Index> high;
};
LagRange lags_allowed(const std::vector<Prior>& priors, const std::string& input,
                      const std::string& cv, double beat_ms);

bool zero_gain(const std::vector<Prior>& priors, const std::string& input, const std::string& cv);

/// Whether gains and time constants of one CV (normalised ARX) are as stated. The time constant is
/// that of the step response: 63 % of the gain, from the first answer on.
bool priors_hold(const std::vector<Prior>& priors, const TrainingData& data, Index cv,
                 const Arx& arx, double beat_ms);

/// Steps from the first answer to 63.2 % of the steady state, between samples by a line; NaN: none.
double time_constant_steps(const Vector& step_response, double gain, Index first_lag);

/// Holds the gains of a fit to their priors: the least-squares estimate under B(1) − g A(1) = 0 for
/// every bound that is active,  θ − Σ G (Gᵀ Σ G)⁻¹ (Gᵀ θ − d),  Σ the covariance of θ. Only bounds
/// that the gain's 95 % range reaches; the covariance stays that of the data. The residual is that
/// of the new ARX where `equation_error`. Returns what was imposed, with the estimates before; none
/// when the result is not stable.
std::vector<PriorCheck> impose_gains(const std::vector<Prior>& priors, const TrainingData& data,
                                     Index cv, const Regression& r, FinalFit& fit,
                                     bool equation_error);

/// choose_trial() among the trials that the priors allow when one of them is within 3 % of the best
/// score, or, when the data do not contradict the priors, at all; else among all. The chosen fit is
/// then held to its gains, which findings.priors says.
std::size_t choose_trial(const std::vector<Prior>& priors, const CvContext& context, double beat_ms,
                         std::vector<Trial>& trials, Findings& findings);

/// The priors against the findings of a model; statuses `imposed` and `removed` that stand in
/// findings.priors already are kept.
void judge_priors(const std::vector<Prior>& priors, double beat_ms, Findings& findings);

}  // namespace flyball::identify
