// Counts every allocation of this program (malloc, which operator new and Eigen call): what follows
// the constructor of Simulator makes none. A sanitizer owns malloc, so there it cannot be counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "model/models.h"

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

namespace flyball::model {
namespace {

TEST(Simulator, AllocatesNothingAfterSetUp) {
#ifdef FLYBALL_SANITIZED
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  const Record r = some_record(80);
  const LinearStateSpace m = two_by_two();
  Matrix out(20, 2);
  Simulator s(m);
  static_assert(noexcept(s.start(r, 30, 10)));
  const long before = allocations;
  s.start(r, 30, 10);
  s.rollout(r, 30, 10, 20, Future::held, out);
  s.rollout(r, 30, 10, 20, Future::measured, out);
  s.one_step(r, 30, 10, 20, out);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(before, 0) << "the counter counts";
}

}  // namespace
}  // namespace flyball::model
