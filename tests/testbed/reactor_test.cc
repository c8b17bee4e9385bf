#include "testbed/reactor.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace flyball::testbed {
namespace {

TEST(Reactor, RestsWhereThePaperSays) {
  const StirredReactor r;
  const double published[] = {2.14, 1.09, 114.2, 112.9};
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(r.state()(i), published[i], 5e-4 * published[i]);
  StirredReactor later = r;
  later.advance(StirredReactor::kFeed, StirredReactor::kHeat, 3600);
  EXPECT_LT((later.state() - r.state()).cwiseAbs().maxCoeff(), 1e-9);
}

/// Linear at rest it is the reactor of the public collection, whose numbers have another origin.
TEST(Reactor, IsThePublishedLinearModelAtRest) {
  std::ifstream file(FLYBALL_SOURCE_DIR "/../shared/data/mpc_benchmarks/nonlinearCstr_1.json");
  if (!file) GTEST_SKIP() << "../shared/data is not there";
  const auto json = nlohmann::json::parse(file);
  const auto m = linear_reactor(json["Ts"].get<double>());
  for (std::size_t i = 0; i < 4; ++i) {
    const double size = i < 2 ? 1 : 2;  // largest entries of the rows
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(m.A(static_cast<Index>(i), static_cast<Index>(j)), json["A"][i][j].get<double>(),
                  2e-4 * size);
    EXPECT_NEAR(m.B(static_cast<Index>(i), 0), json["B"][i][0].get<double>(), 1e-4);
    EXPECT_NEAR(m.B(static_cast<Index>(i), 1) / 100, json["B"][i][1].get<double>(), 1e-7);
  }
}

/// The model holds near its point and is wrong far from it: that is what a loop with it tests.
TEST(Reactor, LeavesItsLinearModelFarFromRest) {
  const auto m = linear_reactor(75);
  const auto apart = [&](double size) {
    ReactorLoop machine;
    Vector x = Vector::Zero(4), u = m.u0, y = m.g;
    u(0) += size;
    for (int t = 0; t < 40; ++t) {
      y = machine.step(u);
      x = (m.A * x + m.B * (u - m.u0)).eval();
    }
    return (y - m.g - m.C * x).cwiseAbs().maxCoeff() / (m.C * x).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(apart(0.01), 1e-3);
  EXPECT_GT(apart(-5), 0.1);
  EXPECT_GT(apart(5), 0.05);
}

}  // namespace
}  // namespace flyball::testbed
