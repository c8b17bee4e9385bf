#include "model/start_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "math/linear_algebra.h"
#include "model/models.h"

namespace flyball::model {
namespace {

/// Two coupled slow states seen by two CVs, a predictor that hardly corrects: 0.98 and 0.9.
LinearStateSpace slow() {
  LinearStateSpace m = two_by_two();
  m.A << 0.98, 0.01, 0, 0.9;
  m.K = Matrix::Zero(2, 2);
  m.K(0, 0) = 0.01;
  m.S = Matrix::Identity(2, 2);
  m.S(1, 1) = 4;
  return m;
}

/// What the model does from a state, with noise of this deviation on the CVs.
Record run_from(const LinearStateSpace& m, Vector x, Index rows, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Record r = some_record(rows);
  for (Index t = 0; t < rows; ++t) {
    Vector in(2);
    in << r.u(std::max<Index>(t - 2, 0), 0) - m.u0(0), r.u(t, 1) - m.u0(1);
    r.y.row(t) = (m.C * x + m.D * in + m.g).transpose();
    for (Index j = 0; j < 2; ++j) r.y(t, j) += noise * normal(random);
    x = m.A * x + m.B * in + m.f;
  }
  return r;
}

Matrix rollout(Simulator& s, const Record& r, Index t, Index history, Index steps) {
  Matrix out(steps, 2);
  s.start(r, t, history);
  s.rollout(r, t, history, steps, Future::measured, out);
  return out;
}

TEST(StartFit, FindsAStateThatIsFarFromSteady) {
  const LinearStateSpace m = slow();
  const Record r = run_from(m, Vector{{40.0, -25.0}}, 60, 0, 1);
  Simulator s(m);
  const Matrix out = rollout(s, r, 30, 30, 30);
  // The first state is off by 40 standard deviations: ρ is 2/(60·q), q some hundreds.
  EXPECT_LT((out - r.y.middleRows(30, 30)).cwiseAbs().maxCoeff(), 0.01);
}

TEST(StartFit, IsTheRidgeLeastSquaresOfItsHeader) {
  const LinearStateSpace m = slow();
  const Record r = run_from(m, Vector{{4.0, -3.0}}, 40, 0.5, 2);
  const Index history = 20;
  // The predictor from the steady state of row 0, then its innovations, in plain matrices.
  const auto input = [&](Index t) {
    return Vector{{r.u(std::max<Index>(t - 2, 0), 0) - m.u0(0), r.u(t, 1) - m.u0(1)}};
  };
  const Matrix phi = m.A - m.K * m.C;
  const Vector e0 = r.y.row(0).transpose() - m.g - m.D * input(0);
  Vector x = *math::solve(Matrix::Identity(2, 2) - phi, m.f + m.B * input(0) + m.K * e0);
  Matrix g = m.C, power = Matrix::Identity(2, 2), normal = Matrix::Zero(2, 2);
  Vector b = Vector::Zero(2);
  double squares = 0;
  const Matrix w = m.S.diagonal().cwiseInverse().asDiagonal();
  for (Index t = 0; t < history; ++t) {
    const Vector e = r.y.row(t).transpose() - m.g - m.C * x - m.D * input(t);
    normal += g.transpose() * w * g;
    b += g.transpose() * w * e;
    squares += e.dot(w * e);
    x = m.A * x + m.B * input(t) + m.f + m.K * e;
    power = phi * power;
    g = m.C * power;
  }
  const double values = 2 * static_cast<double>(history);
  const double excess = std::max(squares / values - 1, StartFit::kLeastExcess);
  normal.diagonal() *= 1 + 2 / (values * excess);
  x += power * *math::solve(normal, b);
  Simulator s(m);
  s.start(r, history, history);
  EXPECT_LT((s.state() - x).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(StartFit, PreparedWeightsGiveTheSame) {
  const LinearStateSpace m = slow();
  const Record r = run_from(m, Vector{{4.0, -3.0}}, 60, 0.5, 3);
  Simulator plain(m), prepared(m);
  prepared.prepare(25);
  EXPECT_LT((rollout(plain, r, 25, 25, 20) - rollout(prepared, r, 25, 25, 20)).norm(), 1e-9);
  EXPECT_LT((rollout(plain, r, 40, 17, 20) - rollout(prepared, r, 40, 17, 20)).norm(), 1e-9)
      << "another length";
}

TEST(StartFit, MissingValuesAreLeftOutOfTheFit) {
  const LinearStateSpace m = slow();
  Record r = run_from(m, Vector{{40.0, -25.0}}, 60, 0, 4);
  for (const Index t : {2, 3, 4, 9, 15}) r.y(t, 0) = std::numeric_limits<double>::quiet_NaN();
  r.y.col(1).segment(5, 12).setConstant(std::numeric_limits<double>::quiet_NaN());
  Simulator s(m);
  s.prepare(30);
  const Matrix out = rollout(s, r, 30, 30, 30);
  EXPECT_TRUE(out.allFinite());
  EXPECT_LT((out - r.y.middleRows(30, 30)).cwiseAbs().maxCoeff(), 0.05);
}

TEST(StartFit, APredictorThatForgetsIsNotChanged) {
  LinearStateSpace m = two_by_two();  // an ARX: A − K C = 0
  Record r = some_record(40), other = r;
  other.y.topRows(8).array() += 100;
  Simulator s(m);
  EXPECT_EQ(rollout(s, r, 20, 20, 10), rollout(s, other, 20, 20, 10));
}

}  // namespace
}  // namespace flyball::model
