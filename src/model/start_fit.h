#pragma once
// The first state of a prediction by least squares over its history.
//
// From the steady state of the first row the predictor leaves innovations e(0) … e(H−1). A first
// state that differs by δ would leave e(k) − Gₖ δ, Gₖ = C Φᵏ, Φ = A − K C. Least squares with the
// weights 1/Sⱼⱼ and a small ridge towards the steady state,
//   δ = (M + ρ diag M)⁻¹ Σ Gₖᵀ W e(k),  M = Σ Gₖᵀ W Gₖ,
// moves the state at the end by Φᴴ δ. A predictor that forgets its start within H (an ARX) is not
// changed; a slow one (output error, the offset of a run) is put where the whole history says.
#include "model/linear_state_space.h"
#include "model/sparse_rows.h"

namespace flyball::model {

class StartFit {
 public:
  static constexpr double kRidge = 0.03;  ///< ρ

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
  [[nodiscard]] bool factor() noexcept;
  void solve() noexcept;

  SparseRows a_, c_, k_;
  Vector weight_;  ///< per CV
  Matrix phi_, next_, g_, m_;
  Vector b_, sum_, e_;
  Matrix weights_;  ///< n × ny·H of the prepared history
  Index prepared_ = -1;
  Index forgets_ = 0;  ///< rows after which Φᵏ is zero to rounding; −1: never
  Index row_ = 0;
  enum class Way { none, weights, recursion } way_ = Way::none;
};

}  // namespace flyball::model
