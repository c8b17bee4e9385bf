#include "jobs/worker_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::jobs {
namespace {

using std::chrono::milliseconds;

class WorkerPoolTest : public ::testing::Test {
 protected:
  PoolOptions options(const std::string& start = "") {
    PoolOptions o;
    o.worker.process.command = {MADE_UP_WORKER};
    if (!start.empty()) o.worker.process.command.push_back(start);
    o.worker.process.folder = "/";
    o.worker.process.environment = {"COLOUR=grey"};
    o.worker.process.log = folder.path() / "worker";
    o.worker.grace = milliseconds(100);
    return o;
  }
  static Json ask(WorkerPool& pool, const std::string& op, const Json& payload = Json(),
                  int deadline_ms = 30'000) {
    return pool.ask(op, payload, milliseconds(deadline_ms));
  }
  /// After whatever happened: the next question is answered, and nothing is taken.
  void expect_well(WorkerPool& pool) {
    clock.set(clock.now() + 5 * kSecond);
    EXPECT_EQ(ask(pool, "echo", {{"x", 1}}), Json({{"x", 1}}));
    const PoolStats s = pool.stats();
    EXPECT_EQ(s.ready, 1);
    EXPECT_EQ(s.busy, 0);
    EXPECT_EQ(s.waiting, 0);
    EXPECT_EQ(s.quarantined, 0);
    EXPECT_FALSE(s.degraded);
  }

