#pragma once
// static_response@1: steady values of the CVs as polynomials of the inputs. Knows nothing of
// estimation.
//
//   z_i = (u_i − μ_i)/σ_i        φ(z): the terms of a surface (1, z_i, z_i·z_k, z_i²)
//   y   = Σ_t b_t φ_t(z)         b in model units of the CV
//   h(z) = φᵀ G φ                leverage, G = (ΦᵀΦ + ridge)⁻¹ of the train points
//
// A surface holds inside the box of its train points where h ≤ h_max, the largest leverage of a
// train point: elsewhere no data stand behind it, and predict() refuses.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "math/types.h"

namespace flyball::model {

/// Product of up to two inputs; −1: none. (−1, −1) is the constant, (i, −1) linear, (i, i) a
/// square.
struct Term {
  std::int64_t first = -1, second = -1;
  static constexpr auto fields() {
    return FieldList{
        field("first", &Term::first, "input, MVs first, then DVs; -1: none").range(-1, 63),
        field("second", &Term::second, "input; -1: none").range(-1, 63)};
  }
  friend bool operator==(const Term&, const Term&) = default;
};

/// One CV.
struct Surface {
  std::vector<Term> terms;
  Vector coefficients;  ///< p, model units of the CV
  Matrix information;   ///< p×p, G
  double h_max = 0;
};

struct StaticResponse {
  Vector mean, scale;  ///< μ, σ per input, model units; σ > 0
  Vector low, high;    ///< the box of the train points, model units
  std::vector<Surface> surfaces;

  [[nodiscard]] Index inputs() const { return mean.size(); }
  [[nodiscard]] Index outputs() const { return static_cast<Index>(surfaces.size()); }
};

/// Throws SHAPE_MISMATCH or NOT_FINITE.
void check(const StaticResponse& model);

/// φ(z) of each row: z points×inputs → points×p.
Matrix regressors(const ConstMatrixRef& z, const std::vector<Term>& terms);

/// z of a point in model units.
Vector normalised(const StaticResponse& model, const ConstVectorRef& u);

/// The polynomial at u, whether it holds there or not.
Vector surface_values(const StaticResponse& model, const ConstVectorRef& u);

double leverage(const StaticResponse& model, const Surface& surface, const ConstVectorRef& u);

/// Why the model does not hold at u: input (−1: the combination), value and limits.
struct Outside {
  Index input = -1;
  double value = 0, low = 0, high = 0;
  Index output = -1;  ///< the CV whose leverage is too large
};
std::optional<Outside> outside(const StaticResponse& model, const ConstVectorRef& u);

/// y (ny) at u (nu), model units; NaN outside the region.
Vector predict(const StaticResponse& model, const ConstVectorRef& u);

/// ∂y/∂u (nu) of a surface at u, model units.
Vector gradient(const StaticResponse& model, const Surface& surface, const ConstVectorRef& u);

/// ∂²y/∂z² (nu×nu): the same everywhere.
Matrix hessian(const StaticResponse& model, const Surface& surface);

}  // namespace flyball::model
