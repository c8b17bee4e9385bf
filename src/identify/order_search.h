#pragma once
// Orders, ridge and form of one CV by blocked cross-validation on the F-step error, inside train.
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "identify/arx.h"

namespace flyball::identify {

struct Candidate {
  Index na = 1, nb = 1;
  double lambda = 0;
  bool differenced = false;
  Index parameters = 0;
  double score = 0;     ///< F-step RMS error over the folds / train std; NaN without folds
  double one_step = 0;  ///< one-step RMS error over the folds / train std
  std::string reason;   ///< "chosen", "within 1 % but larger", "violates prior", "worse",
                        ///< "unstable", "too few rows"
};

struct SearchOptions {
  std::vector<Structure::Input> inputs;
  Index max_order = 10;
  Index max_nb = 10;         ///< smaller where an input does not excite more parameters
  Index horizon = 60;        ///< F
  Index separation = 30;     ///< rows left out of training on both sides of a fold (H)
  double radius = 1 - 1e-6;  ///< roots of A must be inside
  double tolerance = 0.01;   ///< the smallest order within this share of the best score;
                             ///< scores below 1e-6 of the std are equal (noise-free data)
  std::function<bool(const Arx&)> acceptable = {};  ///< empty: every fit is
  unsigned threads = 0;  ///< 0: as many as the machine has; changes no result
};

struct SearchResult {
  Arx best;                           ///< fitted on all rows
  std::vector<Candidate> candidates;  ///< one per (form, na, nb), with its best ridge
  std::size_t chosen = 0;
  double noise_floor = 0;  ///< cross-validated one-step error of the largest direct ARX
};

/// Folds of target rows: by run from three runs on, else equal stretches in time; at most five and
/// at most rows/(separation + 2·horizon). Empty below two.
std::vector<std::vector<Interval>> make_folds(const Regression& r, Index max_lag, Index separation,
                                              Index horizon);

/// Targets of a fold widened by `separation` on both sides: what training on the rest leaves out.
std::vector<Interval> widened(const std::vector<Interval>& fold, Index separation);

/// The rows beside it: what training on the rest keeps.
std::vector<Interval> outside(const std::vector<Interval>& fold, Index separation);

/// `forms` are the same CV in direct and in differenced form. Every (na, nb, λ) is fitted on what
/// each fold leaves, scored on the fold by free windows of F steps, and kept only when the fit on
/// all rows is stable. Without folds the smallest stable order is taken. Throws MODEL_UNSTABLE when
/// no candidate is stable and DATA_TOO_SHORT when not even the smallest has more rows than
/// parameters.
SearchResult search_orders(const std::vector<Regression>& forms, const SearchOptions& options,
                           const std::vector<std::vector<Interval>>& folds,
                           const std::string& cv_name, const std::stop_token& stop);

}  // namespace flyball::identify
