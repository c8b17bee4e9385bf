#include "identify/excitation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "identify/regression.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kMoveShare = 0.1;
constexpr double kRankTolerance = 1e-9;
constexpr double kStrongTolerance = 1e-2;
constexpr Index kPastLags = 10;
constexpr Index kAnswerLags = 6;
constexpr double kKeptLimit = 0.01;
constexpr double kDeterministic = 1e-10;
constexpr double kCollinear = 0.95;

std::vector<Term> past_inputs(const std::vector<bool>& used) {
  std::vector<Term> terms;
  for (std::size_t m = 0; m < used.size(); ++m) {
    for (Index k = 1; used[m] && k <= kPastLags; ++k) terms.push_back({static_cast<Index>(m), k});
  }
  return terms;
}

/// Normal equations of all used inputs and all CVs, after a constant.
Normal joint_normal(const TrainingData& data, const std::vector<bool>& used, Index max_lag) {
  Matrix x = data.x;
  std::vector<Index> columns;
  for (Index c = 0; c < x.cols(); ++c) {
    if (c < data.nu() && !used[static_cast<std::size_t>(c)]) {
      x.col(c).setZero();
    } else {
      columns.push_back(c);
    }
  }
  math::LagGram gram(x.cols(), max_lag);
  for (const Stretch& s : usable(x, columns, data.blocks)) gram.add(x, s.first + max_lag, s.end);
  Normal n;
  n.rows = gram.rows();
  n.max_lag = max_lag;
  if (n.rows > 0) n.c = gram.centred();
  return n;
}

/// Number of leading lags whose scaled Gram matrix keeps pivots above the tolerance.
Index leading_rank(const Matrix& c, double tolerance) {
  const Index n = c.rows();
  Matrix l = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    const double scale = c(0, 0);
    const double pivot = c(j, j) / scale - l.row(j).head(j).squaredNorm();
    if (!(pivot > tolerance)) return j;
    l(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < n; ++i) {
      l(i, j) = (c(i, j) / scale - l.row(i).head(j).dot(l.row(j).head(j))) / l(j, j);
    }
  }
  return n;
}

}  // namespace

Excitation excitation_of(const TrainingData& data, Index input, Index parameters) {
  Excitation e;
  e.input = data.name(input);
  e.mv = input < data.n_mv;
  e.constant = data.constant[static_cast<std::size_t>(input)];
  if (e.constant) return e;
  const double step = kMoveShare * (data.high(input) - data.low(input)) / data.std(input);
  const double low = (data.low(input) - data.mean(input)) / data.std(input);
  std::set<Index> levels;
  const auto stretches = usable(data.x, {input}, data.blocks);
  for (const Stretch& s : stretches) {
    double level = data.x(s.first, input);
    for (Index t = s.first; t < s.end; ++t) {
      const double v = data.x(t, input);
      levels.insert(static_cast<Index>(std::floor((v - low) / step + 0.5)));
      if (std::abs(v - level) > step) {
        ++e.moves;
        level = v;
      }
    }
  }
  e.levels = static_cast<std::int64_t>(levels.size());
  const Matrix column = data.x.col(input);
  math::LagGram gram(1, kPersistenceMax - 1);
  for (const Stretch& s : stretches) gram.add(column, s.first + kPersistenceMax - 1, s.end);
  Index strong = 0;
  if (gram.rows() > kPersistenceMax) {
    const Matrix c = gram.centred();
    e.persistence_order = leading_rank(c, kRankTolerance);
    strong = leading_rank(c, kStrongTolerance);
  }
  e.excited = e.moves >= kMovesNeeded || strong >= parameters;
  return e;
}

