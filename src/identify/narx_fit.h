#pragma once
// Fits of a polynomial NARX of one CV by the error of its free simulation.
//
// Each piece of train is simulated from its measured lags on with no further y. With
// ψ = ∂ŷ/∂θ, which obeys ψ(t) = φ(t) + Σ_l (∂F/∂y(t−l)) ψ(t−l), Levenberg and Marquardt minimise
// Σ (y − ŷ)². A term that is not in the model yet has a ψ too: what it would take away of the
// error of the simulation, orthogonal to the terms that are in, is its error reduction ratio.
#include <array>
#include <vector>

#include "identify/narx_terms.h"
#include "identify/refine_score.h"
#include "identify/refine_step.h"

namespace flyball::identify {

/// Where a NARX is simulated: targets [first, end), all lags and inputs before them in the table.
struct NarxData {
  const Regression* r = nullptr;  ///< direct form; column nu is the CV itself
  std::vector<Interval> pieces;
  double low = 0, high = 0;  ///< normalised bounds of ŷ
  double ridge = 0;          ///< λ
};

struct NarxFit {
  std::vector<Index> terms;  ///< of the pool
  Vector theta;
  std::vector<double> err;  ///< share of the CV's variance each took away when it came in
  double sum = 0;           ///< squared errors of the simulation
  double cost = 0;          ///< sum and ridge: what the fits lower
  Vector penalty;  ///< of theta²: λ Σ ψ² of products, none of the constant and single lags
  Index rows = 0;  ///< measured
  Index held = 0;  ///< values of the simulation that the bounds held
};

class NarxFitter {
 public:
  NarxFitter(const NarxData& data, const std::vector<NarxProduct>& pool, Index na);

  /// The constant and the lags of the CV by least squares of one step.
  [[nodiscard]] NarxFit begin() const;

  /// Adds the candidate with the largest error reduction ratio and refits; false when there is none
  /// that takes away more than a part in 10⁶. Never to a larger sum.
  bool grow(NarxFit& fit, int iterations) const;

  /// Refits all coefficients; never to a larger sum.
  void refine(NarxFit& fit, int iterations) const;

  /// Takes out terms one by one while rows·ln(sum) + parameters·ln(rows) falls.
  void prune(NarxFit& fit, int iterations) const;

  /// Covariance of theta, which holds for residuals that are an autoregression.
  [[nodiscard]] Matrix covariance(const NarxFit& fit) const;

  /// What the simulation of the pieces explains of the measured CV.
  struct Simulation {
    double r_squared = 0;
    Index held = 0, rows = 0;
  };
  [[nodiscard]] Simulation simulate(const NarxFit& fit) const;

  /// Runs without the rows whose lags would lie before the record.
  [[nodiscard]] std::vector<Interval> with_history(const std::vector<Interval>& runs) const;

  /// Errors of windows of `horizon` steps that start at every `stride`-th row from measured lags.
  /// `held` counts the values that the bounds held.
  [[nodiscard]] FoldErrors score(const NarxFit& fit, const std::vector<Interval>& runs,
                                 Index horizon, Index stride, Index& held) const;

  /// ∂ŷ/∂θ over the pieces (measured rows × parameters) by the code of the fits: for tests.
  [[nodiscard]] Matrix slopes(const NarxFit& fit) const;

 private:
  friend struct NarxProblem;
  using Product = std::array<Index, 3>;  ///< variables: 0 is 1, then the CV's lags, then inputs

  /// Σ θ φ and its derivatives by the CV's lags at the variables v.
  struct Model {
    std::vector<Product> products;
    Vector theta;
  };
  [[nodiscard]] Model model_of(const NarxFit& fit) const;
  [[nodiscard]] double value_at(const Model& m, const double* v) const;
  void lag_slopes(const Model& m, const double* v, double* slopes) const;
  void fill_inputs(Index row, double* v) const;
  void fill_lags(Index row, double* v) const;

  /// Simulates every piece; visit(row, v, ŷ, held), v the variables of the row.
  template <class Visit>
  void run(const Model& m, Visit&& visit) const;
  /// ψ of `products` (columns) along the pieces; visit(row, ψ, ŷ).
  template <class Visit>
  void run_slopes(const Model& m, const std::vector<Product>& products, Visit&& visit) const;
  [[nodiscard]] bool measured(Index row) const {
    return data_.r->target[static_cast<std::size_t>(row)] != 0;
  }
  [[nodiscard]] double y(Index row) const { return data_.r->x(row, data_.r->nu); }

  NarxData data_;
  Index na_;
  std::vector<model::NarxFactor> inputs_;  ///< variables na + 1 ..
  std::vector<Product> products_;          ///< of the pool
  double variance_ = 0;                    ///< Σ (y − mean)² of the measured targets
};

}  // namespace flyball::identify
