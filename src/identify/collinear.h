#pragma once
// MVs that moved together with other inputs, at whatever lag, and whether their gains can be told
// apart all the same. Dead times are not used: where they are chosen freely, two copies of one
// signal look like two answers.
#include <vector>

#include "identify/dead_time_search.h"
#include "identify/findings.h"
#include "identify/training_data.h"

namespace flyball::identify {

/// MVs of whose variance the other inputs explain 95 % or more. Two-sided regression of u(t) on the
/// others at t − 20 … t + 20 (fewer lags where they would be more than 300 columns or a tenth of
/// the rows), its R² adjusted for their number. Weights are sums over the lags.
std::vector<Collinear> collinear_of(const TrainingData& data, const std::vector<bool>& used);

/// Sets `unseparable`. In an ARX with all lags of the range of every input, S = Σ b of the MV
/// stands for its gain (A(1) > 0). On a CV that answers the MV and those it follows (joint F at 1
/// %) it cannot be told apart when the 95 % half-width of S is above half of |S| and above a
/// quarter of what S is without the others in the model: the effect that they have together.
void judge_separable(const TrainingData& data, const DeadTimeSearch& search,
                     const std::vector<bool>& used, std::vector<Collinear>& collinear);

/// The record is long enough to say that the MV does next to nothing beside those it follows: on no
/// CV does the 95 % range of its S reach a quarter of what S is without them.
bool has_no_effect(const TrainingData& data, const DeadTimeSearch& search,
                   const std::vector<bool>& used, const Collinear& collinear);

/// With the dead times found, the gain of an MV that follows others lies outside the range that all
/// lags of every input give it (2.58 standard errors and a quarter): one dead time was taken from
/// the other's answer, and what is left of the two is no one's gain.
bool contradicts_all_lags(const TrainingData& data, const DeadTimeSearch& search,
                          const std::vector<bool>& used, const Collinear& collinear,
                          const DeadTimeSearch::Pairs& pairs);

/// Without the MV the one-step error of a CV grows by more than a tenth: it is left in the model,
/// though its gain is not known.
bool is_needed(const TrainingData& data, const DeadTimeSearch& search,
               const std::vector<bool>& used, const Collinear& collinear);

}  // namespace flyball::identify
