#include "advise/verify.h"

#include <algorithm>
#include <cmath>

namespace flyball::advise {
namespace {

constexpr double kCostTolerance = 1e-6, kPredictionTolerance = 1e-5;

bool is_table(const std::vector<std::vector<double>>& rows, std::int64_t n, std::size_t width) {
  return static_cast<std::int64_t>(rows.size()) == n &&
         std::ranges::all_of(rows, [&](const std::vector<double>& row) {
           return row.size() == width &&
                  std::ranges::all_of(row, [](double v) { return std::isfinite(v); });
         });
}

double largest_difference(const optimise::ProblemIr& problem, const optimise::Candidate& a,
                          const optimise::Candidate& b) {
  double out = 0;
  for (std::size_t k = 0; k < a.predicted.size(); ++k) {
    for (std::size_t j = 0; j < problem.cv.size(); ++j)
      out =
          std::max(out, std::abs(a.predicted[k][j] - b.predicted[k][j]) / problem.cv[j].train.std);
  }
  return out;
}

}  // namespace

bool has_shape(const optimise::ProblemIr& problem, const optimise::Candidate& c) {
  return is_table(c.controls, problem.horizon, problem.mv.size()) &&
         is_table(c.predicted, problem.horizon, problem.cv.size()) && std::isfinite(c.cost);
}

VerifyReport verify(const optimise::ProblemIr& problem, const optimise::Candidate& claimed,
                    const optimise::Candidate& again, double hold_cost, bool hold_is_as_safe) {
  VerifyReport out;
  const auto fail = [&](const char* code, std::vector<Param> params) {
    out.failures.push_back(words({code, std::move(params)}));
  };
  if (!has_shape(problem, claimed) || !has_shape(problem, again) || !std::isfinite(hold_cost)) {
    fail("VERIFY_SHAPE", {});
    return out;
  }
  out.cost_solver = claimed.cost;
  out.cost = again.cost;
  const double scale = std::max(std::abs(again.cost), std::abs(hold_cost));
  if (!(std::abs(claimed.cost - again.cost) <= kCostTolerance * scale))
    fail("VERIFY_COST", {{"solver", claimed.cost}, {"cost", again.cost}});
  out.largest_difference = largest_difference(problem, claimed, again);
  if (!(out.largest_difference <= kPredictionTolerance))
    fail("VERIFY_PREDICTION",
         {{"difference", out.largest_difference}, {"limit", kPredictionTolerance}});
  for (const optimise::ConstraintItem& c : again.constraints) {
    if (c.kind == optimise::ConstraintKind::hard && !c.passed)
      fail("VERIFY_LIMIT", {{"limit", c.id}, {"margin", c.margin}});
  }
  out.improvement = hold_cost == 0 ? 0 : (hold_cost - again.cost) / std::abs(hold_cost);
  if (claimed.label != "hold" && hold_is_as_safe &&
      !(out.improvement >= problem.solver.min_improvement))
    fail("VERIFY_IMPROVEMENT",
         {{"improvement", out.improvement}, {"limit", problem.solver.min_improvement}});
  out.verified = out.failures.empty();
  return out;
}

}  // namespace flyball::advise
