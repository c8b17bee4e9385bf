#include "identify/collinear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/closed_loop.h"
#include "identify/horizon.h"
#include "math/distributions.h"

namespace flyball::identify {
namespace {

constexpr double kNeeded = 1.1;           ///< error without an MV over that with it
constexpr double kDeterministic = 1e-10;  ///< share of the variance: nothing is left
constexpr double kCollinear = 0.95;
constexpr Index kLags = 20, kColumnsMost = 300, kRowsPerColumn = 10;
constexpr double kVifMost = 1e8;  ///< rounding decides
constexpr double k95 = 1.96, kLevel = 0.01, kShareTogether = 0.25, kShareOwn = 0.5,
                 kShareOfNothing = 0.25, kErrors = 2.58;
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

/// "0.98·u2 + 0.31·u3", weights of a tenth of the largest or more, model units.
void describe_combination(const TrainingData& data, Index m, const std::vector<Index>& others,
                          const Vector& weights, Collinear& c) {
  constexpr double kShown = 0.1;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const double w = weights(static_cast<Index>(i));
    if (std::abs(w) < kShown * weights.cwiseAbs().maxCoeff()) continue;
    c.others.push_back(data.name(others[i]));
    c.weights.push_back(w * data.std(m) / data.std(others[i]));
    const bool less = c.weights.back() < 0;
    c.combination += c.combination.empty() ? (less ? "−" : "") : (less ? " − " : " + ");
    c.combination += fmt::format("{:.3g}·{}", std::abs(c.weights.back()), c.others.back());
  }
}

/// Used inputs at lags 0..2·lags, after a constant.
Normal inputs_normal(const TrainingData& data, const std::vector<Index>& columns, Index lags) {
  Matrix x(data.x.rows(), std::ssize(columns));
  for (std::size_t i = 0; i < columns.size(); ++i)
    x.col(static_cast<Index>(i)) = data.x.col(columns[i]);
  math::LagGram gram(x.cols(), 2 * lags);
  for (const Stretch& s : usable(data.x, columns, data.blocks))
    gram.add(x, s.first + 2 * lags, s.end);
  Normal n;
  n.rows = gram.rows();
  n.max_lag = 2 * lags;
  if (n.rows > 0) n.c = gram.centred();
  return n;
}

Index lags_of(Index rows, Index others) {
  const Index columns = std::min(kColumnsMost, rows / kRowsPerColumn);
  return std::clamp<Index>((columns / std::max<Index>(others, 1) - 1) / 2, 0, kLags);
}

/// Input m of `columns` by the others at all lags; empty when they explain less than 95 %.
std::optional<Collinear> explain(const TrainingData& data, const Normal& normal,
                                 const std::vector<Index>& columns, Index m) {
  const Index lags = normal.max_lag / 2;
  std::vector<Term> terms;
  std::vector<Index> others;
  for (Index i = 0; i < std::ssize(columns); ++i) {
    if (i == m) continue;
    others.push_back(columns[static_cast<std::size_t>(i)]);
    for (Index k = 0; k <= normal.max_lag; ++k) terms.push_back({i, k});
  }
  const Solution solution = solve(normal, terms, {m, lags}, {.lambda = 1e-12, .exact_steps = 1});
  const double power = normal.c(normal.index(m, lags), normal.index(m, lags));
  const auto n = static_cast<double>(normal.rows), p = static_cast<double>(terms.size());
  if (!(n > p + 1) || !(power > 0)) return std::nullopt;
  const double left = std::clamp(solution.rss / power * (n - 1) / (n - p - 1), 0.0, 1.0);
  if (1 - left < kCollinear) return std::nullopt;
  Vector weights(std::ssize(others));
  for (Index i = 0; i < weights.size(); ++i)
    weights(i) = solution.theta.segment(i * (normal.max_lag + 1), normal.max_lag + 1).sum();
  Collinear c;
  c.mv = data.name(columns[static_cast<std::size_t>(m)]);
  Index closest = 0;
  weights.cwiseAbs().maxCoeff(&closest);
  c.with = data.name(others[static_cast<std::size_t>(closest)]);
  c.explained = 1 - left;
  c.vif = 1 / std::max(left, kDeterministic);
  describe_combination(data, columns[static_cast<std::size_t>(m)], others, weights, c);
  return c;
}

/// One CV with all lags of the range of every input.
class AllLags {
 public:
  AllLags(const TrainingData& data, const DeadTimeSearch& search, const std::vector<bool>& used,
          Index cv)
      : options_(search.options_of(cv)) {
    const Regression r = make_regression(data, cv, used, search.integrates(cv), false);
    normal_ = normal_of(r, gram_of(r, search.max_lag(), {kEverything}));
    y_ = r.nu;
  }

  /// Whether the MV's sum is told, beside the others and by the effect of all of them.
  [[nodiscard]] bool tells(Index mv, const std::vector<Index>& others, double vif) const {
    DeadTimeOptions alone = options_, none = options_;
    std::erase_if(alone.inputs, [&](Index i) { return std::ranges::count(others, i) > 0; });
    none.inputs = alone.inputs;
    std::erase(none.inputs, mv);
    if (std::ranges::count(options_.inputs, mv) == 0) return true;
    const auto p = static_cast<double>(dead_time_terms(y_, options_).size());
    const double free_rows = static_cast<double>(normal_.rows) - p - 1;
    if (free_rows < 1) return true;
    const double rss = rss_of(options_);
    const double out = p - static_cast<double>(dead_time_terms(y_, none).size());
    const double f = std::max(0.0, rss_of(none) - rss) / out / (rss / free_rows);
    if (!(math::f_survival(f, out, free_rows) < kLevel)) return true;
    if (vif > kVifMost) return false;
    const LagSum own = lag_sum(normal_, y_, options_, mv);
    const LagSum all = lag_sum(normal_, y_, alone, mv);
    return k95 * own.std_error <=
           std::max(kShareOwn * std::abs(own.sum), kShareTogether * std::abs(all.sum));
  }

