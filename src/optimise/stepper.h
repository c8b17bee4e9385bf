#pragma once
// linear_mpc_quadratic@1 as a loop runs it: one complete row in, the plan out. The state is updated
// by the Kalman filter; free response and optimum are one product with the parameters
//
//   θ = [x; d; ũ(t−1), ũ(t−2), .. of every input; r; 1]
//
// and the engine goes on from its last working set. It is for what a profile fixes (limits,
// weights, references held over the horizon, DVs held, soft limits by exact penalties). What
// changes from problem to problem, ranks to the letter, candidates and words are solve()'s. After
// the constructor noexcept, without allocation. Cost: U of the problem's sizes, the update (n +
// nd)², the engine.
#include "optimise/setup.h"

namespace flyball::optimise {

class Stepper {
 public:
  /// The problem's history is where it starts. Throws as Solver::solve.
  Stepper(const ProblemIr& problem, const model::LinearStateSpace& model);

  /// u: the row's MVs and DVs as read back; y: CVs, NaN for a missing one. Then plans from u.
  Answer step(const double* u, const double* y) noexcept;
  /// Plans from where it is.
  Answer plan() noexcept;
  void set_reference(Index cv, double ref) noexcept { theta_[ref_at_ + cv] = ref; }

  /// u(t) of MV m, and y(t+1..t+P) of CV j.
  [[nodiscard]] double u(Index m) const noexcept { return setup_.engine.u()[m]; }
  [[nodiscard]] const double* y(Index j) const noexcept {
    return setup_.engine.y() + j * setup_.condensed->shape().p4;
  }
  [[nodiscard]] const MpcEngine& engine() const noexcept { return setup_.engine; }

 private:
  void set_product(const ProblemIr& problem);
  [[nodiscard]] Matrix response(const Vector& theta) const;
  [[nodiscard]] double past(const Vector& theta, Index input, Index lag) const {
    return theta(past_at_ + (lag - 1) * inputs_ + input);
  }

  Setup setup_;
  model::LinearStateSpace m_;
  Index inputs_, mvs_, lags_, past_at_, ref_at_;
  Doubles packed_, zero_;
  Vector theta_, in_, error_, next_, u_prev_;
};

}  // namespace flyball::optimise
