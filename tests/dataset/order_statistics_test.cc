#include "dataset/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "dataset/change_scale.h"
#include "math/random.h"

namespace flyball::dataset {
namespace {

/// Every tenth rank by passes, against a sort; how many passes it took.
int check(std::vector<double> x) {
  std::vector<std::int64_t> ranks{std::ssize(x) - 1};
  for (std::int64_t r = 0; r < std::ssize(x); r += 1 + std::ssize(x) / 10) ranks.push_back(r);
  OrderStatistics order(std::ranges::min(x), std::ranges::max(x), ranks);
  int passes = 0;
  for (; !order.done(); ++passes) {
    for (const double v : x) order.add(v);
    order.end_pass();
  }
  std::ranges::sort(x);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    EXPECT_EQ(order.value(i), x[static_cast<std::size_t>(ranks[i])]) << ranks[i];
  return passes;
}

TEST(OrderStatistics, AreThoseOfASort) {
  math::Random random(3);
  std::vector<double> x(10'000);
  for (double& v : x) v = random.normal();
  EXPECT_LE(check(x), 4);
  for (double& v : x) v = std::round(3 * v);
  check(x);
  for (double& v : x) v = random.uniform() < 0.9 ? 7 : random.normal() * 1e9;
  check(x);
  check({5});
  check({2, 2, 2});
}

TEST(OrderStatistics, HoldAtTheEndsOfTheNumberRange) {
  constexpr double kMax = std::numeric_limits<double>::max();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  check({-kMax, kMax, 0, 1, -1, kMax, 3});
  check({0, kLeast, 2 * kLeast, 3 * kLeast, -kLeast});
  math::Random random(4);
  std::vector<double> x;
  for (int i = 0; i < 2000; ++i) x.push_back(std::pow(10, random.uniform(-300, 300)));
  EXPECT_LE(check(x), 10);
}

TEST(QuantumFinder, FindsWhatTheWholeSeriesHas) {
  std::vector<double> x;
  math::Random random(6);
  for (int i = 0; i < 3000; ++i) x.push_back(0.25 * std::round(4 * random.normal()));
  QuantumFinder finder;
  for (const double v : x) finder.add(v);
  EXPECT_EQ(finder.quantum(), 0.25);
  EXPECT_EQ(observed_quantum(x), 0.25);
}

}  // namespace
}  // namespace flyball::dataset
