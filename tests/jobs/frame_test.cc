#include "jobs/frame.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "jobs/worker_health.h"
#include "support/expect_error.h"

namespace flyball::jobs {
namespace {

TEST(Frame, WhatWasSealedIsWhatIsOpened) {
  const Json frame{{"controls", {{1.5, -2e-300}, {0.1, 3}}}, {"text", "Öl\n"}};
  std::string line = seal_frame(frame);
  ASSERT_EQ(line.back(), '\n');
  line.pop_back();
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(open_frame(line), frame);
}

TEST(Frame, EveryBitInTurnIsRefused) {
  std::string line =
      seal_frame({{"reqId", "7-1"}, {"result", {{"controls", {1.25, 2.5}}, {"feasible", true}}}});
  line.pop_back();
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = line;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      EXPECT_ERROR((void)open_frame(changed), "FRAME_CORRUPT");
    }
  }
  for (std::size_t size = 0; size < line.size(); ++size)
    EXPECT_ERROR((void)open_frame(line.substr(0, size)), "FRAME_CORRUPT");
}

TEST(WorkerHealth, BackOffDoublesAndThreeFailuresDegrade) {
  using Answer = WorkerHealth::Answer;
  WorkerHealth h;
  EXPECT_EQ(h.ask(0), Answer::go);
  h.failed(0);
  EXPECT_EQ(h.ask(999'999), Answer::restarting);
  EXPECT_EQ(h.ask(1'000'000), Answer::go);
  h.failed(1'000'000);
  EXPECT_EQ(h.ask(2'999'999), Answer::restarting);
  EXPECT_EQ(h.ask(3'000'000), Answer::go);
  EXPECT_FALSE(h.degraded());
  h.failed(3'000'000);
  EXPECT_TRUE(h.degraded());
  EXPECT_EQ(h.ask(3'000'000 + 59 * kSecond), Answer::degraded);
}

TEST(WorkerHealth, HalfOpenLetsOneThroughAndRecovers) {
  using Answer = WorkerHealth::Answer;
  WorkerHealth h;
  for (int i = 0; i < 5; ++i) h.failed(0);
  EXPECT_EQ(h.ask(60 * kSecond), Answer::go);
  EXPECT_EQ(h.ask(60 * kSecond), Answer::degraded) << "one probe at a time";
  h.failed(60 * kSecond);
  EXPECT_EQ(h.ask(119 * kSecond), Answer::degraded);
  EXPECT_EQ(h.ask(120 * kSecond), Answer::go);
  h.gave_up();
  EXPECT_EQ(h.ask(120 * kSecond), Answer::go) << "a caller that went away does not block the next";
  h.succeeded();
  EXPECT_FALSE(h.degraded());
  EXPECT_EQ(h.ask(120 * kSecond), Answer::go);
}

TEST(WorkerHealth, BackOffIsTheFormula) {
  WorkerHealth h;
  h.failed(0);
  EXPECT_EQ(h.back_off(), 1'000 * kMillisecond);
  h.failed(0);
  EXPECT_EQ(h.back_off(), 2'000 * kMillisecond);
  h.failed(0);
  EXPECT_EQ(h.back_off(), 4'000 * kMillisecond);
  for (int i = 0; i < 100; ++i) h.failed(0);
  EXPECT_EQ(h.back_off(), 4'000 * kMillisecond);
}

}  // namespace
}  // namespace flyball::jobs
