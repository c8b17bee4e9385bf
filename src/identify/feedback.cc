#include "identify/feedback.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "identify/innovations.h"
#include "math/distributions.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr Index kAnswerLags = 6;
constexpr double kKeptLimit = 0.01;
constexpr double kDeterministic = 1e-10;
constexpr double kHeldShare = 0.8;
constexpr Index kTested[] = {1, 3, 10};
constexpr double kMoreLikelyThanNot = 0.5;
constexpr double kTests = 4;  ///< three of lags, one of the same step
constexpr double kSameStepLevel = 1e-4;
constexpr double kUnanswered = 0.25;
constexpr std::size_t kFewestMoves = 10;
constexpr double kStandsOut = 3;  ///< standard deviations of a move that stands out

/// The same question when the other inputs of the same step are known too: a logged set-point among
/// them makes the controller's law exact.
bool follows_others(const Normal& normal, std::vector<Term> past, std::vector<Term> with_answers,
                    Index mv, const std::vector<bool>& used, double all) {
  for (Index i = 0; i < static_cast<Index>(used.size()); ++i) {
    if (i == mv || !used[static_cast<std::size_t>(i)]) continue;
    past.push_back({i, 0});
    with_answers.push_back({i, 0});
  }
  const double before = solve(normal, past, {mv, 0}, kFeedbackSolve).rss;
  return before > kDeterministic * all &&
         solve(normal, with_answers, {mv, 0}, kFeedbackSolve).rss < kKeptLimit * before;
}

/// An MV that rests, to the last digit, in most of the steps in which a CV moves is not computed
/// from the CVs, however well they tell where it stands: it is they that answer it at once.
bool rests_while_cvs_move(const TrainingData& data, Index mv) {
  Index moving = 0, resting = 0;
  for (const Stretch& block : data.blocks) {
    for (Index t = block.first + 1; t < block.end; ++t) {
      bool moves = false;
      for (Index j = 0; j < data.ny() && !moves; ++j) {
        const Index c = data.nu() + j;
        moves = data.observed(t, j) != 0 && data.observed(t - 1, j) != 0 &&
                data.x(t, c) != data.x(t - 1, c);
      }
      if (!moves) continue;
      ++moving;
      resting += data.x(t, mv) == data.x(t - 1, mv) ? 1 : 0;
    }
  }
  return moving > 0 && static_cast<double>(resting) >= kHeldShare * static_cast<double>(moving);
}

void judge_variance_kept(const TrainingData& data, const std::vector<bool>& used,
                         std::vector<Feedback>& out) {
  const Normal normal = joint_normal(data, used, kPastLags);
  const std::vector<Term> terms = past_inputs(used, kPastLags);
  std::vector<Term> with_answers = terms;
  for (Index j = 0; j < data.ny(); ++j) {
    for (Index k = 0; k <= kAnswerLags; ++k) with_answers.push_back({data.nu() + j, k});
  }
  for (Index m = 0; m < data.n_mv; ++m) {
    Feedback& f = out[static_cast<std::size_t>(m)];
    const auto parameters = static_cast<Index>(with_answers.size());
    f.rests = rests_while_cvs_move(data, m);
    if (!used[static_cast<std::size_t>(m)] || normal.rows < 2 * parameters) continue;
    const double all = normal.c(normal.index(m, 0), normal.index(m, 0));
    const double past = solve(normal, terms, {m, 0}, kFeedbackSolve).rss;
    if (!(past > kDeterministic * all)) continue;
    f.variance_kept = solve(normal, with_answers, {m, 0}, kFeedbackSolve).rss / past;
    f.computed_from_cvs = (*f.variance_kept < kKeptLimit ||
                           follows_others(normal, terms, with_answers, m, used, all)) &&
                          !f.rests;
  }
}

/// Bayes factor of `size` coefficients against none, by Schwarz.
double bayes_factor(double statistic, double size, double n) {
  return std::exp(std::min((statistic - size * std::log(n)) / 2, 600.0));
}

/// Σ a(t) b(t−k) over the rows that have a maximal lag of innovations behind them.
double lagged(const Innovations& in, const Vector& a, const Vector& b, Index k, Index behind) {
  double sum = 0;
  for (const Stretch& s : in.stretches()) {
    const Index first = s.first + in.lags() + behind, rows = s.end - first;
    if (rows > 0) sum += a.segment(first, rows).dot(b.segment(first - k, rows));
  }
  return sum;
}

struct Pair {
  double u, y;
};
struct Slope {
  double value = 0, variance = 0;
};

/// Slopes of e_y on e_u in large moves and in the others.
struct Change {
  Slope large, small;

  [[nodiscard]] double z() const {
    const double variance = large.variance + small.variance;
    return variance > 0 ? (large.value - small.value) / std::sqrt(variance) : 0;
  }
  [[nodiscard]] bool jumps_unanswered() const {
    return 2 * math::normal_cdf(-std::abs(z())) < kSameStepLevel &&
           std::abs(large.value) < kUnanswered * std::abs(small.value) &&
           std::abs(large.value) < 2 * std::sqrt(large.variance);
  }
};

