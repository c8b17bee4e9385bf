#pragma once
// A convex program as data (sparse), its checks and its optimality by definition.
#include <Eigen/SparseCore>

#include "solver/qp.h"

namespace flyball::solver {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// min ½ xᵀH x + gᵀx with row_lower ≤ A x ≤ row_upper, lower ≤ x ≤ upper (see qp.h). `h` holds both
/// triangles. Empty `lower` or `upper`: no bounds on that side.
struct Program {
  SparseMatrix h, a;
  Vector g, row_lower, row_upper, lower, upper;

  static Program of(const Matrix& h, const Vector& g, const Matrix& a, const Vector& row_lower,
                    const Vector& row_upper, const Vector& lower = {}, const Vector& upper = {});
  [[nodiscard]] Index variables() const { return g.size(); }
  [[nodiscard]] Index rows() const { return a.rows(); }
};

/// Fills empty bounds with infinities and refuses what no method can use: QP_SHAPE, QP_NOT_FINITE,
/// QP_NOT_SYMMETRIC. Convexity is seen by the methods.
void complete(Program& program);

/// ‖a_i‖∞ of each row.
Vector row_coefficients(const SparseMatrix& a);

/// H x + g + Aᵀ y, summed with 64-bit mantissas and then rounded: residuals are differences of
/// large numbers.
/// With z, that is added too.
Vector gradient(const Program& program, const Vector& x, const Vector& y,
                const Vector* z = nullptr);
/// A x, likewise.
Vector activity(const Program& program, const Vector& x);

/// Fills objective and residuals of s from its x, y, z (qp.h, Residuals).
void measure(const Program& program, const Vector& coefficients, Solution& s);

/// True when c.y and c.z prove that no x meets the limits; scales them and fills limit and
/// residual. z is first set to −Aᵀy where the bound that it presses on is finite.
bool proves_infeasible(const Program& program, const Vector& coefficients, double tolerance,
                       Certificate& c);

/// True when d is a direction of unbounded descent: gᵀd < 0, and H d, A d and d against their
/// limits are 0 within 1e-9 of ‖d‖∞ = 1, to which it is scaled.
bool proves_unbounded(const Program& program, const Vector& coefficients, Vector& d);

}  // namespace flyball::solver
