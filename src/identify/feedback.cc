#include "identify/feedback.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "identify/regression.h"
#include "math/distributions.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr Index kPastLags = 10;
constexpr Index kAnswerLags = 6;
constexpr double kKeptLimit = 0.01;
constexpr double kDeterministic = 1e-10;
constexpr double kNoInnovation = 1e-12;  ///< (1e-6·std)²: nothing but rounding
constexpr Index kTested[] = {1, 3, 10};
constexpr double kMoreLikelyThanNot = 0.5;
constexpr double kTests = 4;  ///< three of lags, one of the same step
constexpr double kSameStepLevel = 1e-4;
constexpr double kUnanswered = 0.25;
constexpr std::size_t kFewestMoves = 10;
constexpr double kStandsOut = 3;  ///< standard deviations of a move that stands out
constexpr SolveOptions kExact{.lambda = 1e-11, .exact_steps = 2, .inverse = false};

std::vector<Term> past_inputs(const std::vector<bool>& used, Index lags) {
  std::vector<Term> terms;
  for (std::size_t m = 0; m < used.size(); ++m) {
    for (Index k = 1; used[m] && k <= lags; ++k) terms.push_back({static_cast<Index>(m), k});
  }
  return terms;
}

/// The same question when the other inputs of the same step are known too: a logged set-point among
/// them makes the controller's law exact.
bool follows_others(const Normal& normal, std::vector<Term> past, std::vector<Term> with_answers,
                    Index mv, const std::vector<bool>& used, double all) {
  for (Index i = 0; i < static_cast<Index>(used.size()); ++i) {
    if (i == mv || !used[static_cast<std::size_t>(i)]) continue;
    past.push_back({i, 0});
    with_answers.push_back({i, 0});
  }
  const double before = solve(normal, past, {mv, 0}, kExact).rss;
  return before > kDeterministic * all &&
         solve(normal, with_answers, {mv, 0}, kExact).rss < kKeptLimit * before;
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
    if (!used[static_cast<std::size_t>(m)] || normal.rows < 2 * parameters) continue;
    const double all = normal.c(normal.index(m, 0), normal.index(m, 0));
    const double past = solve(normal, terms, {m, 0}, kExact).rss;
    if (!(past > kDeterministic * all)) continue;
    f.variance_kept = solve(normal, with_answers, {m, 0}, kExact).rss / past;
    f.computed_from_cvs =
        *f.variance_kept < kKeptLimit || follows_others(normal, terms, with_answers, m, used, all);
  }
}

/// The innovations of the record: e_y of every CV, e_u of every MV, at the rows that have them.
class Innovations {
 public:
  Innovations(const TrainingData& data, const std::vector<bool>& used) : data_(data), used_(used) {
    measured_only();
    const auto inputs = std::ranges::count(used, true);
    const Index columns = inputs + data.ny();
    Index rows = 0;
    for (const Stretch& s : stretches_) rows += s.end - s.first;
    lags_ = std::min(kPastLags, rows / (10 * std::max<Index>(columns, 1)));
    if (lags_ < 1) return;
    math::LagGram gram(x_.cols(), lags_);
    for (const Stretch& s : stretches_) gram.add(x_, s.first + lags_, s.end);
    if (gram.rows() < 2 * lags_ * columns) {
      lags_ = 0;
      return;
    }
    normal_ = {gram.centred(), gram.sums() / static_cast<double>(gram.rows()), gram.rows(), lags_};
    for (Index j = 0; j < data.ny(); ++j) e_y_.push_back(of_cv(j));
  }

  [[nodiscard]] bool known() const { return lags_ > 0; }
  [[nodiscard]] Index rows() const { return normal_.rows; }
  [[nodiscard]] Index lags() const { return lags_; }
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  [[nodiscard]] const std::vector<Vector>& e_y() const { return e_y_; }

  [[nodiscard]] Vector of_mv(Index m) const {
    return best([&](Index order) { return past_inputs(used_, order); }, m);
  }

  /// e_y without u(t) among its regressors: what a direct answer leaves in.
  [[nodiscard]] Vector of_cv_before(Index j) const {
    return best([&](Index order) { return cv_terms(order, 1); }, data_.nu() + j);
  }

 private:
  void measured_only() {
    x_ = data_.x;
    std::vector<Index> columns;
    for (Index c = 0; c < x_.cols(); ++c) {
      if (c < data_.nu() && !used_[static_cast<std::size_t>(c)]) {
        x_.col(c).setZero();
        continue;
      }
      columns.push_back(c);
      for (Index t = 0; c >= data_.nu() && t < x_.rows(); ++t) {
        if (data_.observed(t, c - data_.nu()) == 0) x_(t, c) = std::nan("");
      }
    }
    stretches_ = usable(x_, columns, data_.blocks);
  }

  [[nodiscard]] std::vector<Term> cv_terms(Index order, Index first_input_lag) const {
    std::vector<Term> terms;
    for (Index c = 0; c < x_.cols(); ++c) {
      const bool input = c < data_.nu();
      if (input && !used_[static_cast<std::size_t>(c)]) continue;
      for (Index k = input ? first_input_lag : 1; k <= order; ++k) terms.push_back({c, k});
    }
    return terms;
  }

  [[nodiscard]] Vector of_cv(Index j) const {
    return best([&](Index order) { return cv_terms(order, 0); }, data_.nu() + j);
  }

  /// Residual of the order with the least N ln(rss) + 2 parameters; empty when only rounding is
  /// left.
  template <class TermsOf>
  [[nodiscard]] Vector best(const TermsOf& terms_of, Index target) const {
    const double all = normal_.c(normal_.index(target, 0), normal_.index(target, 0));
    double least = 0;
    Index chosen = 0;
    for (Index order = 1; order <= lags_; ++order) {
      const auto terms = terms_of(order);
      const double rss = solve(normal_, terms, {target, 0}, kExact).rss;
      if (!(rss > kNoInnovation * all)) return {};
      const double criterion =
          static_cast<double>(rows()) * std::log(rss) + 2 * static_cast<double>(terms.size());
      if (chosen > 0 && !(criterion < least)) continue;
      least = criterion;
      chosen = order;
    }
    return residual(terms_of(chosen), target);
  }

  [[nodiscard]] Vector residual(const std::vector<Term>& terms, Index target) const {
    const Vector theta = solve(normal_, terms, {target, 0}, kExact).theta;
    Vector e = Vector::Constant(x_.rows(), std::nan(""));
    double offset = normal_.mean(normal_.index(target, 0));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      offset -=
          theta(static_cast<Index>(i)) * normal_.mean(normal_.index(terms[i].signal, terms[i].lag));
    }
    for (const Stretch& s : stretches_) {
      const Index first = s.first + lags_, rows = s.end - first;
      if (rows < 1) continue;
      e.segment(first, rows) = x_.col(target).segment(first, rows).array() - offset;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        e.segment(first, rows) -= theta(static_cast<Index>(i)) *
                                  x_.col(terms[i].signal).segment(first - terms[i].lag, rows);
      }
    }
    return e;
  }

  const TrainingData& data_;
  const std::vector<bool>& used_;
  Matrix x_;
  std::vector<Stretch> stretches_;
  Index lags_ = 0;
  Normal normal_;
  std::vector<Vector> e_y_;
};

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
    const bool together = *f.same_step_p_value < kSameStepLevel;
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