class LoopTest {
 public:
  LoopTest(const Innovations& in, Index mv) : in_(in), e_u_(in.of_mv(mv)) {
    for (std::size_t j = 0; j < in.e_y().size(); ++j) {
      if (in.e_y()[j].size() > 0) cvs_.push_back(static_cast<Index>(j));
    }
  }

  [[nodiscard]] bool possible() const { return e_u_.size() > 0 && !cvs_.empty(); }
  [[nodiscard]] bool moves() const { return e_u_.size() > 0; }
  [[nodiscard]] double std() const {
    return std::sqrt(lagged(in_, e_u_, e_u_, 0, 0) / static_cast<double>(in_.rows()));
  }

  /// The CV that goes with the MV most within a step.
  void name_closest(Feedback& f, const TrainingData& data) const {
    double largest = 0;
    for (Index j = 0; j < data.ny(); ++j) {
      const Vector before = in_.of_cv_before(j);
      if (before.size() == 0) continue;
      const double r =
          lagged(in_, e_u_, before, 0, 0) / std::sqrt(lagged(in_, before, before, 0, 0));
      if (!(std::abs(r) > std::abs(largest))) continue;
      largest = r;
      f.cv = data.name(data.nu() + j);
      f.direction = r > 0 ? 1 : -1;
    }
  }

  void run(Feedback& f, const TrainingData& data) {
    const Index most = kTested[2];
    const Index rows = rows_behind(most);
    if (rows < 4 * most * static_cast<Index>(cvs_.size())) return;
    const double n = static_cast<double>(rows);
    z_.resize(most + 1, static_cast<Index>(cvs_.size()));
    r_u_.resize(most + 1);
    for (Index k = 0; k <= most; ++k) {
      r_u_(k) = lagged(in_, e_u_, e_u_, k, most) / n;
      for (Index j = 0; j < z_.cols(); ++j) z_(k, j) = lagged(in_, e_u_, e_of(j), k, most);
    }
    covariances(n, most);
    const double cvs = static_cast<double>(z_.cols());
    double odds = 0, p = 1;
    for (const Index q : kTested) {
      const double size = static_cast<double>(q) * cvs;
      const double statistic = statistic_of(q, n);
      p = std::min(p, math::f_survival(statistic / size, size, n - size));
      odds += bayes_factor(statistic, size, n);
    }
    const SameStep now = same_step(f, data, n, most);
    f.same_step_p_value = std::min(1.0, now.p_value * cvs);
    const bool together = *f.same_step_p_value < kSameStepLevel && !f.rests;
    if (together) {
      const double z = now.slope_change;
      p = std::min(p, 4 * math::normal_cdf(-std::abs(z)) * cvs);
      odds += bayes_factor(z * z, 1, n);
    }
    f.p_value = std::min(1.0, kTests * p);
    f.probability = odds / (kTests + odds);
    if (together) f.probability = std::max(*f.probability, 0.5);
  }

 private:
  [[nodiscard]] const Vector& e_of(Index j) const {
    return in_.e_y()[static_cast<std::size_t>(cvs_[static_cast<std::size_t>(j)])];
  }

  [[nodiscard]] Index rows_behind(Index behind) const {
    Index rows = 0;
    for (const Stretch& s : in_.stretches()) {
      rows += std::max<Index>(s.end - s.first - in_.lags() - behind, 0);
    }
    return rows;
  }

  void covariances(double n, Index behind) {
    s_y_.resize(z_.cols(), z_.cols());
    for (Index i = 0; i < z_.cols(); ++i) {
      for (Index j = 0; j < z_.cols(); ++j)
        s_y_(i, j) = lagged(in_, e_of(i), e_of(j), 0, behind) / n;
    }
  }

  /// zᵀ (N R ⊗ Σ)⁻¹ z over the lags 1..q; a singular covariance counts as no evidence.
  [[nodiscard]] double statistic_of(Index q, double n) const {
    Matrix r(q, q);
    for (Index i = 0; i < q; ++i) {
      for (Index j = 0; j < q; ++j) r(i, j) = r_u_(std::abs(i - j));
    }
    const Matrix z = z_.middleRows(1, q);
    const auto left = math::solve(r, z);                          // R⁻¹ Z
    const auto right = math::solve(s_y_, Matrix(z.transpose()));  // Σ⁻¹ Zᵀ
    if (!left || !right) return 0;
    return std::max(0.0, left->cwiseProduct(right->transpose()).sum() / n);
  }

  struct SameStep {
    double p_value = 1;
    double slope_change = 0;  ///< in standard errors, of the CV with the largest
  };

