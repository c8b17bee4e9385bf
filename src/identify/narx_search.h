#pragma once
// Terms of a polynomial NARX of one CV: a path of growing models, its length chosen on folds.
#include <stop_token>
#include <string>
#include <vector>

#include "identify/narx_fit.h"

namespace flyball::identify {

/// Pieces of the regression's stretches outside `left_out` (sorted), each after max_lag rows, cut
/// to `length` targets; 0: not cut.
std::vector<Interval> narx_pieces(const Regression& r, Index max_lag,
                                  const std::vector<Interval>& left_out, Index length);

struct NarxOptions {
  std::vector<Structure::Input> inputs;  ///< with the first lag at which each may answer
  std::vector<Structure::Input> early;   ///< every excited input from its declared delay on
  Index history = 30;                    ///< H: no lag is longer; rows left out around a fold
  Index horizon = 60;                    ///< F
  double low = 0, high = 0;              ///< normalised bounds of ŷ
  Index max_terms = 20;
  unsigned threads = 0;  ///< 0: as many as the machine has; changes no result
};

/// One path at one length.
struct NarxCandidate {
  NarxLags lags;
  Index restart = 0;  ///< the fit simulates this many steps at a time; 0: whole pieces
  double ridge = 0;   ///< of the products
  Index terms = 0;
  std::vector<FoldErrors> folds;                 ///< windows of F steps, as of the other trainers
  double score = 0, one_step = 0, free_run = 0;  ///< over train std, as of the other trainers
  double pooled = 0;                             ///< see pooled_loss; ranks
  double loss = 0;  ///< see combined_loss; beside the linear models in the leaderboard
  double held = 0;  ///< share of the fold's predictions that the bounds held
  std::string reason;
};

struct NarxSearch {
  std::vector<NarxCandidate> candidates;  ///< path by path, every length
  std::size_t chosen = 0;
  std::vector<NarxProduct> pool;  ///< of the chosen
  NarxFit fit;                    ///< on every row
  Matrix covariance;              ///< of fit.theta
  double r_squared = 0;           ///< of the simulation of every piece of train
  double held = 0;                ///< share of that simulation that the bounds held
};

/// Folds as make_folds gives them, at least two. Within each fold the whole path is fitted on what
/// the fold leaves (H rows apart), so neither terms nor coefficients have seen the fold. The least
/// combined loss of F steps and of the free run wins; a smaller model whose difference is within
/// its own standard error is preferred. Paths grow on threads of their own. Throws MODEL_UNSTABLE
/// when the bounds held every candidate or none explains train.
NarxSearch search_narx(const Regression& r, const NarxOptions& options,
                       const std::vector<std::vector<Interval>>& folds, Index fold_lag,
                       const std::string& cv_name, const std::stop_token& stop);

}  // namespace flyball::identify
