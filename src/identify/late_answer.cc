#include "identify/late_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/distributions.h"

namespace flyball::identify {
namespace {

constexpr double kLevel = 0.001;
constexpr Index kColourLags = 200;
constexpr Interval kEverything{0, std::numeric_limits<Index>::max() / 2};

/// One signal per stretch, without its mean: runs may stand at levels of their own.
using Pieces = std::vector<Vector>;

void centre(Pieces& pieces) {
  for (Vector& p : pieces) p.array() -= p.mean();
}

/// What y's own lags and each input before its interval leave of y, from `deepest` on in a stretch.
Pieces one_step_residual(const Regression& r, const std::vector<DeadTimeEstimate>& pairs,
                         const std::vector<Interval>& lags, Index y_lags, Index deepest) {
  std::vector<Term> terms;
  for (Index k = 1; k <= y_lags; ++k) terms.push_back({r.nu, k});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (Index k = 0; k < lags[i].first; ++k) terms.push_back({pairs[i].input, k});
  }
  const Normal normal = normal_of(r, gram_of(r, deepest, {kEverything}));
  if (normal.rows <= 2 * std::ssize(terms)) return {};
  const Vector theta = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-9}).theta;
  Pieces out;
  for (const Stretch& s : r.stretches) {
    const Index n = s.end - s.first - deepest;
    if (n <= 0) continue;
    Vector v = r.x.col(r.nu).segment(s.first + deepest, n);
    for (std::size_t i = 0; i < terms.size(); ++i)
      v -= theta(static_cast<Index>(i)) *
           r.x.col(terms[i].signal).segment(s.first + deepest - terms[i].lag, n);
    out.push_back(std::move(v));
  }
  return out;
}

double lagged(const Pieces& a, const Pieces& b, Index lag) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Index n = a[i].size() - lag;
    if (n > 0) sum += a[i].tail(n).dot(b[i].head(n));
  }
  return sum;
}

}  // namespace

std::vector<std::pair<Index, Index>> late_answers(const Regression& r,
                                                  const std::vector<DeadTimeEstimate>& pairs,
                                                  const std::vector<Interval>& lags, Index y_lags) {
  std::vector<std::pair<Index, Index>> out;
  Index deepest = y_lags;
  for (const Interval& l : lags) deepest = std::max(deepest, l.first);
  Pieces v = one_step_residual(r, pairs, lags, y_lags, deepest);
  Index rows = 0;
  for (const Vector& piece : v) rows += piece.size();
  centre(v);
  const double v_power = lagged(v, v, 0);
  double tests = 0;
  for (const Interval& l : lags)
    tests += static_cast<double>(std::clamp<Index>(std::min(l.end, rows / 4) - l.first, 0, rows));
  if (tests == 0 || !(v_power > 0)) return out;
  const Index colour = std::min(kColourLags, rows / 4);
  std::vector<double> r_v;
  for (Index k = 1; k <= colour; ++k) r_v.push_back(lagged(v, v, k) / v_power);
  const double critical = math::normal_quantile(1 - kLevel / (2 * tests));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Pieces u;
    for (const Stretch& s : r.stretches) {
      if (s.end - s.first > deepest)
        u.emplace_back(
            r.x.col(pairs[i].input).segment(s.first + deepest, s.end - s.first - deepest));
    }
    centre(u);
    const double u_power = lagged(u, u, 0);
    double variance = 1;
    for (Index k = 1; k <= colour; ++k)
      variance += 2 * r_v[static_cast<std::size_t>(k - 1)] * lagged(u, u, k) / u_power;
    const double bound = critical * std::sqrt(std::max(variance, 1.0) / static_cast<double>(rows) *
                                              v_power * u_power);
    double largest = bound;
    Index at = -1;
    for (Index k = lags[i].first; k < std::min(lags[i].end, rows / 4); ++k) {
      const double product = std::abs(lagged(v, u, k));
      if (!(product > largest)) continue;
      largest = product;
      at = k;
    }
    if (at >= 0) out.emplace_back(pairs[i].input, at);
  }
  return out;
}

}  // namespace flyball::identify