/// The same question when the other inputs of the same step are known too: a logged set-point among
/// them makes the controller's law exact.
bool follows_others(const Normal& normal, std::vector<Term> past, std::vector<Term> with_answers, Index mv,
                    const std::vector<bool>& used, double all) {
  for (Index i = 0; i < static_cast<Index>(used.size()); ++i) {
    if (i == mv || !used[static_cast<std::size_t>(i)]) continue;
    past.push_back({i, 0});
    with_answers.push_back({i, 0});
  }
  const SolveOptions exact{.lambda = 1e-11, .exact_steps = 2, .inverse = false};
  const double before = solve(normal, past, {mv, 0}, exact).rss;
  return before > kDeterministic * all && solve(normal, with_answers, {mv, 0}, exact).rss < kKeptLimit * before;
}

std::vector<Feedback> feedback_of(const TrainingData& data, const std::vector<bool>& used) {
  const Normal normal = joint_normal(data, used, kPastLags);
  const SolveOptions exact{.lambda = 1e-11, .exact_steps = 2, .inverse = false};
  std::vector<Term> terms = past_inputs(used);
  std::vector<Term> with_answers = terms;
  for (Index j = 0; j < data.ny(); ++j) {
    for (Index k = 0; k <= kAnswerLags; ++k) with_answers.push_back({data.nu() + j, k});
  }
  std::vector<Feedback> out;
  for (Index m = 0; m < data.n_mv; ++m) {
    Feedback f;
    f.mv = data.name(m);
    out.push_back(f);
    const auto parameters = static_cast<Index>(with_answers.size());
    if (!used[static_cast<std::size_t>(m)] || normal.rows < 2 * parameters) continue;
    const double all = normal.c(normal.index(m, 0), normal.index(m, 0));
    const double past = solve(normal, terms, {m, 0}, exact).rss;
    if (!(past > kDeterministic * all)) continue;
    const double kept = solve(normal, with_answers, {m, 0}, exact).rss / past;
    out.back().variance_kept = kept;
    out.back().computed_from_cvs = kept < kKeptLimit || follows_others(normal, terms, with_answers, m, used, all);
  }
  return out;
}

/// "0.98·u2 + 0.31·u3", weights of a tenth of the largest or more, model units.
void describe_combination(const TrainingData& data, Index m, const std::vector<Term>& others,
                          const Vector& weights, Collinear& c) {
  constexpr double kShown = 0.1;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double w = weights(static_cast<Index>(i));
    if (std::abs(w) < kShown * weights.cwiseAbs().maxCoeff()) continue;
    c.others.push_back(data.name(others[i].signal));
    c.weights.push_back(w * data.std(m) / data.std(others[i].signal));
    c.combination += c.combination.empty() ? (c.weights.back() < 0 ? "−" : "")
                                           : (c.weights.back() < 0 ? " − " : " + ");
    c.combination += fmt::format("{:.3g}·{}", std::abs(c.weights.back()), c.others.back());
  }
}

std::vector<Collinear> collinear_of(const TrainingData& data, const std::vector<bool>& used) {
  const Normal normal = joint_normal(data, used, 0);
  std::vector<Collinear> out;
  if (normal.rows < 2) return out;
  for (Index m = 0; m < data.n_mv; ++m) {
    if (!used[static_cast<std::size_t>(m)]) continue;
    std::vector<Term> others;
    Index closest = -1;
    double largest = 0;
    const double power = normal.c(m, m);
    for (Index i = 0; i < data.nu(); ++i) {
      if (i == m || !used[static_cast<std::size_t>(i)]) continue;
      others.push_back({i, 0});
      const double share = normal.c(i, m) * normal.c(i, m) / (power * normal.c(i, i));
      if (share > largest) {
        largest = share;
        closest = i;
      }
    }
    if (closest < 0) continue;
    const Solution solution = solve(normal, others, {m, 0}, {.lambda = 1e-12});
    const double left = std::max(solution.rss / power, kDeterministic);
    if (1 - left < kCollinear) continue;
    Collinear c;
    c.mv = data.name(m);
    c.with = data.name(closest);
    c.explained = 1 - solution.rss / power;
    c.vif = 1 / left;
    describe_combination(data, m, others, solution.theta, c);
    out.push_back(std::move(c));
  }
  return out;
}

}  // namespace flyball::identify
