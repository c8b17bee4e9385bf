#include "identify/dead_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/arx.h"
#include "math/distributions.h"

namespace flyball::identify {
namespace {

constexpr double kRidge = 1e-11;  ///< so small that only directions without data feel it
constexpr double kFloor = 1e-12;  ///< (1e-6·std)² as a share of the CV's variance
constexpr double kScanRidge = 1e-8;
constexpr Index kScanOrder = 2;
constexpr int kSweeps = 5;

std::vector<Term> without(const std::vector<Term>& terms, Index input) {
  std::vector<Term> out;
  std::ranges::copy_if(terms, std::back_inserter(out),
                       [&](const Term& t) { return t.signal != input; });
  return out;
}

/// Last candidate of an input, after its first lag.
Index last_offset(const DeadTimeOptions& options, Index input) {
  const auto m = static_cast<std::size_t>(input);
  if (m >= options.last_lag.size() || !options.last_lag[m]) return options.range;
  return std::clamp<Index>(*options.last_lag[m] - options.first_lag[m], 0, options.range);
}

class Scan {
 public:
  Scan(const Normal& normal, Index y_signal, const DeadTimeOptions& options)
      : normal_(normal), y_(y_signal), options_(options) {
    structure_.na = structure_.nb = kScanOrder;
  }

  double rss(const std::vector<DeadTimeEstimate>& pairs, std::size_t changed, Index lag) {
    structure_.inputs.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!pairs[i].active && i != changed) continue;
      structure_.inputs.push_back({pairs[i].input, i == changed ? lag : pairs[i].steps});
    }
    return solve(normal_, structure_.terms(y_), {y_, 0}, {.lambda = kScanRidge}).rss;
  }

  /// Residual sums over the candidates of one pair, the others held.
  Vector profile(const std::vector<DeadTimeEstimate>& pairs, std::size_t i) {
    const Index first = options_.first_lag[static_cast<std::size_t>(pairs[i].input)];
    Vector out(options_.range + 1);
    const Index last = last_offset(options_, pairs[i].input);
    for (Index k = 0; k <= options_.range; ++k) {
      out(k) = k <= last ? rss(pairs, i, first + k) : std::numeric_limits<double>::infinity();
    }
    return out;
  }

  [[nodiscard]] double free_rows(const std::vector<DeadTimeEstimate>& pairs) const {
    const auto p = kScanOrder * (1 + static_cast<Index>(pairs.size())) + 1;
    return static_cast<double>(std::max<Index>(normal_.rows - p, 1));
  }

 private:
  const Normal& normal_;
  Index y_;
  const DeadTimeOptions& options_;
  Structure structure_;
};

/// Lags whose residual sum is within the 95 % F bound of the least one.
void bounds(Scan& scan, std::vector<DeadTimeEstimate>& pairs, std::size_t i, double floor) {
  const Vector rss = scan.profile(pairs, i);
  const double free_rows = scan.free_rows(pairs);
  const double least = std::max(rss.minCoeff(), floor);
  const double limit = least * (1 + math::f_quantile(0.95, 1, free_rows) / free_rows);
  DeadTimeEstimate& pair = pairs[i];
  const Index first = pair.low;
  pair.low = pair.high = pair.steps;
  for (Index k = 0; k < rss.size(); ++k) {
    if (rss(k) > limit) continue;
    pair.low = std::min(pair.low, first + k);
    pair.high = std::max(pair.high, first + k);
  }
}

/// Coordinate descent over the pairs without a significant lag.
void scan_lags(Scan& scan, std::vector<DeadTimeEstimate>& pairs,
               const std::vector<Index>& first_lag) {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool moved = false;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      DeadTimeEstimate& pair = pairs[i];
      if (!pair.active || pair.by_test) continue;
      Index best = 0;
      const double least = scan.profile(pairs, i).minCoeff(&best);
      const Index lag = first_lag[static_cast<std::size_t>(pair.input)] + best;
      if (lag != pair.steps && least < scan.rss(pairs, i, pair.steps)) {
        pair.steps = lag;
        moved = true;
      }
    }
    if (!moved) break;
  }
}

}  // namespace

