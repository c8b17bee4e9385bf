// Counts every allocation of this program: what follows the set-up of an engine makes none.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "dense_problem.h"

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

namespace flyball::optimise {
namespace {

TEST(Engine, AllocatesNothingAfterSetUp) {
#ifdef FLYBALL_SANITIZED
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  DenseProblem p = random_problem(4, {.hard = true, .linear = true});
  MpcEngine e = p.engine();
  const double* any = nullptr;
  static_assert(noexcept(e.solve(any, any)));
  static_assert(noexcept(e.limit_moves(any, any)));
  const long before = allocations;
  Index changes = 0;
  for (int i = 0; i < 50; ++i) {
    p.theta(0) += i % 2 == 0 ? 3.0 : -3.1;
    (void)e.solve(p.theta.data(), p.u_prev.data());
    changes += e.iterations();
  }
  e.limit_moves(p.move_low.data(), p.move_high.data());
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(changes, 20);
  EXPECT_GT(before, 0) << "the counter counts";
}

}  // namespace
}  // namespace flyball::optimise
