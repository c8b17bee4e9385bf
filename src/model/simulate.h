#pragma once
// The one implementation of prediction: evaluation, gates, UQ and serving all call it.
#include "model/linear_state_space.h"
#include "model/sparse_rows.h"
#include "model/start_fit.h"

namespace flyball::model {

/// Rows of a run as the model sees them: u steps×nu (MVs then DVs), y steps×ny, same rows.
struct Record {
  Matrix u;
  Matrix y;
};

/// What the disturbance variables do in the future of a rollout.
enum class Future { held, measured };  // held: DVs keep the value of row t−1; MVs are always known

/// Predicts with one model. Buffers are allocated by the constructor; everything after it is
/// noexcept and allocates nothing. It keeps what it needs of the model, which may go away.
class Simulator {
 public:
  /// Throws SHAPE_MISMATCH or NOT_FINITE (see check), MODEL_PREDICTOR when I − A + K C is singular.
  explicit Simulator(const LinearStateSpace& model);

  /// Makes starts with this history cheap (see StartFit::prepare). Allocates.
  void prepare(Index history) { start_fit_.prepare(history); }

  /// Puts the state at t (x(t|t−1)) by running the predictor over rows [t−history, t) from the
  /// steady state of row t−history, corrected by least squares over those rows (StartFit); earlier
  /// delayed inputs are taken as the first row's. A row with a
  /// missing y makes no correction for that CV; the steady state takes a missing y from the first
  /// row of the history that has it, else the operating point.
  /// Precondition: 1 ≤ history ≤ t ≤ rows, u finite.
  void start(const Record& record, Index t, Index history) noexcept;

  /// From the state put by start(record, t, history): ŷ(t), ŷ(t+1), ... into out (steps × ny), with
  /// the record's MVs of rows t..t+steps−1 and no y. steps = 1 is the one-step prediction ŷ(t|t−1).
  /// The state of start is kept: several rollouts may follow one start.
  void rollout(const Record& record, Index t, Index history, Index steps, Future future,
               Eigen::Ref<Matrix> out) noexcept;

  /// One-step predictions ŷ(τ|τ−1) for τ = t..t+steps−1 into out (steps × ny), the predictor
  /// running on over the record's y from the state put by start. Moves the state to t+steps.
  void one_step(const Record& record, Index t, Index history, Index steps,
                Eigen::Ref<Matrix> out) noexcept;

  /// x(t|t−1) as start or one_step left it (n).
  [[nodiscard]] const Vector& state() const noexcept { return x_; }

 private:
  void read_inputs(const Record& record, Index row, Index first, Index last_dv) noexcept;
  void predict(const double* x) noexcept;
  void advance(const double* x, double* next) noexcept;
  void correct(const Record& record, Index row, double* next) noexcept;

  StartFit start_fit_;
  SparseRows a_, b_, c_, d_, k_, to_steady_;  ///< to_steady_ = (I − A + K C)⁻¹
  std::vector<Channel> channels_;
  Index n_mv_;
  Vector f_, g_, u0_;
  Vector x_, run_, next_, in_, e_, yhat_;
  std::vector<unsigned char> observed_;
};

}  // namespace flyball::model
