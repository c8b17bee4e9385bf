#include "math/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace flyball::math {
namespace {

TEST(ParallelFor, CallsEveryTaskOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::vector<int> calls(100, 0);
    parallel_for(
        100, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; }, threads);
    EXPECT_EQ(calls, std::vector<int>(100, 1));
  }
  parallel_for(0, [](Index) { FAIL() << "there is no task"; });
}

TEST(ParallelFor, RunsTasksAtTheSameTime) {
  std::atomic<int> here{0};
  // Ends only when both tasks have begun.
  parallel_for(
      2,
      [&](Index) {
        ++here;
        while (here.load() < 2) std::this_thread::yield();
      },
      2);
  EXPECT_EQ(here.load(), 2);
}

TEST(ParallelFor, ThrowsWhatAPlainLoopWouldThrow) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<int> done{0};
    try {
      parallel_for(
          40,
          [&](Index i) {
            if (i % 7 == 3) throw std::runtime_error(std::to_string(i));
            ++done;
          },
          4);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "3");
    }
    EXPECT_GE(done.load(), 3);
    EXPECT_LT(done.load(), 40);
  }
}

}  // namespace
}  // namespace flyball::math
