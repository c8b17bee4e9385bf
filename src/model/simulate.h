#pragma once
// The one implementation of prediction: evaluation, gates, UQ and serving all call it.
#include "model/linear_state_space.h"

namespace flyball::model {

/// Rows of a run as the model sees them: u steps×nu (MVs then DVs), y steps×ny, same rows.
struct Record {
  Matrix u;
  Matrix y;
};

/// What the disturbance variables do in the future of a rollout.
enum class Future { held, measured };  // held: DVs keep the value of row t−1; MVs are always known

/// Predicts with one model. Buffers are allocated by the constructor; everything after it is
/// noexcept and allocates nothing.
class Simulator {
 public:
  explicit Simulator(const LinearStateSpace& model);

  /// Puts the state at t (x(t|t−1)) by running the predictor over rows [t−history, t) from the
  /// steady state of row t−history; earlier delayed inputs are taken as that row's. A row with a
  /// missing y makes no correction for that CV. Precondition: 0 ≤ t−history, t ≤ rows, u finite.
  void start(const Record& record, Index t, Index history) noexcept;

  /// From the state put by start(record, t, history): ŷ(t), ŷ(t+1), ... into out (steps × ny), with
  /// the record's MVs of rows t..t+steps−1 and no y. steps = 1 is the one-step prediction ŷ(t|t−1).
  void rollout(const Record& record, Index t, Index history, Index steps, Future future,
               Eigen::Ref<Matrix> out) noexcept;

 private:
  const LinearStateSpace& m_;
  Vector x_, next_, in_, e_, yhat_;
  Matrix to_steady_;  ///< (I − A + K C)⁻¹
};

}  // namespace flyball::model
