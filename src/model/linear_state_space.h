#pragma once
// linear_state_space@1: what a linear model is. It knows nothing of estimation.
//
//   ũ_c(t)  = u_{m(c)}(t − d_c) − u0_{m(c)}        channel c: input m(c) delayed by d_c steps
//   x(t+1)  = A x(t) + B ũ(t) + K e(t) + f
//   y(t)    = C x(t) + D ũ(t) + g + e(t)            e: innovation, covariance S
//
// u: inputs in the order MVs then DVs (model units), y: CVs (model units). g, f and u0 are the
// operating point. The last `disturbance_states` states are integrated disturbances (unit roots
// that no input reaches); the `integrators` before them are declared integrators (exactly 1 each).
#include <string>
#include <vector>

#include "core/record.h"
#include "math/types.h"

namespace flyball::model {

/// Input m(c) and delay d_c of one column of B and D. delay 0 with a non-zero column of D is
/// direct feed-through: y(t) answers u(t).
struct Channel {
  std::int64_t input = 0;
  std::int64_t delay = 0;
  static constexpr auto fields() {
    return FieldList{field("input", &Channel::input, "input, MVs first, then DVs").range(0, 63),
                      field("delay", &Channel::delay, "delay before the state equation")
                          .range(0, 100000)
                          .unit("steps")};
  }
};

struct LinearStateSpace {
  Matrix A;   ///< n×n
  Matrix B;   ///< n×nc
  Matrix C;   ///< ny×n
  Matrix D;   ///< ny×nc
  Matrix K;   ///< n×ny predictor gain
  Vector f;   ///< n
  Vector g;   ///< ny
  Vector u0;  ///< nu
  Matrix S;   ///< ny×ny innovation covariance
  std::vector<Channel> channels;
  Index n_mv = 0;  ///< the first n_mv inputs are MVs, the rest DVs
  Index integrators = 0;
  Index disturbance_states = 0;

  [[nodiscard]] Index states() const { return A.rows(); }
  [[nodiscard]] Index outputs() const { return C.rows(); }
  [[nodiscard]] Index inputs() const { return u0.size(); }
  [[nodiscard]] Index max_delay() const;
};

/// Throws SHAPE_MISMATCH or NOT_FINITE.
void check(const LinearStateSpace& model);

/// Spectral radius of A without the declared integrators and disturbance states.
double spectral_radius(const LinearStateSpace& model);

/// Steady-state gain ny×nu; a row of a CV with an integrator is NaN.
Matrix dc_gain(const LinearStateSpace& model);

/// Answer of every CV to a unit step of `input` at time 0: steps × ny, row k is the answer at k.
Matrix step_response(const LinearStateSpace& model, Index input, Index steps);

/// Steps until the answer of the slowest CV to `input` reaches `share` of its steady state and
/// stays (|s(k)−s∞| ≤ (1−share)|s∞|); −1 when there is no steady state within max_steps.
Index steps_to_share(const LinearStateSpace& model, Index input, double share, Index max_steps);

}  // namespace flyball::model
