#pragma once
// What a loop leaves to be known of a gain.
#include <optional>
#include <vector>

#include "identify/dead_time.h"
#include "identify/describe.h"
#include "identify/findings.h"
#include "identify/instrumental.h"

namespace flyball::identify {

/// Σ of the coefficients of one input in an ARX with all lags of the range: the gain's sign, since
/// A(1) > 0 for a stable plant. The equation error of so many lags is white, which makes least
/// squares consistent in a loop as long as no direct answer stands among the lags.
struct LagSum {
  double sum = 0, std_error = 0;
  double gain = 0, gain_std_error = 0;    ///< sum/A(1) by the delta method; NaN where A(1) ≤ 0
  [[nodiscard]] bool sign_known() const;  ///< the 95 % interval of the sum leaves 0 out
};
LagSum lag_sum(const Normal& normal, Index y_signal, const DeadTimeOptions& options, Index input);

/// Per CV: what judge_loop_gains is given and what it may give back.
struct LoopCv {
  const Regression* regression = nullptr;  ///< direct form
  const FinalFit* fit = nullptr;           ///< of the model chosen
  DeadTimeOptions lags;
};
struct LoopJudgement {
  std::vector<LoopGain> gains;
  std::vector<std::optional<InstrumentalFit>> fits;  ///< per CV; present: to be used instead
};

/// For every pair of a CV's model whose MV is in a loop, or goes with the CV within a step so
/// closely (p below 1e-4, less than a tenth of its variance its own) that it may be: the gain of
/// the model, of the direct ARX with lags from 1 on, and, when the MVs in loops have set-points, of
/// the instrumental variables (orders 1..4 by the least N ln σ² + p ln N). The sign is known when
/// the instruments know it, or when the direct estimate does and the model has it too, by more than
/// the two differ where the model has a direct answer (lag 0). An MV that is computed from the CVs
/// has no direct estimate.
LoopJudgement judge_loop_gains(const TrainingData& data, const Findings& findings,
                               const std::vector<LoopCv>& cvs);

/// set_point_of of noise_free_inputs; empty when an input of the structure is an MV in a loop
/// without a set-point: nothing then stands for its moves.
std::optional<std::vector<Index>> set_points_of(const TrainingData& data, const Findings& findings,
                                                const std::vector<Structure::Input>& inputs);

/// The regression where û is known as well.
Regression where_known(const TrainingData& data, const Regression& r, const Matrix& noise_free);

/// Steady-state gain of the i-th input in model units, and its standard error.
struct GainEstimate {
  double gain = 0, std_error = 0;
};
GainEstimate gain_of(const TrainingData& data, Index cv, const Arx& arx, const Matrix& covariance,
                     Index i);

/// The two are further apart than chance explains (2.58 standard errors of their difference).
bool contradict(const GainEstimate& a, const GainEstimate& b);

/// The fit as the final fit of a CV.
FinalFit final_fit_of(const InstrumentalFit& fit);

/// An MV that is computed from the CVs makes every gain of the CVs it is an input of unknown: past
/// CVs and inputs are then linearly dependent. Takes these gains away.
void forget_gains(Findings& findings);

/// The ARX of 10 lags whose inputs in loops start at lag 1; empty when none of them has lag 0. As
/// the `largest` of a final fit it widens the bands by what a controller's answer at lag 0 may do.
std::optional<Arx> without_direct_answers(const Regression& r, const Arx& arx,
                                          const Findings& findings);

/// Judges the gains into `findings`, with their warnings, and puts the fits of the instruments in
/// the place of those that the loop biases. Noise per CV, for realise().
std::vector<Noise> take_instrumental(const TrainingData& data, const std::vector<LoopCv>& cvs,
                                     std::vector<FinalFit>& fits, Findings& findings);

/// After the step responses of the model: a gain that is not from the instruments is that of the
/// model as it stands, with all that widens its range, and its sign is known only when that range
/// leaves 0 out.
void judge_loop_signs(Findings& findings);

/// LOOP_SIGN_UNKNOWN with the moves that would tell, LOOP_GAIN_FROM_SET_POINT.
std::vector<Message> loop_warnings(const Findings& findings);

}  // namespace flyball::identify