  /// Whether the 95 % range of the MV's sum stays within a share of the effect of all of them.
  [[nodiscard]] bool rules_out(Index mv, const std::vector<Index>& others) const {
    if (std::ranges::count(options_.inputs, mv) == 0) return true;
    DeadTimeOptions alone = options_;
    std::erase_if(alone.inputs, [&](Index i) { return std::ranges::count(others, i) > 0; });
    const LagSum own = lag_sum(normal_, y_, options_, mv);
    const LagSum all = lag_sum(normal_, y_, alone, mv);
    return std::abs(own.sum) + k95 * own.std_error <= kShareOfNothing * std::abs(all.sum);
  }

  /// Without the MV the one-step error grows by more than a tenth: whatever its gain, the model
  /// predicts by it.
  [[nodiscard]] bool needs(Index mv) const {
    DeadTimeOptions none = options_;
    std::erase(none.inputs, mv);
    return rss_of(none) > kNeeded * kNeeded * rss_of(options_);
  }

  /// Whether a gain of the MV lies outside what all lags of the range say.
  [[nodiscard]] bool excludes(Index mv, double gain) const {
    const LagSum own = lag_sum(normal_, y_, options_, mv);
    return std::abs(gain - own.gain) >
           std::max(kErrors * own.gain_std_error, kShareOfNothing * std::abs(own.gain));
  }

 private:
  [[nodiscard]] double rss_of(const DeadTimeOptions& o) const {
    return solve(normal_, dead_time_terms(y_, o), {y_, 0}, {.lambda = 1e-11, .exact_steps = 1}).rss;
  }

  DeadTimeOptions options_;
  Normal normal_;
  Index y_ = 0;
};

}  // namespace

std::vector<Collinear> collinear_of(const TrainingData& data, const std::vector<bool>& used) {
  std::vector<Index> columns;
  for (Index m = 0; m < data.nu(); ++m) {
    if (used[static_cast<std::size_t>(m)]) columns.push_back(m);
  }
  std::vector<Collinear> out;
  if (columns.size() < 2) return out;
  const Index lags = lags_of(data.x.rows(), std::ssize(columns) - 1);
  const Normal normal = inputs_normal(data, columns, lags);
  if (normal.rows < 3) return out;
  for (Index m = 0; m < std::ssize(columns); ++m) {
    if (columns[static_cast<std::size_t>(m)] >= data.n_mv) continue;
    if (auto c = explain(data, normal, columns, m)) out.push_back(std::move(*c));
  }
  return out;
}

void judge_separable(const TrainingData& data, const DeadTimeSearch& search,
                     const std::vector<bool>& used, std::vector<Collinear>& collinear) {
  if (collinear.empty()) return;
  const auto column = [&](const std::string& name) {
    return static_cast<Index>(std::ranges::find(data.inputs, name) - data.inputs.begin());
  };
  for (Index j = 0; j < data.ny(); ++j) {
    const AllLags cv(data, search, used, j);
    for (Collinear& c : collinear) {
      std::vector<Index> others;
      for (const std::string& name : c.others) others.push_back(column(name));
      c.unseparable = c.unseparable || !cv.tells(column(c.mv), others, c.vif);
    }
  }
}

bool has_no_effect(const TrainingData& data, const DeadTimeSearch& search,
                   const std::vector<bool>& used, const Collinear& c) {
  const auto column = [&](const std::string& name) {
    return static_cast<Index>(std::ranges::find(data.inputs, name) - data.inputs.begin());
  };
  std::vector<Index> others;
  for (const std::string& name : c.others) others.push_back(column(name));
  for (Index j = 0; j < data.ny(); ++j) {
    if (!AllLags(data, search, used, j).rules_out(column(c.mv), others)) return false;
  }
  return true;
}

bool contradicts_all_lags(const TrainingData& data, const DeadTimeSearch& search,
                          const std::vector<bool>& used, const Collinear& c,
                          const DeadTimeSearch::Pairs& pairs) {
  const auto mv = static_cast<Index>(std::ranges::find(data.inputs, c.mv) - data.inputs.begin());
  for (Index j = 0; j < data.ny(); ++j) {
    if (search.integrates(j)) continue;
    std::vector<Structure::Input> inputs;
    for (const DeadTimeEstimate& e : pairs[static_cast<std::size_t>(j)]) {
      if (e.active) inputs.push_back({e.input, e.steps});
    }
    const auto at = std::ranges::find(inputs, mv, &Structure::Input::input);
    if (at == inputs.end()) continue;
    const Regression r = make_regression(data, j, used, false, false);
    const double g = gain(preliminary(r, inputs, search.max_order()), at - inputs.begin());
    if (std::isfinite(g) && AllLags(data, search, used, j).excludes(mv, g)) return true;
  }
  return false;
}

bool is_needed(const TrainingData& data, const DeadTimeSearch& search,
               const std::vector<bool>& used, const Collinear& c) {
  const auto mv = static_cast<Index>(std::ranges::find(data.inputs, c.mv) - data.inputs.begin());
  for (Index j = 0; j < data.ny(); ++j) {
    if (AllLags(data, search, used, j).needs(mv)) return true;
  }
  return false;
}

}  // namespace flyball::identify
