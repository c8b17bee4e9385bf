#include "optimise/broken_now.h"

#include <algorithm>

#include "optimise/trajectory.h"

namespace flyball::optimise {
namespace {

constexpr double kSeen = 1e-6;  ///< of the train range

}  // namespace

ProblemIr with_broken_limits(const ProblemIr& problem, const model::LinearStateSpace& model,
                             const Estimate& at) {
  ProblemIr p = problem;
  const Vector now = output_now(model, p, at);
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    CvTerm& cv = p.cv[j];
    cv.below_now = cv.above_now = false;
    if (p.solver.broken_now == BrokenNow::refuse) continue;
    const double expected = now(static_cast<Index>(j));
    const double measured = p.history.empty() ? expected : p.history.back().y[j].value_or(expected);
    const double least = kSeen * range_of(cv.train);
    cv.below_now = cv.hard_min && std::min(expected, measured) < *cv.hard_min - least;
    cv.above_now = cv.hard_max && std::max(expected, measured) > *cv.hard_max + least;
  }
  return p;
}

double beyond_broken(const ProblemIr& p, const std::vector<std::vector<double>>& predicted,
                     const std::vector<Index>& first_step) {
  double sum = 0;
  for (std::size_t j = 0; j < p.cv.size(); ++j) {
    const CvTerm& cv = p.cv[j];
    for (std::size_t k = 0; k < predicted.size(); ++k) {
      if (static_cast<Index>(k) + 1 < first_step[j]) continue;
      const double y = predicted[k][j];
      if (cv.below_now) sum += std::max(0.0, *cv.hard_min - y) / cv.train.std;
      if (cv.above_now) sum += std::max(0.0, y - *cv.hard_max) / cv.train.std;
    }
  }
  return sum;
}

}  // namespace flyball::optimise
