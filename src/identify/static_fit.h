#pragma once
// Ridge regression of points on the terms of a surface, and the error of groups left out.
//
//   b = (ΦᵀΦ + λ N D)⁻¹ Φᵀ y,   D = diag(var φ_j), 0 for the constant
#include <optional>
#include <string>
#include <vector>

#include "math/types.h"
#include "model/static_response.h"

namespace flyball::identify {

/// Operating points of train as the regression takes them.
struct PointTable {
  Matrix z;                  ///< N×nu, (u − μ)/σ; a left-out input is 0
  Matrix u, y;               ///< model units
  Vector mean, scale;        ///< of u
  std::vector<Index> group;  ///< of each point: left out together
  Index groups = 0;
  bool by_run = false;
};

/// Σ of squared errors of each group, predicted by the fit of the others.
struct LeftOut {
  Vector squares;   ///< per group
  double mean = 0;  ///< Σ / N
};

class TermRegression {
 public:
  TermRegression(const PointTable& points, std::vector<model::Term> terms);

  [[nodiscard]] Index parameters() const { return phi_.cols(); }
  [[nodiscard]] const Matrix& phi() const { return phi_; }
  [[nodiscard]] const std::vector<model::Term>& terms() const { return terms_; }

  /// Empty when the terms cannot be told apart. Cost N p² + groups·p³.
  [[nodiscard]] std::optional<LeftOut> leave_out(const ConstVectorRef& y, double lambda) const;

  struct Fit {
    Vector coefficients, residuals, leverages;
    Matrix information;                         ///< (ΦᵀΦ + λ N D)⁻¹
    Matrix covariance;                          ///< of the coefficients
    double squares = 0, dof = 0, variance = 0;  ///< Σe², N − Σh, Σe²/dof
  };
  [[nodiscard]] std::optional<Fit> fit(const ConstVectorRef& y, double lambda) const;

  /// Σe² without the terms that name this input, and how many those are.
  struct Without {
    double squares = 0;
    Index terms = 0;
  };
  [[nodiscard]] std::optional<Without> without(const ConstVectorRef& y, double lambda,
                                               Index input) const;

 private:
  [[nodiscard]] std::optional<Matrix> inverse(Matrix normal) const;

  const PointTable& points_;
  std::vector<model::Term> terms_;
  Matrix phi_, normal_;
  Vector penalty_;  ///< N·var φ_j
};

}  // namespace flyball::identify
