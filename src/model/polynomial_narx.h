#pragma once
// polynomial_narx@1: each CV is a sum of products of lagged CVs and inputs, in deviations from the
// train means over the train standard deviations.
//   ŷ_j(t) = Σ_i θ_ji · Π_f z_f(t − lag_f),   z = (value − centre)/scale,   degree ≤ 3
// In a rollout ŷ is fed back in place of y and is held inside [low, high]: nothing runs away.
#include <cstdint>
#include <vector>

#include "model/simulate.h"

namespace flyball::model {

inline constexpr std::size_t kNarxDegreeMax = 3;

/// signal(t − lag): signals 0..nu−1 are the inputs (MVs, then DVs), nu.. the CVs. A CV has lag ≥ 1.
struct NarxFactor {
  std::int64_t signal = 0, lag = 0;
  bool operator==(const NarxFactor&) const = default;
};

/// A product of up to three factors; none: the constant.
struct NarxTerm {
  std::vector<NarxFactor> factors;
  double coefficient = 0;  ///< of normalised deviations
};

struct NarxOutput {
  std::vector<NarxTerm> terms;
  double low = 0, high = 0;  ///< model units; ŷ is held inside
};

struct PolynomialNarx {
  Vector centre, scale;  ///< inputs, then CVs; model units
  std::vector<NarxOutput> outputs;
  Index n_mv = 0;

  [[nodiscard]] Index output_count() const { return static_cast<Index>(outputs.size()); }
  [[nodiscard]] Index inputs() const { return centre.size() - output_count(); }
  /// Longest lag of a CV, and of any signal.
  [[nodiscard]] Index output_lag() const;
  [[nodiscard]] Index max_lag() const;
};

/// Throws SHAPE_MISMATCH (sizes, a factor outside, a CV without lag, more than three factors, low
/// not below high, a scale that is not positive) or NOT_FINITE.
void check(const PolynomialNarx& model);

/// Predicts as Simulator does. Buffers are allocated by the constructor; everything after it is
/// noexcept and allocates nothing. It keeps what it needs of the model, which may go away.
class NarxSimulator {
 public:
  /// Throws what check throws.
  explicit NarxSimulator(const PolynomialNarx& model);

  /// Takes the CVs of rows [t − history, t): earlier rows count as the first; a missing y is the
  /// model's own prediction, and before the first value of the history that value, else the centre.
  /// Precondition: 1 ≤ history ≤ t ≤ rows, u finite.
  void start(const Record& record, Index t, Index history) noexcept;

  /// ŷ(t), ŷ(t+1), … into out (steps × ny) from the state of start(record, t, history), with the
  /// record's MVs and no y of rows t.. on. The state of start is kept. Returns how many of the
  /// values the bounds held.
  Index rollout(const Record& record, Index t, Index history, Index steps, Future future,
                Eigen::Ref<Matrix> out) noexcept;

  /// ŷ(τ|τ−1) for τ = t..t+steps−1, taking the record's y on the way. Moves the state to t+steps.
  void one_step(const Record& record, Index t, Index history, Index steps,
                Eigen::Ref<Matrix> out) noexcept;

 private:
  struct Product {
    Index first = 0, count = 0;  ///< of regressors_
    double coefficient = 0;
  };
  struct Output {
    Index first = 0, count = 0;  ///< of products_
    double low = 0, high = 0;    ///< normalised
  };
  struct Regressor {
    Index signal = 0, lag = 0;
  };

  void read(const Record& record, Index row, Index first, Index last_dv,
            const Vector& lags) noexcept;
  Index predict() noexcept;
  void push(Vector& lags, const Vector& newest) noexcept;
  void take(const Record& record, Index row) noexcept;

  std::vector<Regressor> regressors_;  ///< distinct
  std::vector<Index> factors_;         ///< into regressors_, product by product
  std::vector<Product> products_;
  std::vector<Output> outputs_;
  Vector centre_, scale_;
  Index nu_, n_mv_, lag_;
  Vector lags_, run_;  ///< lag_ × ny, newest first, normalised
  Vector values_, yhat_, y_;
};

}  // namespace flyball::model
