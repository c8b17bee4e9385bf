#pragma once
// The steady state of a Kalman filter.
#include <optional>

#include "math/types.h"

namespace flyball::math {

/// P of P = A P Aᵀ − (A P Cᵀ + N)(C P Cᵀ + R)⁻¹(A P Cᵀ + N)ᵀ + Q, the covariance of the one-step
/// prediction of x⁺ = A x + w, y = C x + v with cov(w) = Q, cov(v) = R > 0, cov(w, v) = N.
/// A n×n, C m×n. By structure-preserving doubling (Chu, Fan, Lin 2005): quadratic convergence,
/// about 10 rounds of 10 n³. Empty when it does not converge (not detectable, or noise-free modes
/// on the unit circle).
std::optional<Matrix> filter_riccati(const ConstMatrixRef& a, const ConstMatrixRef& c,
                                     const ConstMatrixRef& q, const ConstMatrixRef& r,
                                     const ConstMatrixRef& n);

/// L = (A P Cᵀ + N)(C P Cᵀ + R)⁻¹: x⁺ = A x + L (y − C x).
Matrix filter_gain(const ConstMatrixRef& a, const ConstMatrixRef& c, const ConstMatrixRef& p,
                   const ConstMatrixRef& r, const ConstMatrixRef& n);

}  // namespace flyball::math
