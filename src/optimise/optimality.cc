#include "optimise/optimality.h"

#include <algorithm>
#include <cmath>

#include "optimise/trajectory.h"

namespace flyball::optimise {

double limit_range(const ProblemIr& p, const std::string& id) {
  const std::string var = id.substr(0, id.rfind('.'));
  for (const MvTerm& m : p.mv)
    if (m.var_id == var) return range_of(m.train);
  for (const CvTerm& c : p.cv)
    if (c.var_id == var) return range_of(c.train);
  return 1;
}

/// H(z − z0) + Aᵀλ and λ·slack from the problem's data.
Residuals residuals_of(const ProblemIr& p, const Setup& setup, const Candidate& optimum) {
  const MpcEngine& engine = setup.engine;
  Residuals r;
  const Shape& s = setup.condensed->shape();
  const Vector z = Eigen::Map<const Vector>(engine.z(), s.n);
  const Vector z0 = Eigen::Map<const Vector>(engine.start(), s.n);
  const Matrix& h = setup.condensed->hessian();
  Vector left = h * (z - z0);
  Doubles e(s.rows), g(s.n4);
  double complementarity = 0;
  const WorkingSet& set = engine.set();
  for (Index i = 0; i < set.size(); ++i) {
    const Constraint& c = set.at(i);
    if (c.row < 0) continue;
    const double push = c.side * set.multiplier(i);
    double value = 0;
    if (c.tier >= 0) {
      e[c.row - s.y_at()] += push;
      value = engine.y()[c.row - s.y_at()];
    } else if (c.row < s.n) {
      left(c.row) += push;
      value = z(c.row);
    } else {
      for (Index l = (c.row - s.u_at()) % s.mvs; l <= c.row - s.u_at(); l += s.mvs) left(l) += push;
      value = engine.u()[c.row - s.u_at()];
    }
    const double slack = c.slack < 0 ? 0.0 : engine.slack(c.slack);
    complementarity =
        std::max(complementarity, std::abs(push * (c.side * (value - c.bound) - slack)));
  }
  setup.condensed->transposed(e.data(), g.data());
  left += Eigen::Map<const Vector>(g.data(), s.n);
  r.stationarity = left.cwiseAbs().maxCoeff() / (1 + (h * z0).cwiseAbs().maxCoeff());
  r.complementarity = complementarity / (1 + std::abs(optimum.cost));
  for (const ConstraintItem& c : optimum.constraints)
    if (c.kind == ConstraintKind::hard)
      r.primal = std::max(r.primal, -c.margin / limit_range(p, c.id));
  return r;
}

}  // namespace flyball::optimise
