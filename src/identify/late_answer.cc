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

/// y less its free run, from the measured start of the stretch.
Vector left_by(const Regression& r, const Arx& arx, const Stretch& s, Index max_lag) {
  const Structure& st = arx.structure;
  const auto y = r.x.col(r.nu).segment(s.first, s.end - s.first);
  Vector free = y;
  for (Index t = max_lag; t < y.size(); ++t) {
    double v = arx.constant;
    for (Index i = 1; i <= st.na; ++i) v += arx.a()(i - 1) * free(t - i);
    for (std::size_t m = 0; m < st.inputs.size(); ++m) {
      const auto b = arx.theta.segment(static_cast<Index>(m) * st.nb, st.nb);
      for (Index i = 0; i < st.nb; ++i)
        v += b(i) * r.x(s.first + t - st.inputs[m].first_lag - i, st.inputs[m].input);
    }
    free(t) = v;
  }
  return (y - free).tail(y.size() - max_lag);
}

/// v less what the inputs explain of it at the lags before each interval: a model that is a little
/// wrong there leaves something that far lags answer by chance.
void leave_range_out(const Regression& r, const std::vector<DeadTimeEstimate>& pairs,
                     const std::vector<Interval>& lags, Index max_lag, Pieces& v) {
  Regression left = r;
  left.stretches.clear();
  std::size_t at = 0;
  for (const Stretch& s : r.stretches) {
    if (s.end - s.first <= max_lag) continue;
    left.x.col(r.nu).segment(s.first + max_lag, s.end - s.first - max_lag) = v[at++];
    left.stretches.push_back(s);
  }
  std::vector<Term> terms;
  Index deepest = max_lag;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (Index k = 0; k < lags[i].first; ++k) terms.push_back({pairs[i].input, k});
    deepest = std::max(deepest, lags[i].first);
  }
  const Normal normal = normal_of(left, gram_of(left, deepest, {kEverything}));
  if (normal.rows <= 2 * std::ssize(terms)) return;
  const Vector theta = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-9}).theta;
  at = 0;
  for (const Stretch& s : left.stretches) {
    Vector& piece = v[at++];
    const Index from = std::max<Index>(deepest - max_lag, 0);
    for (Index t = from; t < piece.size(); ++t) {
      for (std::size_t i = 0; i < terms.size(); ++i)
        piece(t) -= theta(static_cast<Index>(i)) *
                    r.x(s.first + max_lag + t - terms[i].lag, terms[i].signal);
    }
    piece.head(std::min(from, piece.size())).setZero();
  }
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

std::vector<std::pair<Index, Index>> late_answers(const Regression& r, const Arx& arx,
                                                  const std::vector<DeadTimeEstimate>& pairs,
                                                  const std::vector<Interval>& lags) {
  std::vector<std::pair<Index, Index>> out;
  if (!roots_inside(arx.a(), 1 - 1e-6)) return out;
  const Index max_lag = arx.structure.max_lag();
  Pieces v;
  Index rows = 0;
  for (const Stretch& s : r.stretches) {
    if (s.end - s.first <= max_lag) continue;
    v.push_back(left_by(r, arx, s, max_lag));
    rows += v.back().size();
  }
  leave_range_out(r, pairs, lags, max_lag, v);
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
      if (s.end - s.first > max_lag)
        u.emplace_back(
            r.x.col(pairs[i].input).segment(s.first + max_lag, s.end - s.first - max_lag));
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
