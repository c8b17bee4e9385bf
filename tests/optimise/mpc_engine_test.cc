#include "optimise/mpc_engine.h"

#include <gtest/gtest.h>

#include <cstring>

#include "dense_problem.h"

namespace flyball::optimise {
namespace {

struct Family {
  const char* name;
  Kind kind;
};
void PrintTo(const Family& f, std::ostream* out) {
  *out << f.name;
}

class EngineOn : public ::testing::TestWithParam<Family> {};

TEST_P(EngineOn, MeetsKktOnRandomProblems) {
  Index binding = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const DenseProblem p = random_problem(seed, GetParam().kind);
    MpcEngine e = p.engine();
    ASSERT_EQ(e.solve(p.theta.data(), p.u_prev.data()), Answer::solved) << seed;
    EXPECT_LT(kkt(p, e), 1e-9) << seed;
    binding += e.set().size();
  }
  EXPECT_GT(binding, 60) << "limits bind";
}

/// Feasible, then far away, then the first again: the answer does not depend on the way.
TEST_P(EngineOn, WarmAndColdAgree) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    DenseProblem p = random_problem(seed, GetParam().kind);
    MpcEngine warm = p.engine();
    math::Random r(seed);
    for (int i = 0; i < 8; ++i) {
      for (Index k = 0; k < p.theta.size(); ++k) p.theta(k) = 2 * r.normal();
      const Answer answer = warm.solve(p.theta.data(), p.u_prev.data());
      MpcEngine cold = p.engine();
      ASSERT_EQ(cold.solve(p.theta.data(), p.u_prev.data()), answer);
      if (answer != Answer::solved) continue;
      for (Index k = 0; k < p.n(); ++k) EXPECT_NEAR(warm.z()[k], cold.z()[k], 1e-9);
      EXPECT_LT(kkt(p, warm), 1e-9);
    }
  }
}

TEST_P(EngineOn, SameCallsGiveTheSameBits) {
  const DenseProblem p = random_problem(7, GetParam().kind);
  MpcEngine a = p.engine();
  MpcEngine b = p.engine();
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(a.solve(p.theta.data(), p.u_prev.data()), b.solve(p.theta.data(), p.u_prev.data()));
    EXPECT_EQ(std::memcmp(a.z(), b.z(), sizeof(double) * static_cast<std::size_t>(p.n())), 0);
  }
  Vector first = Eigen::Map<const Vector>(a.z(), p.n());
  ASSERT_EQ(a.solve(p.theta.data(), p.u_prev.data()), Answer::solved);
  EXPECT_EQ(std::memcmp(a.z(), first.data(), sizeof(double) * static_cast<std::size_t>(p.n())), 0)
      << "solved again from its own answer";
  EXPECT_EQ(a.iterations(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Families, EngineOn,
    ::testing::Values(Family{"soft", {}}, Family{"linear", {.linear = true}},
                      Family{"perStep", {.slack = Shares::step}},
                      Family{"perStepLinear", {.linear = true, .slack = Shares::step}},
                      Family{"bothSides", {.slack = Shares::cv}},
                      Family{"bothSidesLinear", {.linear = true, .slack = Shares::cv}},
                      Family{"varying", {.varying = true}},
                      Family{"hardAndSoft", {.hard = true, .linear = true}},
                      Family{"blocks", {.linear = true, .blocks = true}},
                      Family{"targetsAndPrices", {.targets = true, .prices = true}},
                      Family{"deadTime", {.hard = true, .dead_time = true}}),
    [](const auto& i) { return i.param.name; });

/// Hard limits that no move meets: the weights handed out prove it by themselves.
TEST(Engine, ProvesThatHardLimitsCannotHold) {
  int proofs = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    DenseProblem p = random_problem(seed, {.hard = true, .soft = false});
    p.cv_high[0].setConstant(0.2);
    p.cv_low[0].setConstant(0.1);
    MpcEngine e = p.engine();
    if (e.solve(p.theta.data(), p.u_prev.data()) != Answer::infeasible) continue;
    ++proofs;
    // Σ w_i (a_i z) ≤ Σ w_i b_i for every feasible z, but the left side is 0 and the right below
    // it.
    const Shape& s = e.model().shape();
    const Matrix g = p.dynamics();
    const Vector y0 = p.offset + p.in.free * p.theta;
    Vector left = Vector::Zero(p.n());
    double right = 0;
    double weights = 0;
    const auto take = [&](const Constraint& c, double w) {
      EXPECT_GE(w, -1e-10);
      double constant = 0;
      if (c.tier >= 0) {
        constant = y0((c.row - s.y_at()) / s.p4 * s.horizon + (c.row - s.y_at()) % s.p4);
      } else if (c.row >= s.u_at()) {
        constant = p.u_prev((c.row - s.u_at()) % s.mvs);
      }
      left += w * normal(p, s, g, c);
      right += w * c.side * (c.bound - constant);
      weights += w;
    };
    for (Index i = 0; i < e.set().size(); ++i) take(e.set().at(i), e.set().farkas(i));
    take(e.set().refused(), 1.0);
    EXPECT_LT(left.cwiseAbs().maxCoeff(), 1e-9 * weights) << seed;
    EXPECT_LT(right, -1e-9) << seed;
  }
  EXPECT_GT(proofs, 20);
}

TEST(Engine, AnswersAgainAfterAProblemWithoutAnswer) {
  DenseProblem p = random_problem(3, {.hard = true});
  MpcEngine e = p.engine();
  ASSERT_EQ(e.solve(p.theta.data(), p.u_prev.data()), Answer::solved);
  const Vector before = Eigen::Map<const Vector>(e.z(), p.n());
  DenseProblem impossible = p;
  impossible.theta *= 1000;
  impossible.set(e);
  EXPECT_EQ(e.solve(impossible.theta.data(), p.u_prev.data()), Answer::infeasible);
  ASSERT_EQ(e.solve(p.theta.data(), p.u_prev.data()), Answer::solved);
  for (Index k = 0; k < p.n(); ++k) EXPECT_NEAR(e.z()[k], before(k), 1e-9);
}

TEST(Engine, KeepsTheLimitsOfTheMvsWhenItRunsOutOfIterations) {
  int stopped = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    DenseProblem p = random_problem(seed, {});
    p.theta *= 3;
    MpcEngine e = p.engine();
    e.set_iteration_limit(2);
    stopped += e.solve(p.theta.data(), p.u_prev.data()) == Answer::limit;
    Vector u = p.u_prev;
    for (Index k = 0; k < p.n(); ++k) {
      u(k % p.in.mvs) += e.z()[k];
      EXPECT_LE(e.z()[k], p.move_high(k) + 1e-11);
      EXPECT_GE(e.z()[k], p.move_low(k) - 1e-11);
      EXPECT_LE(u(k % p.in.mvs), p.value_high(k) + 1e-11);
      EXPECT_GE(u(k % p.in.mvs), p.value_low(k) - 1e-11);
    }
  }
  EXPECT_GT(stopped, 10);
}

}  // namespace
}  // namespace flyball::optimise
