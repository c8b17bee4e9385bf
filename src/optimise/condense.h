#pragma once
// The offline half of the fast MPC: everything that depends on the model, the horizons and the
// weights, not on the state. Move form over z = Δu (n = M·nu, index i·nu + m):
//
//   y = y_free + Θ z          Θ from step responses, never stored: row (j, k), column (i, m) is
//                             s_jm(k − steps_i), an answer one step after the move at k = steps_i
//   H = Θᵀ Q Θ + R + targets  f = Θᵀ Q (y_free − r) + Θᵀ c + targets
//   y_free − r = F θ (+ what the caller adds)
//   z0 = −H⁻¹ f = Kz θ + z_c,   y0 = r + Wy θ + Θ z_c:  two products with the parameters θ
//
// CV rows are kept CV by CV: row j·P4 + k is y_j at time k+1, P4 = padded(P). Units are the
// caller's. Cost n³ + n²·P·ny/2 once. Source: condensing as in Maciejowski, Predictive Control.
#include <vector>

#include "math/linear_algebra.h"
#include "optimise/aligned.h"

namespace flyball::optimise {

struct CondenseInput {
  Index horizon = 0, mvs = 0, cvs = 0;
  std::vector<Index> steps;  ///< of the moves, ascending from 0
  Matrix answers;  ///< P × (ny·nu), column j·nu + m: y_j at k = 1..P to a unit step of MV m at 0
  Vector cv_weight;      ///< ny: diag Q
  Vector cv_linear;      ///< ny: c, weight of Σ_k y_j(k); empty: none
  Vector move_weight;    ///< nu: diag R
  Vector target_weight;  ///< nu: μ, on Σ_{k<P} (u − u_ref)²; empty: none
  Matrix free;           ///< P·ny × nθ: F, row j·P + k
  Matrix to_target;      ///< nu × nθ: u_prev − u_ref; empty where target_weight is
};

/// Shapes and offsets of the vectors that a solve works on: [z | y | u], each padded to 4.
struct Shape {
  Index moves = 0, mvs = 0, cvs = 0, horizon = 0, parameters = 0;
  Index n = 0, n4 = 0, p4 = 0, rows = 0;
  [[nodiscard]] Index y_at() const { return n4; }
  [[nodiscard]] Index u_at() const { return n4 + rows; }
  [[nodiscard]] Index length() const { return n4 + rows + n4; }
};

class Condensed {
 public:
  /// Throws SHAPE_MISMATCH; MPC_NOT_CONVEX when H is not positive definite (a weight is missing).
  explicit Condensed(const CondenseInput& input);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::vector<Index>& steps() const noexcept { return steps_; }
  [[nodiscard]] const Matrix& hessian() const noexcept { return h_; }
  [[nodiscard]] const Matrix& inverse() const noexcept { return inverse_; }
  [[nodiscard]] const Vector& cv_weight() const noexcept { return cv_weight_; }
  [[nodiscard]] const Vector& cv_linear() const noexcept { return cv_linear_; }
  /// 1/‖a‖ in H⁻¹ of every row of [z | y | u], 1 where the row is zero; zero rows of y: no move
  /// reaches them.
  [[nodiscard]] const Doubles& weights() const noexcept { return weights_; }
  [[nodiscard]] bool reached(Index row) const noexcept {
    return reached_[static_cast<std::size_t>(row)];
  }

  /// [z | y] += the closed forms: out (n4 + rows) = start + [Kz; Wy] θ.
  void closed_form(const double* theta, const double* start, double* out) const noexcept;
  /// [z_c | Θ z_c]: what the constant linear cost adds.
  [[nodiscard]] const Doubles& constant() const noexcept { return constant_; }

  /// Without parameters: z (n4) = −H⁻¹(Θᵀ(Q e + c) + targets), y (rows) = Θ z, for e = y_free − r
  /// (rows, zero in the padding) and gap = u_prev − u_ref (nu). Allocates. Cost 2 n·P·ny + 3 n².
  void optimum(const double* e, const double* gap, double* z, double* y) const;

  /// y = Θ h (rows); h (n).
  void answer(const double* h, double* y) const noexcept;
  /// g (n4) = Θᵀ e; e (rows), zero in the padding.
  void transposed(const double* e, double* g) const noexcept;

  /// u (n) = start_m + Σ_{i' ≤ i} z(i', m).
  void accumulate(const double* z, const double* start, double* u) const noexcept;

  /// The column of a row a of [z | y | u]: out = [H⁻¹a | Θ H⁻¹a | sums of H⁻¹a]. Cost n·P·ny (+ n²
  /// where the columns of the moves are not kept).
  void column(Index row, double* out) const noexcept;
  /// The column of a move that set-up kept (up to 64 MB of them), else null.
  [[nodiscard]] const double* kept(Index row) const noexcept {
    return row < kept_columns_ ? kept_.data() + row * shape_.length() : nullptr;
  }

 private:
  void set_hessian(const CondenseInput& input);
  void set_closed_form(const CondenseInput& input, const math::Cholesky& factor);
  void set_weights();

  Shape shape_;
  std::vector<Index> steps_;
  Index stride_ = 0;  ///< of the answer of one pair in s_, with zeros in front
  Index front_ = 0;
  Doubles s_;
  Vector cv_weight_, cv_linear_, target_weight_;
  Matrix h_, inverse_;
  Doubles packed_, constant_, weights_, zero_, kept_;
  Index kept_columns_ = 0;
  std::vector<bool> reached_;
};

}  // namespace flyball::optimise
