#include "model/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "model/models.h"

namespace flyball::model {
namespace {

/// The difference equations of two_by_two, written down once more, with y measured before t0.
Matrix direct(const Record& r, Index t0, Index steps, Future future) {
  const auto u = [&](Index t) { return r.u(t, 0) - 1; };
  const auto w = [&](Index t) {
    return r.u(future == Future::held ? std::min(t, t0 - 1) : t, 1) - 2;
  };
  Matrix out(steps, 2);
  double y0 = r.y(t0 - 1, 0) - 10;
  double y1 = r.y(t0 - 1, 1) + 4;
  for (Index k = 0; k < steps; ++k) {
    y0 = 0.8 * y0 + 0.5 * u(t0 + k - 3);
    y1 = 0.3 * y1 + 2 * w(t0 + k) + w(t0 + k - 1);
    out.row(k) << y0 + 10, y1 - 4;
  }
  return out;
}

TEST(Simulator, RolloutIsTheDifferenceEquation) {
  const Record r = some_record(60);
  Simulator s(two_by_two());
  for (const Future future : {Future::held, Future::measured}) {
    Matrix out(25, 2);
    s.start(r, 20, 10);
    s.rollout(r, 20, 10, 25, future, out);
    EXPECT_LT((out - direct(r, 20, 25, future)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(Simulator, ForgetsTheHistoryAfterTheLongestLag) {
  const Record r = some_record(60);
  Simulator s(two_by_two());
  Matrix near(5, 2), far(5, 2);
  s.start(r, 30, 4);
  s.rollout(r, 30, 4, 5, Future::measured, near);
  s.start(r, 30, 25);
  s.rollout(r, 30, 25, 5, Future::measured, far);
  EXPECT_LT((near - far).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Simulator, SeveralRolloutsMayFollowOneStart) {
  const Record r = some_record(60);
  Simulator s(two_by_two());
  Matrix first(5, 2), again(5, 2), held(5, 2);
  s.start(r, 30, 9);
  s.rollout(r, 30, 9, 5, Future::measured, first);
  s.rollout(r, 30, 9, 5, Future::held, held);
  s.rollout(r, 30, 9, 5, Future::measured, again);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, held);
}

TEST(Simulator, StartsFromTheSteadyStateOfTheFirstRow) {
  Record r{Matrix::Zero(40, 2), Matrix::Zero(40, 2)};
  r.u.col(0).setConstant(3);
  r.u.col(1).setConstant(2.5);
  r.y.col(0).setConstant(10 + 0.5 / 0.2 * 2);
  r.y.col(1).setConstant(-4 + 3 / 0.7 * 0.5);
  Simulator s(two_by_two());
  Matrix out(20, 2);
  s.start(r, 1, 1);
  s.rollout(r, 1, 1, 20, Future::measured, out);
  for (Index k = 0; k < 20; ++k) {
    EXPECT_NEAR(out(k, 0), r.y(0, 0), 1e-10);
    EXPECT_NEAR(out(k, 1), r.y(0, 1), 1e-10);
  }
}

TEST(Simulator, OneStepRunsThePredictorOn) {
  const Record r = some_record(60);
  Simulator s(two_by_two());
  Matrix all(15, 2), one(1, 2);
  s.start(r, 20, 10);
  s.one_step(r, 20, 10, 15, all);
  for (Index k = 0; k < 15; ++k) {
    s.start(r, 20 + k, 10 + k);
    s.rollout(r, 20 + k, 10 + k, 1, Future::measured, one);
    EXPECT_EQ(all.row(k), one.row(0));
  }
}

TEST(Simulator, MissingOutputMakesNoCorrection) {
  Record r = some_record(60);
  Record gap = r;
  gap.y(29, 0) = std::numeric_limits<double>::quiet_NaN();
  Simulator s(two_by_two());
  Matrix out(1, 2), before(2, 2), other(1, 2);
  s.start(gap, 30, 10);
  s.rollout(gap, 30, 10, 1, Future::measured, out);
  s.start(r, 29, 9);
  s.rollout(r, 29, 9, 2, Future::measured, before);
  s.start(r, 30, 10);
  s.rollout(r, 30, 10, 1, Future::measured, other);
  EXPECT_NEAR(out(0, 0), before(1, 0), 1e-12) << "y0 was not measured: its prediction goes on";
  EXPECT_NEAR(out(0, 1), other(0, 1), 1e-12) << "y1 was measured";
}

TEST(Simulator, FirstMissingRowIsNotTakenForZero) {
  Record r{Matrix::Zero(20, 2), Matrix::Zero(20, 2)};
  r.u.col(0).setConstant(1);
  r.u.col(1).setConstant(2);
  r.y.col(0).setConstant(10);
  r.y.col(1).setConstant(-4);
  r.y.topRows(3).setConstant(std::numeric_limits<double>::quiet_NaN());
  Simulator s(two_by_two());
  Matrix out(1, 2);
  s.start(r, 2, 2);
  s.rollout(r, 2, 2, 1, Future::measured, out);
  EXPECT_NEAR(out(0, 0), 10, 1e-12);
  EXPECT_NEAR(out(0, 1), -4, 1e-12);
}

TEST(Simulator, DisturbanceStateKeepsAnOffset) {
  // y = x + s, x⁺ = 0.5 x + u, s⁺ = s + e: an offset in y that no input explains stays.
  LinearStateSpace m;
  m.channels = {{0, 0}};
  m.n_mv = 1;
  m.disturbance_states = 1;
  m.A = Matrix(2, 2);
  m.A << 0.5, 0.5, 0, 1;
  m.B = Matrix(2, 1);
  m.B << 1, 0;
  m.C = Matrix::Ones(1, 2);
  m.D = Matrix::Zero(1, 1);
  m.K = Matrix(2, 1);
  m.K << 0.5, 1;
  m.f = Vector::Zero(2);
  m.g = Vector::Zero(1);
  m.u0 = Vector::Zero(1);
  m.S = Matrix::Identity(1, 1);
  Record r{Matrix::Zero(50, 1), Matrix::Constant(50, 1, 7.0)};
  Simulator s(m);
  Matrix out(30, 1);
  s.start(r, 10, 10);
  s.rollout(r, 10, 10, 30, Future::measured, out);
  EXPECT_LT((out.array() - 7).abs().maxCoeff(), 1e-10);
  EXPECT_NEAR(spectral_radius(m), 0.5, 1e-12);
  EXPECT_NEAR(dc_gain(m)(0, 0), 2, 1e-12);
}

TEST(Simulator, RefusesAModelOfTheWrongShape) {
  LinearStateSpace m = two_by_two();
  m.K = Matrix::Zero(3, 2);
  EXPECT_THROW(Simulator{m}, Error);
  m = two_by_two();
  m.A(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Simulator{m}, Error);
}

}  // namespace
}  // namespace flyball::model