std::vector<Term> dead_time_terms(Index y_signal, const DeadTimeOptions& options) {
  std::vector<Term> terms;
  for (const Index m : options.inputs) {
    const Index first = options.first_lag[static_cast<std::size_t>(m)];
    for (Index k = first; k <= first + options.range; ++k) terms.push_back({m, k});
  }
  for (Index k = 1; k <= options.y_lags; ++k) terms.push_back({y_signal, k});
  return terms;
}

std::vector<DeadTimeEstimate> find_dead_times(const Normal& normal, Index y_signal,
                                              const DeadTimeOptions& options) {
  const Term target{y_signal, 0};
  const std::vector<Term> terms = dead_time_terms(y_signal, options);
  const auto p = static_cast<Index>(terms.size());
  const Index free_rows = normal.rows - p - 1;
  std::vector<DeadTimeEstimate> pairs;
  for (const Index m : options.inputs) {
    DeadTimeEstimate pair;
    pair.input = m;
    pair.low = options.first_lag[static_cast<std::size_t>(m)];
    pair.high = pair.low + options.range;
    pair.steps = std::min(pair.low + std::min<Index>(1, last_offset(options, m)), pair.high);
    pairs.push_back(pair);
  }
  if (free_rows < 1) return pairs;

  const SolveOptions exact{.lambda = kRidge, .exact_steps = 2, .inverse = false};
  SolveOptions with_inverse = exact;
  with_inverse.inverse = true;
  const Solution full = solve(normal, terms, target, with_inverse);
  const Index y = normal.index(y_signal, 0);
  const double floor = kFloor * normal.c(y, y);
  const double n = static_cast<double>(free_rows);
  const double variance = std::max(full.rss, floor) / n;
  const auto tests = static_cast<double>(options.range + 1);
  const double critical = math::t_quantile(1 - options.level / (2 * tests), n);

  for (std::size_t i = 0; i < pairs.size(); ++i) {
    DeadTimeEstimate& pair = pairs[i];
    const Solution reduced = solve(normal, without(terms, pair.input), target, exact);
    const double f = std::max(0.0, reduced.rss - full.rss) / tests / variance;
    pair.p_value = math::f_survival(f, tests, n);
    pair.active = pair.p_value < options.level;
    if (!pair.active) continue;
    const Index offset = static_cast<Index>(i) * (options.range + 1);
    Index answer = -1;
    Index later = -1;
    const Index last = last_offset(options, pair.input);
    for (Index k = 0; k <= last && later < 0; ++k) {
      const double spread = std::sqrt(variance * full.inverse(offset + k, offset + k));
      if (!(std::abs(full.theta(offset + k)) > critical * spread)) continue;
      if (answer < 0) answer = pair.low + k;
      if (pair.low + k > 0) later = pair.low + k;
    }
    pair.by_test = answer >= 0;
    if (pair.by_test) pair.steps = answer;
    pair.steps_after_0 = later;
  }
  Scan scan(normal, y_signal, options);
  scan_lags(scan, pairs, options.first_lag);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    DeadTimeEstimate& pair = pairs[i];
    const Index last = pair.low + options.range;
    const Index first = pair.low;
    if (!pair.active) continue;
    if (pair.steps > 0) {
      pair.steps_after_0 = pair.steps;
    } else if (pair.steps_after_0 <= 0) {
      const Vector rss = scan.profile(pairs, i);
      Index best = 0;
      rss.tail(options.range).minCoeff(&best);
      pair.steps_after_0 = first + best + 1;
    }
    const bool bounded = last_offset(options, pair.input) < options.range;
    pair.edge = pair.steps >= last && !bounded;
    bounds(scan, pairs, i, floor);
    if (std::ranges::count(options.in_loop, pair.input) > 0) {
      const auto last_possible = [&](Index from) {
        Index lag = from;
        for (; lag < last; ++lag) {
          std::vector<Term> later;
          std::ranges::copy_if(terms, std::back_inserter(later), [&](const Term& t) {
            return t.signal != pair.input || t.lag > lag;
          });
          const double left_out = static_cast<double>(lag + 1 - first);
          const double rss = solve(normal, later, target, exact).rss;
          const double f = std::max(0.0, rss - full.rss) / left_out / variance;
          if (math::f_survival(f, left_out, n) < 0.05) break;
        }
        return lag;
      };
      pair.high = std::max(pair.high, last_possible(pair.steps));
    }
    pair.unclear = !pair.by_test && pair.low == first && pair.high == last && !bounded;
  }
  return pairs;
}

}  // namespace flyball::identify