  testing::TempFolder folder;
  ManualClock clock{1'000'000'000};
};

TEST_F(WorkerPoolTest, AnswersAndKeepsItsWorker) {
  WorkerPool pool(options(), clock);
  const Json first = ask(pool, "who"), second = ask(pool, "who");
  EXPECT_EQ(ask(pool, "echo", {1, 2.5, "x"}), Json({1, 2.5, "x"}));
  EXPECT_EQ(first, second);
  EXPECT_EQ(first["environment"], Json({"COLOUR=grey"}));
}

TEST_F(WorkerPoolTest, ALargeQuestionAndAnswerPass) {
  WorkerPool pool(options(), clock);
  Json large = Json::array();
  for (int i = 0; i < 200'000; ++i) large.push_back(i * 0.1);
  EXPECT_EQ(ask(pool, "echo", large), large);
}

TEST_F(WorkerPoolTest, WhatItPrintsIsNoFrame) {
  WorkerPool pool(options(), clock);
  EXPECT_EQ(ask(pool, "print"), Json());
  expect_well(pool);
}

TEST_F(WorkerPoolTest, ARefusalOfTheWorkIsNoFailureOfTheWorker) {
  WorkerPool pool(options(), clock);
  for (int i = 0; i < 5; ++i) EXPECT_ERROR(ask(pool, "refuse"), "NOT_FINITE");
  EXPECT_ERROR(ask(pool, "throw"), "SOLVER_ERROR");
  EXPECT_EQ(pool.stats().failures, 0);
}

struct Case {
  const char *op, *code;
  int deadline_ms;
};
class Misbehaving : public WorkerPoolTest, public ::testing::WithParamInterface<Case> {};

TEST_P(Misbehaving, IsARefusedSolveAndNoMore) {
  WorkerPool pool(options(), clock);
  EXPECT_EQ(ask(pool, "echo", 1), Json(1));
  EXPECT_ERROR(ask(pool, GetParam().op, Json(), GetParam().deadline_ms), GetParam().code);
  EXPECT_EQ(pool.stats().busy, 0);
  expect_well(pool);
}
INSTANTIATE_TEST_SUITE_P(Ops, Misbehaving,
                         ::testing::Values(Case{"die", "WORKER_INTERRUPTED", 30'000},
                                           Case{"exit", "WORKER_INTERRUPTED", 30'000},
                                           Case{"loop", "SOLVE_TIMEOUT", 300},
                                           Case{"garbage", "WORKER_PROTOCOL", 30'000},
                                           Case{"flood", "WORKER_PROTOCOL", 30'000},
                                           Case{"version", "WORKER_PROTOCOL", 30'000},
                                           Case{"pid", "WORKER_PROTOCOL", 30'000},
                                           Case{"twice", "WORKER_PROTOCOL", 30'000}),
                         [](const auto& p) { return std::string(p.param.op); });

class BadStart : public WorkerPoolTest, public ::testing::WithParamInterface<Case> {};

TEST_P(BadStart, CountsAndDegradesAndIsProbedAMinuteLater) {
  PoolOptions o = options(GetParam().op);
  o.worker.ready = milliseconds(GetParam().deadline_ms);
  WorkerPool pool(o, clock);
  EXPECT_ERROR(ask(pool, "echo"), GetParam().code);
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_RESTARTING");
  clock.set(clock.now() + 1 * kSecond);
  EXPECT_ERROR(ask(pool, "echo"), GetParam().code);
  clock.set(clock.now() + 2 * kSecond);
  EXPECT_ERROR(ask(pool, "echo"), GetParam().code);
  clock.set(clock.now() + 59 * kSecond);
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_UNAVAILABLE");
  EXPECT_TRUE(pool.stats().degraded);
  clock.set(clock.now() + 1 * kSecond);
  EXPECT_ERROR(ask(pool, "echo"), GetParam().code);
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_UNAVAILABLE");
  EXPECT_EQ(pool.stats().busy, 0);
}
INSTANTIATE_TEST_SUITE_P(Ways, BadStart,
                         ::testing::Values(Case{"silent", "WORKER_START_TIMEOUT", 50},
                                           Case{"exit", "WORKER_EXITED", 30'000},
                                           Case{"garbage", "WORKER_PROTOCOL", 30'000},
                                           Case{"flood", "WORKER_PROTOCOL", 30'000},
                                           Case{"version", "WORKER_PROTOCOL", 30'000},
                                           Case{"pid", "WORKER_PROTOCOL", 30'000}),
                         [](const auto& p) { return std::string(p.param.op); });

TEST_F(WorkerPoolTest, ADegradedPoolRecoversByItsProbe) {
  WorkerPool pool(options(), clock);
  for (int i = 0; i < 3; ++i) {
    EXPECT_ERROR(ask(pool, "die"), "WORKER_INTERRUPTED");
    clock.set(clock.now() + 4 * kSecond);
  }
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_UNAVAILABLE");
  clock.set(clock.now() + 60 * kSecond);
  EXPECT_EQ(ask(pool, "echo", 5), Json(5));
  EXPECT_FALSE(pool.stats().degraded);
}

TEST_F(WorkerPoolTest, AWorkerThatIsKilledWhileItWaitsIsReplacedUnseen) {
  WorkerPool pool(options(), clock);
  const auto pid = static_cast<pid_t>(ask(pool, "who")["pid"].get<std::int64_t>());
  ASSERT_EQ(::kill(pid, SIGKILL), 0);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
  expect_well(pool);
  EXPECT_NE(ask(pool, "who")["pid"].get<std::int64_t>(), pid);
}

TEST_F(WorkerPoolTest, ACancelledCallLeavesAWorkerThatListens) {
  WorkerPool pool(options(), clock);
  std::stop_source stop;
  auto call = std::async(std::launch::async, [&] {
    EXPECT_ERROR((void)pool.ask("patient", Json(), milliseconds(60'000), stop.get_token()),
                 "CANCELLED");
  });
  while (pool.stats().busy == 0) std::this_thread::yield();
  stop.request_stop();
  call.get();
  EXPECT_EQ(pool.stats().failures, 0);
  expect_well(pool);
}

TEST_F(WorkerPoolTest, AFullQueueRefusesAndASlotThatIsFreedServes) {
  PoolOptions o = options();
  o.queue_limit = 1;
  WorkerPool pool(o, clock);
  std::stop_source stop;
  auto working = std::async(std::launch::async, [&] {
    EXPECT_ERROR((void)pool.ask("patient", Json(), milliseconds(60'000), stop.get_token()),
                 "CANCELLED");
  });
  while (pool.stats().busy == 0) std::this_thread::yield();
  auto waits = std::async(std::launch::async, [&] { return ask(pool, "echo", 9); });
  while (pool.stats().waiting == 0) std::this_thread::yield();
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_QUEUE_FULL");
  stop.request_stop();
  EXPECT_EQ(waits.get(), Json(9));
}

TEST_F(WorkerPoolTest, OneThatWaitsTooLongForASlotIsRefused) {
  PoolOptions o = options();
  o.slot_wait = milliseconds(50);
  WorkerPool pool(o, clock);
  std::stop_source stop;
  auto working = std::async(std::launch::async, [&] {
    EXPECT_ERROR((void)pool.ask("patient", Json(), milliseconds(60'000), stop.get_token()),
                 "CANCELLED");
  });
  while (pool.stats().busy == 0) std::this_thread::yield();
  EXPECT_ERROR(ask(pool, "echo"), "SOLVER_QUEUE_FULL");
  stop.request_stop();
}

TEST_F(WorkerPoolTest, ThePoolEndsWhileItWorks) {
  auto pool = std::make_unique<WorkerPool>(options(), clock);
  auto call = std::async(std::launch::async, [&p = *pool] {
    EXPECT_ERROR((void)p.ask("patient", Json(), milliseconds(60'000)), "WORKER_RETIRING");
  });
  while (pool->stats().busy == 0) std::this_thread::yield();
  pool.reset();
  call.get();
}

TEST_F(WorkerPoolTest, ManyCallersOfTwoWorkersGetTheirOwnAnswers) {
  PoolOptions o = options();
  o.size = 2;
  o.queue_limit = 100;
  WorkerPool pool(o, clock);
  std::vector<std::future<Json>> answers;
  for (int i = 0; i < 20; ++i)
    answers.push_back(std::async(std::launch::async, [&pool, i] { return ask(pool, "echo", i); }));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(answers[static_cast<std::size_t>(i)].get(), Json(i));
  EXPECT_EQ(pool.stats().busy, 0);
  EXPECT_LE(pool.stats().ready, 2);
}

}  // namespace
}  // namespace flyball::jobs
