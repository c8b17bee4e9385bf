#pragma once
// Convex quadratic programs:
//   min ½ xᵀH x + gᵀx   with   row_lower ≤ A x ≤ row_upper,   lower ≤ x ≤ upper
// H n×n symmetric positive semidefinite, A m×n; ±kInfinity = no limit; equal limits = an equation.
// Multipliers: H x + g + Aᵀy + z = 0; y > 0 presses on the upper limit of its row, y < 0 on the
// lower one; z the same for the bounds.
#include <limits>
#include <string_view>

#include "math/types.h"

namespace flyball::solver {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Status {
  solved,      ///< the residuals below, recomputed from the data as given, are within tolerance
  infeasible,  ///< with a certificate that was checked
  unbounded,   ///< with a direction that was checked
  iteration_limit,  ///< see feasible and gap
  time_limit,       ///< see feasible and gap
  unverified,       ///< the method ended, but its answer does not stand the check
  invalid           ///< a value is not finite: see fault
};
std::string_view name(Status status);

struct Settings {
  double tolerance = 1e-9;        ///< of each residual
  int max_iterations = 0;         ///< 0: by size
  double time_limit = kInfinity;  ///< seconds
};

/// How far (x, y, z) is from optimal, from the data as given:
/// stationarity ‖Hx + g + Aᵀy + z‖∞ / (1 + ‖g‖∞); primal: the largest violation of a row or bound
/// over its scale; complementarity: of the products multiplier · distance to the limit it presses
/// on the largest, or their sum (the duality gap) if that is more, over 1 + |J|. Scale of a row:
/// upper − lower where both are finite and differ (at least 1e-6 of the larger one), else
/// max(‖a_i‖∞, |limit|), 1 for a row without entries; of a bound the same with ‖a_i‖∞ = 1.
struct Residuals {
  double stationarity = kInfinity;
  double primal = kInfinity;
  double complementarity = kInfinity;

  [[nodiscard]] double worst() const;
};

/// Why no x meets all limits: Aᵀy + z = 0 while Σ sup(y a x) + Σ sup(z x) = limit < 0. When one
/// lower limit lies above its own upper one, `crossed` is its index (bounds 0..n−1, then rows).
struct Certificate {
  Vector y, z;
  double limit = 0;     ///< < 0, y and z scaled so that the largest |y|·‖a‖∞, |z| is 1
  double residual = 0;  ///< ‖Aᵀy + z‖∞ at that scale, ≤ 1e-9
  Index crossed = -1;
};

/// Which value is not a number (or an infinity where none can be).
struct Fault {
  std::string_view field;  ///< "h", "g", "a", "rowLower", "rowUpper", "lower", "upper"; empty: none
  Index row = 0, column = 0;
};

struct Solution {
  Status status = Status::unverified;
  Vector x, y, z;
  double objective = 0;  ///< at x
  Residuals residuals;
  bool feasible = false;   ///< x meets the limits within tolerance
  double gap = kInfinity;  ///< J(x) − a lower bound of the optimum; kInfinity when none is known
  int iterations = 0;
  int active = 0;           ///< limits in the last working set
  Certificate certificate;  ///< when infeasible
  Vector direction;         ///< when unbounded: H d = 0, gᵀd < 0, limits never reached
  Fault fault;              ///< when invalid
};

/// The scale of a limit pair in the definition of the primal residual.
double limit_scale(double lower, double upper, double coefficient);

}  // namespace flyball::solver
