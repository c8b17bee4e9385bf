// Distances from train: what the solver says and what the second path finds.
#include "optimise/distance.h"

#include <gtest/gtest.h>

#include "math/linear_algebra.h"
#include "optimise/resimulate.h"
#include "plants.h"

namespace flyball::optimise {
namespace {

ProblemIr problem() {
  const auto m = lags({{{1.2, 0.85, 2}, {-0.6, 0.9, 3}, {0.4, 0.7, 1}}}, 2, {3, 4, 5}, {50});
  ProblemIr p = problem_for(m, 30, 5);
  p.cv[0].ref = 53;
  p.mv[0].train.std = 2;
  Matrix r = Matrix::Identity(4, 4);
  r(0, 3) = r(3, 0) = 0.9;  // MV1 and the CV went together
  const Matrix inverse = *math::solve(r, Matrix::Identity(4, 4));
  TrainSpread s;
  s.mean = {3, 4, 5, 50};
  s.std = {2, 1, 1, 1};
  for (Index i = 0; i < 4; ++i)
    s.inverse.push_back({inverse(i, 0), inverse(i, 1), inverse(i, 2), inverse(i, 3)});
  s.limit = 4;
  p.spread = s;
  return p;
}
model::LinearStateSpace plant() {
  return lags({{{1.2, 0.85, 2}, {-0.6, 0.9, 3}, {0.4, 0.7, 1}}}, 2, {3, 4, 5}, {50});
}

TEST(Distances, OfAPointByHand) {
  ProblemIr p = problem();
  p.u_prev = {5, 4};
  p.history.back() = {{5.0, 4.0, 5.5}, {48.5}};
  const Distances d = distances_now(p);
  EXPECT_NEAR(*d.box, 1.5, 1e-12) << "the CV";
  // z = (1, 0, 0.5, -1.5): z'R^-1 z = (z1^2 - 2*0.9*z1*z4 + z4^2)/(1 - 0.81) + z3^2
  EXPECT_NEAR(*d.mahalanobis, std::sqrt((1 + 2 * 0.9 * 1.5 + 2.25) / 0.19 + 0.25), 1e-10);
  p.history.back().y[0].reset();
  EXPECT_NEAR(*distances_now(p).box, 1, 1e-12) << "the CV's newest value is of the row before";
  for (HistoryRow& row : p.history) row.y[0].reset();
  EXPECT_FALSE(distances_now(p).box);
}

TEST(Distances, TheSecondPathFindsTheSame) {
  const auto m = plant();
  for (const double ref : {51.0, 54.0, 47.0}) {
    ProblemIr p = problem();
    p.cv[0].ref = ref;
    p.solver.min_improvement = 0;
    const SolveResult r = solve(p, m);
    ASSERT_FALSE(r.candidates.empty());
    const Resimulated again = resimulate(p, m, r.candidates[0].controls);
    EXPECT_NEAR(*again.box_now, *r.diagnostics.input_distance, 1e-9);
    EXPECT_NEAR(*again.mahalanobis_now, *r.diagnostics.mahalanobis, 1e-9);
    EXPECT_NEAR(*again.box_along, *r.diagnostics.trajectory_distance, 1e-7);
    EXPECT_NEAR(*again.mahalanobis_along, *r.diagnostics.trajectory_mahalanobis, 1e-7);
    EXPECT_GT(*again.box_along, *again.box_now) << "the advice leads away from the mean";
  }
  ProblemIr none = problem();
  none.spread.reset();
  const SolveResult r = solve(none, m);
  EXPECT_FALSE(r.diagnostics.mahalanobis);
  EXPECT_FALSE(resimulate(none, m, r.candidates[0].controls).mahalanobis_along);
}

}  // namespace
}  // namespace flyball::optimise
