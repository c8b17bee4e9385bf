#pragma once
// The constraints that hold with equality, their multipliers λ ≥ 0 and a root of the inverse of
// their Schur matrix S = A H⁻¹ Aᵀ (+ 1/ρ where two rows share a slack).
//
// A constraint is side·(v_row − bound) − ε_slack ≤ 0 with v = [z | y | u]; row −1 means ε_slack ≥
// 0. The slack of a soft limit costs ρ₁ ε + ½ ρ ε²; ε = (Σ λ over its rows + λ of ε ≥ 0 − ρ₁)/ρ,
// which never needs a variable of its own.
#include "optimise/columns.h"
#include "optimise/inverse_root.h"

namespace flyball::optimise {

struct Constraint {
  Index row = -1;
  Index slack = -1;  ///< −1: hard
  std::int32_t tier = -1;
  double side = 1;
  double bound = 0;
};

class WorkingSet {
 public:
  WorkingSet(const Condensed& model, std::vector<double> quadratic, std::vector<double> linear,
             Index column_bytes);

  [[nodiscard]] Index size() const noexcept { return root_.size(); }
  [[nodiscard]] Index capacity() const noexcept { return root_.capacity(); }
  [[nodiscard]] const Constraint& at(Index i) const noexcept {
    return active_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] double multiplier(Index i) const noexcept { return lambda_[i]; }
  [[nodiscard]] double slack(Index s) const noexcept { return epsilon_[s]; }
  [[nodiscard]] Index slacks() const noexcept { return epsilon_.size(); }
  [[nodiscard]] bool pinned(Index s) const noexcept;
  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }

  /// Multipliers of the present set for other right-hand sides v0 = [z0 | y0 | u0].
  void refresh(const double* v0) noexcept;
  /// One step of iterative refinement from v = [z | y | u]; returns the largest residual it found,
  /// over 1 + |bound| + |v0|, and changes λ only when it exceeds `tolerance`.
  double refine(const double* v0, const double* v, double tolerance) noexcept;
  /// Takes out the constraints of negative multipliers, the most negative first. Each one taken out
  /// is handed to `removed`.
  template <class F>
  void drop_negative(const F& removed) noexcept {
    for (Index i = most_negative(); i >= 0; i = most_negative()) {
      const Constraint c = at(i);
      drop(i);
      removed(c);
    }
  }

  enum class Added { yes, infeasible };
  /// Brings a constraint violated by `violation` > 0 in, dropping whatever blocks it.
  template <class F>
  Added add(const Constraint& c, const double* v0, double violation, const F& removed) noexcept {
    open(c);
    double left = violation;
    while (true) {
      const Index blocking = step(left);
      if (blocking == kDone) break;
      if (blocking == kInfeasible) return Added::infeasible;
      const Constraint gone = at(blocking);
      drop(blocking);
      removed(gone);
    }
    close(c, v0);
    return Added::yes;
  }

  /// out[0..rows) = v0 − Σ λ_i side_i column_i, rows `from` onwards of [z | y | u].
  void subtract(const double* v0, Index from, Index rows, double* out) noexcept;
  /// What rounding makes of v, over ‖a‖ of a row: a smaller violation is none.
  [[nodiscard]] double noise() const noexcept;
  /// ε of every slack from the multipliers.
  void set_slacks() noexcept;
  void clear() noexcept;
  /// ρ₁ of a slack; the set has to be empty.
  void set_linear(Index s, double linear) noexcept {
    linear_[static_cast<std::size_t>(s)] = linear;
  }
  /// Builds the root again from the columns, without constraints that depend on others.
  void rebuild() noexcept;

  /// After `infeasible`: weights of a combination of constraints that no z satisfies; the last one
  /// belongs to the constraint that could not be added.
  [[nodiscard]] double farkas(Index i) const noexcept { return i < size() ? -r_[i] : 1.0; }
  [[nodiscard]] const Constraint& refused() const noexcept { return incoming_; }

 private:
  static constexpr Index kDone = -1, kInfeasible = -2;
  static constexpr double kDependent = 1e-11;

  void open(const Constraint& c) noexcept;
  Index step(double& violation) noexcept;
  void close(const Constraint& c, const double* v0) noexcept;
  void drop(Index i) noexcept;
  void push(const Constraint& c, const double* column, double multiplier) noexcept;
  void project(const Constraint& c, const double* column) noexcept;
  [[nodiscard]] double product(const Constraint& c, const double* column,
                               const Constraint& o) const noexcept;
  [[nodiscard]] Index most_negative() const noexcept;
  [[nodiscard]] double offset(const Constraint& c, const double* v) const noexcept;

  const Condensed& model_;
  std::vector<double> quadratic_, linear_;
  Columns columns_;
  InverseRoot root_;
  std::vector<Constraint> active_;
  std::vector<const double*> column_, used_;
  std::vector<std::int32_t> rows_of_slack_, pins_;
  Doubles lambda_, signed_, rhs_, s_, r_, q_, t_, epsilon_, norm_;
  Constraint incoming_;
  const double* incoming_column_ = nullptr;
  double incoming_multiplier_ = 0, incoming_norm_ = 0, delta_ = 0;
};

}  // namespace flyball::optimise
