#pragma once
// Dual active set method for dense convex programs whose H and A stay while g and the limits
// change.
//
// Set-up: H = L Lᵀ, V = L⁻¹ [I Aᵀ] (n×(n+m)). The dual of the program in the multipliers λ of the
// limits has the Hessian K = VᵀV, whose columns are computed when a limit first becomes active and
// kept. A solve keeps a working set W with K_WW = RᵀR, moves λ to the optimum of W (a limit whose
// multiplier would change its sign leaves), then takes in the limit with the largest violation over
// its length in H⁻¹, √K_ii. The dual objective only rises, so no set comes twice. A limit that
// depends on W moves λ along the null direction: another leaves, or the direction is a Farkas
// certificate. At the end (x, λ) is refined on the equations of W with residuals of the data as
// given, and checked. H that is only semidefinite gets a proximal term: the same loop then repeats
// from its own answer.
//
// Next solve starts from the last working set; forget() makes it start from none. The optimum is
// the same within the tolerance. No solve allocates; the same calls give the same bits. Cost:
// set-up n³/3 + n²m; an iteration k² + (n+m)k; a new column (n+m)n; the check n² + mn. Memory
// n(n+m) + the kept columns, at most max(64 MB, (n+2)(n+m)). Source: Goldfarb and Idnani, Math.
// Programming 27 (1983); Arnström, Bemporad, Axehill, IEEE TAC 67 (2022).
#include <chrono>
#include <vector>

#include "solver/gram_factor.h"
#include "solver/qp.h"

namespace flyball::solver {

class ActiveSet {
 public:
  /// `h` n×n, `a` m×n (m may be 0). Throws QP_SHAPE, QP_NOT_FINITE, QP_NOT_SYMMETRIC,
  /// QP_NOT_CONVEX.
  ActiveSet(const Matrix& h, const Matrix& a, Settings settings = {});

  /// g, lower, upper of length n; row limits of length m. Status::invalid on a NaN or a wrong
  /// length. The reference holds until the next solve.
  const Solution& solve(const ConstVectorRef& g, const ConstVectorRef& row_lower,
                        const ConstVectorRef& row_upper, const ConstVectorRef& lower,
                        const ConstVectorRef& upper) noexcept;

  void forget() noexcept;
  /// The next solve starts from the working set `active` (by index, bounds first: −1 at the lower
  /// limit, 1 at the upper one, 2 an equation, 0 none) and, where H is only semidefinite, near x.
  void start_from(const std::vector<signed char>& active, const Vector& x) noexcept;
  void limit(const Settings& settings) noexcept { settings_ = settings; }
  [[nodiscard]] Index variables() const { return n_; }
  [[nodiscard]] Index rows() const { return m_; }
  /// False when H needed the proximal term.
  [[nodiscard]] bool strictly_convex() const { return !proximal_; }

 private:
  enum class End { optimal, infeasible, iterations, time };
  enum class Entry { added, redundant, infeasible };

  // active_set.cc
  bool load(const ConstVectorRef& g, const ConstVectorRef& row_lower,
            const ConstVectorRef& row_upper, const ConstVectorRef& lower,
            const ConstVectorRef& upper) noexcept;
  bool contradiction() noexcept;
  void start() noexcept;
  void adopt_sides() noexcept;
  void centre(bool first) noexcept;
  const Solution& finish(Status status) noexcept;
  // active_set_steps.cc
  End run() noexcept;
  bool step_to_optimum_of_set() noexcept;
  Entry enter(Index p) noexcept;
  double pivot(Index p) noexcept;
  void leave(Index position) noexcept;
  bool certify(Index p, double sign) noexcept;
  const double* column(Index i) noexcept;
  [[nodiscard]] double limit_of(Index position) const noexcept;
  // active_set_check.cc
  void point() noexcept;
  bool refine(int corrections) noexcept;
  void measure() noexcept;
  void correct() noexcept;
  void best_feasible() noexcept;
  bool feasible(const Vector& x) noexcept;
  [[nodiscard]] double objective(const Vector& x) noexcept;

  void lower_solve(double* b) noexcept;  ///< b ← L⁻¹ b
  void upper_solve(double* b) noexcept;  ///< b ← L⁻ᵀ b
  [[nodiscard]] const double* metric(Index i) const { return v_.data() + i * n_; }
  [[nodiscard]] Index metric_from(Index i) const { return i < n_ ? i : 0; }
  [[nodiscard]] bool out_of_time() const noexcept;

  Index n_, m_, total_;
  Settings settings_;
  bool proximal_ = false;
  Matrix h_, rows_;     ///< rows_ = Aᵀ: a row of A is contiguous
  Matrix v_;            ///< V (n×(n+m)); its first n columns are L⁻¹
  Vector length_;       ///< √K_ii
  Vector coefficient_;  ///< ‖a_i‖∞
  Matrix columns_;      ///< kept columns of K
  std::vector<Index> slot_, owner_;
  Index next_slot_ = 0;

  Vector g_, low_, up_, scale_, low_tested_, up_tested_, weight_;
  std::vector<Index> set_, place_;  ///< W, and the place of a limit in it (−1)
  std::vector<signed char> side_;   ///< by place: 1 upper, −1 lower, 0 equation
  Vector lambda_, star_, direction_, entering_;
  double entering_lambda_ = 0;
  GramFactor factor_;
  Vector base_, values_, priced_;  ///< a_i x at λ = 0, at λ; violations
  Vector x_, x0_, hx_, work_, residual_, previous_, trial_, activity_, solved_;
  bool has_previous_ = false, starts_at_x_ = false;
  std::chrono::steady_clock::time_point begun_;
  Solution solution_;
};

}  // namespace flyball::solver
