#pragma once
// Models of one CV by several trainers, each scored on the same folds inside train.
#include <stop_token>
#include <string>
#include <vector>

#include "identify/describe.h"
#include "identify/output_error.h"
#include "identify/refine_score.h"
#include "identify/subspace.h"

namespace flyball::identify {

/// What the trainers of one CV share. Inputs and first lags come from the dead-time search; folds,
/// H and F are those of the ARX order search, so that scores compare.
struct CvContext {
  const TrainingData* data = nullptr;
  Index cv = 0;
  std::vector<Regression> forms;  ///< direct, then differenced
  std::vector<Structure::Input> inputs;
  std::vector<std::vector<Interval>> folds;
  Index fold_lag = 0;  ///< lags before the first target of a stretch in the folds
  Index history = 1, horizon = 10;
  Index max_order = 8;
  /// Of the innovations, normalised: it judges the start in a fold. The noise floor where the
  /// levels of runs differ.
  double variance = 1;
  unsigned threads = 0;  ///< 0: as many as the machine has; changes no result
};

/// One structure, fitted on every row and scored on the folds.
struct Trial {
  std::string trainer;
  Index order = 0;       ///< states
  Index parameters = 0;  ///< without the constant and the autoregression of the residual
  bool differenced = false;
  double singular_value = 0;  ///< of the subspace at this order over the first; 0: no subspace
  FinalFit fit;               ///< on every row; its residual are the innovations
  Noise noise;
  std::vector<FoldErrors> folds;
  double score = 0, one_step = 0, free_run = 0;  ///< over train std; NaN without folds
  double loss = 0;                               ///< see combined_loss; ranks the trials of a CV
  std::string reason;
};

/// The ARX that the order search chose, scored by the code of the others.
Trial try_arx(const CvContext& context, const CvFinding& chosen);

/// Which trainers may be chosen.
struct Families {
  bool arx = true, subspace = true, prediction_error = true, output_error = true;
};

/// Subspace models of order 1 … max_order, and models refined by prediction error and, where the CV
/// does not integrate, by output error, of rising orders until three have not lowered the score;
/// subspace and prediction error also in differences. A refinement starts from the best of the
/// subspace model, the ARX of the same structure and the optimum of the order before, each of the
/// same rows: a fold's model has seen nothing of the fold.
std::vector<Trial> try_subspace_and_refined(const CvContext& context, const Families& families,
                                            const std::stop_token& stop);

/// Puts a loss and a reason on every trial and returns the one chosen; without folds the first. A
/// trial that cannot be fitted has its reason already. Of those that are left:
/// 1. An output-error model whose residual is coloured takes part only when its loss is below the
///    least of the others by more than the standard error of that difference: the fit of a
///    simulation takes what moves slowly beside the inputs for their answer wherever that helps in
///    train; the others have a model of it while they are fitted.
/// 2. The least loss, or the fewest parameters, those of the noise model counted, of the trials
///    within 3 % of it whose difference to it is within its own standard error.
std::size_t choose_trial(std::vector<Trial>& trials, const Judged& judged);

/// One model of all CVs from a trial of each, in model units.
model::LinearStateSpace realise_trials(const std::vector<const Trial*>& trials,
                                       const TrainingData& data);

}  // namespace flyball::identify
