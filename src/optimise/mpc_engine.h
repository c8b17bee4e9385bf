#pragma once
// The fast engine: min ½ zᵀHz + fᵀz over moves with limits on moves, values and CVs, by a dual
// active set that starts from the last working set. Derivation: Goldfarb and Idnani 1983.
//
//   v = [z | y | u] = v0 − Σ_{i in set} λ_i a-column_i,     v0 from two products with the
//   parameters most violated limit over ‖a‖ in H⁻¹ in, whatever blocks the step of the multipliers
//   out
//
// Limits on MVs are looked at first; CV rows, which are many, only when those hold. Every iterate
// is dual feasible, so its cost is a lower bound, and a clipped plan is an answer at any time.
// After the constructor everything is noexcept and allocates nothing; the same calls give the same
// bits. Cost of a solve with w active limits and c changes: 1 U + w·(n + P·ny) + c·(4w² + w·n).
#include <chrono>
#include <memory>
#include <vector>

#include "optimise/working_set.h"

namespace flyball::optimise {

/// What shares one slack: both sides of a CV over the horizon, one side of it, or one step.
enum class Shares { cv, side, step };

/// One family of limits on the CVs.
struct Tier {
  bool soft = true;
  Shares slack = Shares::side;
  Vector quadratic, linear;  ///< ny: ρ > 0, ρ₁ ≥ 0; unused when hard
};

enum class Answer { solved, infeasible, limit };

class MpcEngine {
 public:
  MpcEngine(std::shared_ptr<const Condensed> model, const std::vector<Tier>& tiers,
            Index column_bytes = Index{16} << 20);

  /// Limits, ±infinity or beyond ±1e8 for none. z, u: n values; y: rows of F order (CV by CV, P
  /// each).
  void limit_moves(const double* low, const double* high) noexcept;
  void limit_values(const double* low, const double* high) noexcept;
  /// A hard limit is dropped where no move reaches the CV yet.
  void limit_cvs(Index tier, const double* low, const double* high) noexcept;

  /// ρ₁ of every slack of one CV in a soft tier.
  void set_linear(Index tier, Index cv, double linear) noexcept;

  /// What stands before the closed forms: [z | y], n4 + rows (see Condensed::constant).
  [[nodiscard]] double* start() noexcept { return start_.data(); }
  [[nodiscard]] const double* start() const noexcept { return start_.data(); }

  using Clock = std::chrono::steady_clock;
  void set_iteration_limit(Index changes) noexcept { iteration_limit_ = changes; }
  /// A solve that is not done by then ends as at the iteration limit.
  void set_deadline(Clock::time_point at) noexcept { deadline_ = at; }
  [[nodiscard]] Clock::time_point deadline() const noexcept { return deadline_; }
  /// The last solve met the deadline.
  [[nodiscard]] bool late() const noexcept { return late_; }
  /// Moves of the last iterate before they were clipped at a limit: best of a part of the limits.
  [[nodiscard]] const double* unclipped() const noexcept { return unclipped_.data(); }
  /// Forgets the working set.
  void restart() noexcept;

  Answer solve(const double* theta, const double* u_prev) noexcept;

  [[nodiscard]] const double* z() const noexcept { return v_; }
  [[nodiscard]] const double* y() const noexcept { return v_ + shape_.y_at(); }
  [[nodiscard]] const double* u() const noexcept { return u_; }
  [[nodiscard]] double slack(Index s) const noexcept { return set_.slack(s); }
  [[nodiscard]] Index iterations() const noexcept { return iterations_; }
  [[nodiscard]] const WorkingSet& set() const noexcept { return set_; }
  [[nodiscard]] const Condensed& model() const noexcept { return *model_; }
  [[nodiscard]] bool is_soft(Index tier) const noexcept {
    return tiers_[static_cast<std::size_t>(tier)].soft;
  }
  /// First slack of a CV in a soft tier, and how many each CV has there.
  [[nodiscard]] Index first_slack(Index tier, Index cv) const noexcept {
    return first_slack_[static_cast<std::size_t>(tier)] + cv * slacks_each(tier);
  }
  [[nodiscard]] Index slacks_each(Index tier) const noexcept {
    return slacks_each(tiers_[static_cast<std::size_t>(tier)], shape_);
  }
  /// The slack of one side (±1) of row j·P4 + k of y in a soft tier.
  [[nodiscard]] Index slack_at(Index tier, Index y_row, double side) const noexcept {
    const Shares shares = tiers_[static_cast<std::size_t>(tier)].slack;
    const Index first = first_slack(tier, y_row / shape_.p4);
    if (shares == Shares::step) return first + y_row % shape_.p4;
    return shares == Shares::side && side > 0 ? first + 1 : first;
  }
  [[nodiscard]] static Index slacks_each(const Tier& t, const Shape& shape) noexcept {
    return t.slack == Shares::step ? shape.p4 : t.slack == Shares::side ? 2 : 1;
  }

 private:
  struct Limits {
    Doubles low, high;            ///< as given
    Doubles scan_low, scan_high;  ///< widened by the tolerance, infinite where in the set
  };
  struct Found {
    Constraint constraint;
    double violation = 0;
    bool any = false;
  };

  void set_limits(Limits& limits, const double* low, const double* high, Index n) noexcept;
  void enter(const Constraint& c) noexcept { scan(c, false); }
  void leave(const Constraint& c) noexcept { scan(c, true); }
  void scan(const Constraint& c, bool on) noexcept;
  Limits& limits_of(const Constraint& c) noexcept;
  void move_values() noexcept;
  void cv_values() noexcept;
  void polish() noexcept;
  Found worst_of_moves() noexcept;
  Found worst_of_cvs() noexcept;
  Found found(const Limits& limits, Index offset, Index row, std::int32_t tier, double shift_low,
              double shift_high) noexcept;
  void clip(const double* u_prev) noexcept;

  std::shared_ptr<const Condensed> model_;
  Shape shape_;
  std::vector<Tier> tiers_;
  std::vector<Index> first_slack_;
  WorkingSet set_;
  Limits moves_, values_;
  std::vector<Limits> cvs_;
  Doubles start_, v0_, work_, u_prev_, unclipped_;
  double* v_ = nullptr;  ///< v0_ with an empty set, else work_
  double* u_ = nullptr;
  Index iterations_ = 0, iteration_limit_ = 100'000;
  Clock::time_point deadline_ = Clock::time_point::max();
  bool fresh_ = false, late_ = false;
};

}  // namespace flyball::optimise
