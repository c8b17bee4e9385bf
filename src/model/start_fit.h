#pragma once
// The first state of a prediction by least squares over its history.
//
// From the steady state of the first row the predictor leaves innovations e(0) … e(H−1). A first
// state that differs by δ would leave e(k) − Gₖ δ, Gₖ = C Φᵏ, Φ = A − K C. Least squares with the
// weights W = 1/Sⱼⱼ and a ridge towards the steady state,
//   δ = (M + ρ diag M)⁻¹ Σ Gₖᵀ W e(k),  M = Σ Gₖᵀ W Gₖ,  ρ = n / (N max(q − 1, kLeastExcess)),
// moves the state at the end by Φᴴ δ. q is the mean square of the N innovations over their
// variance: a start that was right leaves q = 1 and stays, one that was far off is forgotten (the
// prior variance of δ that its trace in the data suggests). A predictor that forgets its start
// within H (an ARX) is not changed; a slow one (output error, the offset of a run) is put where the
// whole history says.
#include "model/linear_state_space.h"
#include "model/sparse_rows.h"

namespace flyball::model {

class StartFit {
 public:
  static constexpr double kLeastExcess = 0.01;

  explicit StartFit(const LinearStateSpace& model);

  /// Makes starts with this history and no missing y cost H·n·ny; allocates. Others cost H·n² times
  /// the entries of a row of A.
  void prepare(Index history);

  /// A history begins; `complete`: no y of it is missing.
  void begin(Index history, bool complete) noexcept;
  /// Innovations of the next row; `observed` tells which CVs were measured, the others are 0.
  void add(const double* e, const unsigned char* observed) noexcept;
  /// Corrects the state at the end of the history.
  void finish(double* x) noexcept;

 private:
  void start_recursion() noexcept;
  void recurse(const double* e, const unsigned char* observed) noexcept;
  [[nodiscard]] double ridge() const noexcept;
  [[nodiscard]] bool factor() noexcept;
  void solve() noexcept;

  SparseRows a_, c_, k_;
  Vector weight_;  ///< per CV
  Matrix phi_, next_, g_, m_;
  Vector b_, sum_, e_;
  // Of the prepared history: D^(−1/2) M D^(−1/2) = V Λ Vᵀ with D = diag M.
  Matrix weights_;  ///< n × ny·H, Vᵀ D^(−1/2) Gₖᵀ W
  Matrix back_;     ///< n × n, Φᴴ D^(−1/2) V
  Vector lambda_;
  Index prepared_ = -1;
  Index forgets_ = 0;  ///< rows after which Φᵏ is zero to rounding; −1: never
  Index row_ = 0;
  double squares_ = 0, values_ = 0;  ///< Σ eᵀ W e and N
  enum class Way { none, weights, recursion } way_ = Way::none;
};

}  // namespace flyball::model
