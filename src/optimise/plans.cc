#include "optimise/plans.h"

namespace flyball::optimise {

Trajectory Plans::of(const Vector& z) const {
  const Shape& s = setup_.condensed->shape();
  Doubles h(s.n4), y(s.rows);
  std::copy_n(z.data(), s.n, h.data());
  setup_.condensed->answer(h.data(), y.data());
  Trajectory t{Matrix(s.horizon, s.mvs), free_};
  for (Index j = 0; j < s.cvs; ++j)
    for (Index k = 0; k < s.horizon; ++k) t.predicted(k, j) += y[j * s.p4 + k];
  const auto& steps = setup_.condensed->steps();
  Vector u = Eigen::Map<const Vector>(p_.u_prev.data(), s.mvs);
  std::size_t next = 0;
  for (Index k = 0; k < s.horizon; ++k) {
    if (next < steps.size() && steps[next] == k)
      u += z.segment(static_cast<Index>(next++) * s.mvs, s.mvs);
    t.controls.row(k) = u.transpose();
  }
  return t;
}

Vector Plans::moves(const Matrix& controls) const {
  const Shape& s = setup_.condensed->shape();
  Vector z(s.n);
  for (Index i = 0; i < s.moves; ++i) {
    const Index k = setup_.condensed->steps()[static_cast<std::size_t>(i)];
    for (Index m = 0; m < s.mvs; ++m)
      z(i * s.mvs + m) =
          controls(k, m) - (k == 0 ? p_.u_prev[static_cast<std::size_t>(m)] : controls(k - 1, m));
  }
  return z;
}

Trajectory Plans::answer(Index only) const {
  Trajectory t = trajectory_of(p_, setup_.engine);
  for (std::size_t m = 0; m < p_.mv.size(); ++m) {
    const auto at = static_cast<Index>(m);
    if (!p_.mv[m].available || (only >= 0 && only != at))
      t.controls.col(at).setConstant(p_.u_prev[m]);
  }
  t.predicted = of(moves(t.controls)).predicted;
  return t;
}

}  // namespace flyball::optimise
