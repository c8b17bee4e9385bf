#pragma once
// Where the plant is now, and what explains its lasting difference from the model: a Kalman filter
// over x_a = [x; d], d one random walk for each CV.
//
//   x⁺ = A x + B ũ + B_d d + K e + f     y = C x + D ũ + g + C_d d + e
//   output disturbance: C_d = e_j        input disturbance: d_j adds to MV j where it enters
//   of a level, or where the model itself integrates: d_j enters the states along K e_j
//   cov(e) = S, the step of d_j has ratio²·S_jj; gain L from the steady Riccati equation
//
// The newest state is what the history says, not where its first row is thought to have rested: the
// filter begins at x = 0, d = 0 with a deviation of a thousand innovations, its gain is that of the
// rows seen so far (a missing y corrects nothing), and from the row on where that gain is within
// 1e-6 of the steady one it is the steady one.
//
// A disturbance is taken only when the whole is detectable at 1 ([A_a − I; C_a] of full column
// rank); as many disturbances as CVs give zero offset (Pannocchia and Rawlings 2003).
#include <string>
#include <vector>

#include "model/linear_state_space.h"
#include "optimise/problem.h"

namespace flyball::optimise {

/// Where the disturbance of one CV enters; none: the model's own states carry it.
enum class DisturbanceAt { output, input, state, none };

struct Estimate {
  Vector x;                    ///< n, x(t|t−1)
  Vector d;                    ///< per disturbance
  Vector y_shift;              ///< ny: C_d d, held over the horizon
  Vector x_shift;              ///< n: B_d d, added to the state equation in each step
  std::vector<Index> missing;  ///< CVs whose newest value was missing
  bool inputs_known = true;    ///< false: an input of the history is missing, there is no estimate
};

class Estimator {
 public:
  /// Throws MPC_NOT_DETECTABLE when a unit root of the model is seen in no CV.
  Estimator(const model::LinearStateSpace& model, Disturbance where, double ratio);

  /// Over the history. Throws MPC_NOT_DETECTABLE when the filter's covariance is singular. Cost
  /// n_a³ a row until the gain is steady, then n_a².
  [[nodiscard]] Estimate run(const std::vector<HistoryRow>& history) const;
  /// x and output disturbances as given.
  [[nodiscard]] Estimate given(const std::vector<double>& x, const std::vector<double>& d) const;

  [[nodiscard]] const std::vector<DisturbanceAt>& where() const { return where_; }
  /// A_a, C_a and L over [x; d].
  [[nodiscard]] const Matrix& dynamics() const { return a_; }
  [[nodiscard]] const Matrix& outputs() const { return c_; }
  [[nodiscard]] const Matrix& gain() const { return gain_; }
  [[nodiscard]] Index disturbances() const { return a_.rows() - n_; }

 private:
  /// What the values of a row add to the next state; p becomes the covariance of that state.
  Vector corrected(const HistoryRow& row, const Vector& e, Matrix& p, bool& steady) const;
  bool append(const Vector& to_state, const Vector& to_output, const Vector& variance);

  Index n_ = 0;
  Matrix a_, c_, gain_;
  Matrix noise_, cross_, s_;  ///< of [x; d], with e, and of e
  Matrix b_, d_;
  Vector f_, g_, u0_;
  std::vector<model::Channel> channels_;
  std::vector<DisturbanceAt> where_;
  std::vector<double> variance_;
};

}  // namespace flyball::optimise
