// Counts every allocation of this program (malloc, which operator new and Eigen call): what follows
// the constructor of Simulator makes none. A sanitizer owns malloc, so there it cannot be counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "model/models.h"
#include "model/polynomial_narx.h"

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

TEST(NarxSimulator, AllocatesNothingAfterSetUp) {
#ifdef FLYBALL_SANITIZED
  GTEST_SKIP() << "malloc belongs to the sanitizer";
#endif
  const Record r = some_record(80);
  PolynomialNarx m;
  m.centre = Vector(4);
  m.centre << 1, 2, 10, -4;
  m.scale = Vector::Ones(4);
  m.n_mv = 1;
  m.outputs = {{{{{{2, 1}}, 0.5}, {{{0, 3}, {3, 2}}, 0.2}}, 0, 20},
               {{{{{1, 0}, {2, 4}}, 0.1}}, -9, 9}};
  Matrix out(20, 2);
  NarxSimulator s(m);
  static_assert(noexcept(s.start(r, 30, 10)));
  const long before = allocations;
  s.start(r, 30, 10);
  s.rollout(r, 30, 10, 20, Future::held, out);
  s.one_step(r, 30, 10, 20, out);
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace flyball::model
