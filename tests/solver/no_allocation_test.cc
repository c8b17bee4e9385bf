// Counts every allocation of this program (malloc, which operator new and Eigen call): a solve
// after the constructor makes none, cold or warm. A sanitizer owns malloc, so there it cannot be
// counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "solver/active_set.h"
#include "solver/random_qp.h"

namespace {
std::atomic<long> allocations{0};
}

#ifndef FLYBALL_SANITIZED
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: glibc's own name
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace flyball::solver {
namespace {

TEST(ActiveSet, AllocatesNothingAfterSetUp) {
#ifdef FLYBALL_SANITIZED
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  for (const Index rank : {Index{-1}, Index{12}}) {
    std::mt19937_64 random(4);
    DenseQp q = random_qp(random, {.variables = 30, .rows = 60, .rank = rank, .equations = 2});
    q.lower = q.lower.cwiseMax(-50);
    q.upper = q.upper.cwiseMin(50);
    ActiveSet set(q.h, q.a);
    const ConstVectorRef some = q.g;
    static_assert(noexcept(set.solve(some, some, some, some, some)));
    const Vector wrong = Vector::Constant(30, std::nan(""));
    const long before = allocations;
    for (int i = 0; i < 50; ++i) {
      if (i % 10 == 0) set.forget();
      q.g[i % 30] += 3;
      q.row_lower[i] = i % 7 == 3 ? q.row_upper[i] + 1 : q.row_lower[i];
      set.solve(q.g, q.row_lower, q.row_upper, q.lower, q.upper);
      q.row_lower[i] = -kInfinity;
    }
    set.solve(wrong, q.row_lower, q.row_upper, q.lower, q.upper);
    set.limit({.max_iterations = 1});
    set.forget();
    set.solve(q.g, q.row_lower, q.row_upper, q.lower, q.upper);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(before, 0) << "the counter counts";
  }
}

}  // namespace
}  // namespace flyball::solver
