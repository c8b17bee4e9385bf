#pragma once
// The innovations of a record: what its past does not tell. See feedback.h.
#include <vector>

#include "identify/regression.h"
#include "identify/training_data.h"

namespace flyball::identify {

inline constexpr Index kPastLags = 10;  ///< most lags that are asked
inline constexpr SolveOptions kFeedbackSolve{.lambda = 1e-11, .exact_steps = 2, .inverse = false};

/// Lags 1..lags of the inputs in use.
std::vector<Term> past_inputs(const std::vector<bool>& used, Index lags);

/// e_y of every CV given past y and inputs up to t, and e_u of every MV given past inputs, at the
/// rows that have them; of each the order with the least N ln(rss) + 2 parameters. A series is
/// empty when only rounding is left. Rows whose CVs were filled in do not count.
class Innovations {
 public:
  Innovations(const TrainingData& data, const std::vector<bool>& used);

  /// False: too few rows for one lag.
  [[nodiscard]] bool known() const { return lags_ > 0; }
  [[nodiscard]] Index rows() const { return normal_.rows; }
  [[nodiscard]] Index lags() const { return lags_; }
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  [[nodiscard]] const std::vector<Vector>& e_y() const { return e_y_; }

  [[nodiscard]] Vector of_mv(Index m) const;
  /// e_y without u(t) among its regressors: what a direct answer leaves in.
  [[nodiscard]] Vector of_cv_before(Index j) const;

 private:
  void measured_only();
  [[nodiscard]] std::vector<Term> cv_terms(Index order, Index first_input_lag) const;
  template <class TermsOf>
  [[nodiscard]] Vector best(const TermsOf& terms_of, Index target) const;
  [[nodiscard]] Vector residual(const std::vector<Term>& terms, Index target) const;

  const TrainingData& data_;
  const std::vector<bool>& used_;
  Matrix x_;
  std::vector<Stretch> stretches_;
  Index lags_ = 0;
  Normal normal_;
  std::vector<Vector> e_y_;
};

}  // namespace flyball::identify