  /// Lag 0, and which CV the MV answers with which sign: the largest correlation of lags 0..3.
  SameStep same_step(Feedback& f, const TrainingData& data, double n, Index behind) {
    SameStep out;
    double largest = 0;
    for (Index j = 0; j < z_.cols(); ++j) {
      const Index cv = cvs_[static_cast<std::size_t>(j)];
      const Vector before = in_.of_cv_before(cv);
      if (before.size() == 0) continue;
      const double power = lagged(in_, before, before, 0, behind);
      for (Index k = 0; k <= 3; ++k) {
        const double r = (k == 0 ? lagged(in_, e_u_, before, 0, behind) : z_(k, j)) /
                         std::sqrt(power * r_u_(0) * n);
        if (k == 0) {
          out.p_value = std::min(out.p_value, 2 * math::normal_cdf(-std::abs(r) * std::sqrt(n)));
        }
        if (std::abs(r) > largest) {
          largest = std::abs(r);
          f.cv = data.name(data.nu() + cv);
          f.direction = r > 0 ? 1 : -1;
        }
      }
      const Change change = slope_change(before);
      if (std::abs(change.z()) > std::abs(out.slope_change)) out.slope_change = change.z();
      if (change.jumps_unanswered()) f.not_direct.push_back(data.name(data.nu() + cv));
    }
    return out;
  }

  /// Slope of e_y on e_u in the large moves minus that in the others, over its standard error (the
  /// residuals' variance may differ between the two). Large: the largest that hold half of the
  /// power, and those beyond 3 robust standard deviations; the larger change of the two.
  [[nodiscard]] Change slope_change(const Vector& e_y) const {
    std::vector<Pair> moves;
    for (Index t = 0; t < e_u_.size(); ++t) {
      if (std::isfinite(e_u_(t)) && std::isfinite(e_y(t))) moves.push_back({e_u_(t), e_y(t)});
    }
    std::ranges::sort(moves, std::greater<>{}, [](const Pair& m) { return std::abs(m.u); });
    double all = 0;
    for (const Pair& m : moves) all += m.u * m.u;
    std::size_t half = 0, beyond = 0;
    for (double sum = 0; half < moves.size() && sum < all / 2; ++half) {
      sum += moves[half].u * moves[half].u;
    }
    const double limit = moves.empty() ? 0 : 3 * 1.4826 * std::abs(moves[moves.size() / 2].u);
    while (beyond < moves.size() && std::abs(moves[beyond].u) > limit) ++beyond;
    const Change a = change_at(moves, half), b = change_at(moves, beyond);
    return std::abs(a.z()) > std::abs(b.z()) ? a : b;
  }

  static Slope slope_of(std::span<const Pair> moves) {
    double uu = 0, uy = 0, spread = 0;
    for (const Pair& m : moves) {
      uu += m.u * m.u;
      uy += m.u * m.y;
    }
    const double slope = uy / uu;
    for (const Pair& m : moves) spread += std::pow(m.u * (m.y - slope * m.u), 2);
    return {slope, spread / (uu * uu)};
  }

  static Change change_at(std::span<const Pair> moves, std::size_t cut) {
    if (cut < kFewestMoves || moves.size() < cut + kFewestMoves) return {};
    return {slope_of(moves.first(cut)), slope_of(moves.subspan(cut))};
  }

  const Innovations& in_;
  Vector e_u_;
  std::vector<Index> cvs_;
  Matrix z_;    ///< (lags 0..q) × CVs
  Vector r_u_;  ///< autocovariance of e_u
  Matrix s_y_;
};

}  // namespace

std::vector<Feedback> feedback_of(const TrainingData& data, const std::vector<bool>& used) {
  std::vector<Feedback> out(static_cast<std::size_t>(data.n_mv));
  for (Index m = 0; m < data.n_mv; ++m) out[static_cast<std::size_t>(m)].mv = data.name(m);
  judge_variance_kept(data, used, out);
  const Innovations innovations(data, used);
  for (Index m = 0; m < data.n_mv && innovations.known(); ++m) {
    Feedback& f = out[static_cast<std::size_t>(m)];
    if (!used[static_cast<std::size_t>(m)]) continue;
    LoopTest test(innovations, m);
    if (!test.moves()) continue;
    f.mv_move = kStandsOut * test.std() * data.std(m);
    if (test.possible()) test.run(f, data);
    if (f.cv.empty()) test.name_closest(f, data);
  }
  for (Feedback& f : out) {
    f.in_loop = f.computed_from_cvs ||
                (f.p_value && *f.p_value<kFeedbackLevel&& * f.probability> kMoreLikelyThanNot);
    if (f.computed_from_cvs) f.probability = 1;
    const Index cv = std::ranges::find(data.outputs, f.cv) - data.outputs.begin();
    if (cv < data.ny()) f.cv_move = kStandsOut * data.std(data.nu() + cv);
  }
  return out;
}

}  // namespace flyball::identify
