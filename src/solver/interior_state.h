#pragma once
// The iterate of the interior point: x, the multipliers y and z, a slack and a multiplier for each
// side of the limits, and how far all that is from optimal.
#include "solver/interior_point.h"
#include "solver/kkt.h"

namespace flyball::solver {

/// One side of a limit pair: slack = sign·(limit − value) > 0 with multiplier > 0.
struct Side {
  Index of;     ///< limit pair
  double sign;  ///< 1 upper, −1 lower
  double limit;
  double slack = 1, multiplier = 1;
  double rest = 0;  ///< sign·(limit − value) − slack
  double slack_step = 0, multiplier_step = 0, target = 0;
};

class InteriorState {
 public:
  /// `size` of the multipliers at the start; `target` of the residuals.
  InteriorState(const Program& p, double target, double size);

 protected:
  void start();
  void residuals();
  void sum_multipliers();
  void keep(InteriorPoint& out) const;
  void keep_active(InteriorPoint& out) const;

  const Program& p_;
  double target_, size_;
  Kkt kkt_;
  Index n_, m_;
  SparseMatrix at_;
  std::vector<Side> sides_;
  std::vector<char> equation_;  ///< by limit pair
  Vector x_, y_, z_, value_, rest_dual_, rest_equation_;
  double mu_ = 0;        ///< mean product of slack and multiplier
  double least_mu_ = 0;  ///< below which it is not pressed
  double dual_ = 0, primal_ = 0, gap_ = 0;

 private:
  void values();
  [[nodiscard]] double width(Index i) const;
};

}  // namespace flyball::solver
