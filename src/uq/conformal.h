#pragma once
// The order-statistic rules of block conformal prediction and their exact laws.
#include <cstdint>
#include <optional>

#include "math/types.h"
#include "uq/uq.h"

namespace flyball::uq {

/// split_conformal from 9 val blocks of at least 2 runs.
Method choose_method(std::int64_t n_val_blocks, std::int64_t n_val_runs);

/// min(n, ⌈(n+1)(1−α)⌉), computed so that a product that is whole in decimals stays whole.
std::int64_t conformal_rank(std::int64_t n, double alpha);

/// split_conformal: the conformal_rank-th smallest score; empirical_max: 1.25·max. n ≥ 1 scores.
double quantile(const ConstVectorRef& scores, Method method, double alpha);

/// Exact interval of a share of which `hits` of `trials` were seen (Clopper and Pearson 1934):
/// the shares at which so many hits, or so few, have a chance of (1 − level)/2.
struct Share {
  double low = 0, high = 1;
};
Share binomial_interval(std::int64_t hits, std::int64_t trials, double level = 0.95);

/// P(at least ⌈share·m⌉ of m test scores ≤ the r-th smallest of n val scores), all exchangeable
/// without ties: the number covered is beta-binomial,
///   P(K = k) = C(k+r−1, k)·C(m−k+n−r, m−k) / C(m+n, m).
double chance_of_coverage(std::int64_t n, std::int64_t r, std::int64_t m, double share);

/// That all CVs pass, taken as independent. empirical_max counts without its factor 1.25, since
/// its gain depends on the tail of the errors: a lower bound.
double pass_chance(Method method, std::int64_t n_val, std::int64_t n_test, double threshold,
                   double alpha, std::int64_t cvs);

/// Fewest val blocks, with as many test blocks, that give pass_chance ≥ 0.8 by split_conformal at
/// the threshold of this many test runs; nullopt when 5 000 do not.
std::optional<std::int64_t> blocks_needed(std::int64_t n_test_runs, double alpha, std::int64_t cvs);

}  // namespace flyball::uq
