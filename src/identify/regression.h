#pragma once
// The linear regression of one CV on lagged signals, and its normal equations.
#include <cstdint>
#include <vector>

#include "identify/training_data.h"
#include "math/lag_gram.h"

namespace flyball::identify {

/// One CV in one form. Columns 0..nu−1 are the inputs, column nu is the CV (for a declared
/// integrator its increment y(t) − y(t−1)); differenced: every column is replaced by its change.
/// Where the levels of runs differ, inputs are counted from their means of the run and the CV from
/// the level that goes with them: what differs between runs is no answer.
struct Regression {
  Index nu = 0;
  Matrix x;                          ///< table rows × (nu + 1); unused inputs are zero
  std::vector<Stretch> stretches;    ///< where every used column is finite
  std::vector<std::uint8_t> target;  ///< per table row: 1 where it counts, see both_measured()
  bool integrating = false;
  bool differenced = false;

  /// A differenced regression has none: a constant would be a drift.
  [[nodiscard]] bool has_constant() const { return !differenced; }
  /// Unit roots between the regression's output and the CV.
  [[nodiscard]] int unit_roots() const { return (integrating ? 1 : 0) + (differenced ? 1 : 0); }
};

Regression make_regression(const TrainingData& data, Index cv, const std::vector<bool>& used,
                           bool integrating, bool differenced);

/// Keeps 1 where the row before in the block has 1 too. A row counts where its CV and the one before
/// were measured: then its change was, and no lag is filled in by what the row is to say.
void both_measured(std::vector<std::uint8_t>& target, const std::vector<Stretch>& blocks);

/// Target rows [first, end).
struct Interval {
  Index first = 0, end = 0;
};

/// Calls f(t0, t1) for every maximal run of targets inside [within) that has `max_lag` rows of its
/// stretch before it; rows that do not count are inside the run.
template <class F>
void for_each_run(const Regression& r, Interval within, Index max_lag, F&& f) {
  for (const Stretch& s : r.stretches) {
    const Index t0 = std::max(s.first + max_lag, within.first);
    const Index t1 = std::min(s.end, within.end);
    if (t1 > t0) f(t0, t1);
  }
}

/// Gram matrix of the targets inside the intervals.
math::LagGram gram_of(const Regression& r, Index max_lag, const std::vector<Interval>& within);

/// Normal equations: after projecting on the constant where there is one.
struct Normal {
  Matrix c;     ///< m(L+1) square
  Vector mean;  ///< of each lagged column
  Index rows = 0;
  Index max_lag = 0;

  [[nodiscard]] Index index(Index signal, Index lag) const { return signal * (max_lag + 1) + lag; }
};
Normal normal_of(const Regression& r, const math::LagGram& gram);

/// Of all used inputs and all CVs, columns as in the data, after a constant; an unused input is
/// zero.
Normal joint_normal(const TrainingData& data, const std::vector<bool>& used, Index max_lag);

/// A regressor: signal(t − lag).
struct Term {
  Index signal = 0, lag = 0;
};

/// Ridge with λ·diag(C): (C + λ diag C) θ = r for the listed terms and target column (nu, 0).
/// `exact_steps` repeats θ += (C + λ diag C)⁻¹ (r − C θ), which takes the ridge's bias away in the
/// directions that the data determine. Cost p³/3.
struct Solution {
  Vector theta;
  Matrix inverse;  ///< (C + λ diag C)⁻¹, when asked for
  double rss = 0;  ///< ≥ 0
  double condition = 0;
  Index rank = 0;  ///< of C, scaled to unit diagonal, above 1e-10 of its largest pivot
};
struct SolveOptions {
  double lambda = 1e-8;
  int exact_steps = 0;
  bool inverse = false;
};
Solution solve(const Normal& normal, const std::vector<Term>& terms, Term target,
               const SolveOptions& options);

/// A fit to the rows themselves: normal equations up to a condition of Φ of 1e6, above it the Gram
/// matrix in twice the working precision (math/exact_gram.h), which is more exact than QR.
struct RowFit {
  Solution solution;  ///< rank and condition of the path taken; `inverse` of the normal equations
  double constant = 0;
  bool exact = false;  ///< the condition asked for the second path
};
inline constexpr double kExactAbove = 1e6;
/// All targets of the regression, `normal` of the same rows. The condition is that of Φ without the
/// ridge.
RowFit fit_rows(const Regression& r, const Normal& normal, const std::vector<Term>& terms,
                const SolveOptions& options);

}  // namespace flyball::identify
