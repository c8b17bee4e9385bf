#include "jobs/runner.h"

#include <gtest/gtest.h>

#include <atomic>

#include "jobs/memory_queue.h"
#include "support/expect_error.h"

namespace flyball::jobs {
namespace {

using namespace std::chrono_literals;

Submission ask(Kind kind = Kind::training) {
  return {kind, "L1", "ann", "", Json::object()};
}

Ending good() {
  Ending out;
  out.outcome.succeeded = true;
  return out;
}

class RunnerTest : public ::testing::Test {
 protected:
  Runner& start(Body body, RunnerOptions options = {}) {
    options.owner = "me";
    options.tick = 2ms;
    runner = std::make_unique<Runner>(
        queue, std::map<Kind, Body>{{Kind::training, std::move(body)}}, clock, options);
    runner->start();
    return *runner;
  }
  Job when(const std::string& id, const std::function<bool(const Job&)>& holds) {
    for (int i = 0; i < 5000; ++i) {
      const Job job = queue.job(id);
      if (holds(job)) return job;
      std::this_thread::sleep_for(1ms);
    }
    ADD_FAILURE() << "still " << enum_name(queue.job(id).attempt.state);
    return queue.job(id);
  }
  Job ended(const std::string& id) {
    return when(id, [](const Job& job) { return terminal(job.attempt.state); });
  }
  Job in(const std::string& id, State state) {
    return when(id, [&](const Job& job) { return job.attempt.state == state; });
  }
  /// Works until it is asked to stop.
  static Body endless(State state) {
    return {[state](Work& work) {
      work.enter(state);
      while (!work.stop().stop_requested()) std::this_thread::sleep_for(1ms);
      return good();
    }};
  }

  MemoryQueue queue;
  SystemClock clock;
  std::unique_ptr<Runner> runner;
};

TEST_F(RunnerTest, ABodyThatWalksTheStatesEndsAsDone) {
  start({[](Work& work) {
    EXPECT_TRUE(work.enter(State::training));
    work.say("identify", 0.5, "order 3");
    EXPECT_TRUE(work.enter(State::evaluating));
    return good();
  }});
  const Job job = ended(queue.submit(ask(), 1).id);
  EXPECT_EQ(job.attempt.state, State::done);
  EXPECT_TRUE(job.attempt.outcome.value().succeeded);
  EXPECT_EQ(job.attempt.progress.value().note, "order 3");
}

TEST_F(RunnerTest, AnErrorOfABodyIsTheReasonOfTheEnd) {
  start({[](Work&) -> Ending { throw Error("DATASET_MISSING", {{"id", "ds-9"}}); }});
  const Job job = ended(queue.submit(ask(), 1).id);
  EXPECT_EQ(job.attempt.state, State::failed);
  EXPECT_EQ(job.attempt.outcome.value().code, "DATASET_MISSING");
  EXPECT_NE(job.attempt.outcome.value().reason.find("ds-9"), std::string::npos);
}

TEST_F(RunnerTest, CancelFreesTheSlotInEveryState) {
  RunnerOptions one;
  one.slots = 1;
  for (const State state : {State::provisioning, State::training, State::evaluating}) {
    start(endless(state), one);
    const Job job = queue.submit(ask(), 1), next = queue.submit(ask(), 2);
    in(job.id, state);
    EXPECT_EQ(runner->cancel(job.id, "ann", "wrong data").attempt.state, State::cancelled);
    EXPECT_EQ(queue.job(job.id).attempt.outcome.value().code, "JOB_CANCELLED");
    in(next.id, state);
    EXPECT_ERROR(runner->cancel(job.id, "ann", ""), "JOB_ENDED");
    runner->cancel(next.id, "ann", "");
  }
  const Job waiting = [&] {
    runner.reset();
    return queue.submit(ask(), 3);
  }();
  Runner idle(queue, {}, clock, {});
  EXPECT_EQ(idle.cancel(waiting.id, "ann", "").attempt.state, State::cancelled);
}

TEST_F(RunnerTest, ASilentBodyStallsAndALongOneTimesOut) {
  RunnerOptions quick;
  quick.stall = 20 * kMillisecond;
  start(endless(State::training), quick);
  const Job silent = ended(queue.submit(ask(), 1).id);
  EXPECT_EQ(silent.attempt.state, State::failed);
  EXPECT_EQ(silent.attempt.outcome.value().code, "JOB_STALLED");
  quick.timeout = 50 * kMillisecond;
  start({[](Work& work) {
          work.enter(State::training);
          while (!work.stop().stop_requested()) work.say("identify", 0, "");
          return good();
        }},
        quick);
  const Job slow = ended(queue.submit(ask(), 1).id);
  EXPECT_EQ(slow.attempt.state, State::timeout);
  EXPECT_EQ(slow.attempt.outcome.value().code, "JOB_TIMEOUT");
}

TEST_F(RunnerTest, WhatADeadOwnerRanIsInterruptedAndWhatWaitedRuns) {
  const Job lost = queue.submit(ask(), 1);
  ASSERT_TRUE(queue.claim("dead", 9, 2, clock.now() + kDay));
  const Job waiting = queue.submit(ask(), 3);
  std::atomic<int> kept = 0;
  start({[](Work& work) {
           work.enter(State::training);
           work.enter(State::evaluating);
           return good();
         },
         [&](const Job&, Ending& ending) { ending.keep = [&] { ++kept; }; }});
  EXPECT_EQ(queue.job(lost.id).attempt.state, State::interrupted);
  EXPECT_EQ(kept, 1);
  EXPECT_EQ(ended(waiting.id).attempt.state, State::done);
}

TEST_F(RunnerTest, StoppingTheRunnerInterruptsWhatRuns) {
  start(endless(State::training));
  const Job job = queue.submit(ask(), 1);
  in(job.id, State::training);
  runner.reset();
  EXPECT_EQ(queue.job(job.id).attempt.state, State::interrupted);
  EXPECT_EQ(queue.job(job.id).attempt.outcome.value().code, "JOB_INTERRUPTED");
}

TEST_F(RunnerTest, WhatCannotBeKeptFailsTheAttempt) {
  start({[](Work& work) {
    work.enter(State::training);
    work.enter(State::evaluating);
    Ending out = good();
    out.keep = [] { throw Error("DISK_FULL", {{"path", "models"}}); };
    return out;
  }});
  const Job job = ended(queue.submit(ask(), 1).id);
  EXPECT_EQ(job.attempt.state, State::failed);
  EXPECT_FALSE(job.attempt.outcome.value().succeeded);
  EXPECT_EQ(job.attempt.outcome.value().code, "DISK_FULL");
}

TEST_F(RunnerTest, AnAttemptThatAsksForItIsTriedAgainUntilRetriesEnd) {
  std::atomic<int> tried = 0;
  start({[&](Work&) {
    ++tried;
    Ending out;
    out.state = State::interrupted;
    out.try_again = true;
    return out;
  }});
  const Job job = queue.submit(ask(), 1);
  when(job.id, [](const Job& j) { return j.attempt.number == 3 && terminal(j.attempt.state); });
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(tried, 3);
  EXPECT_EQ(queue.attempts(job.id).size(), 3u);
}

/// Cannot be written for a while, as when somebody else holds the database.
class ShakyQueue final : public MemoryQueue {
 public:
  std::optional<Job> claim(const std::string& owner, std::int64_t slots, TimeUs now,
                           TimeUs lease_until) override {
    fail();
    return MemoryQueue::claim(owner, slots, now, lease_until);
  }
  bool move(const Move& step, const std::function<void()>& with) override {
    if (terminal(step.to)) fail();
    return MemoryQueue::move(step, with);
  }
  bool note(const std::string&, std::int64_t, const ProgressNote&) override {
    throw Error("DATABASE_BUSY", {{"path", "flyball.db"}});
  }
  std::atomic<int> failures = 0;

 private:
  void fail() {
    if (++failures % 3 != 0) throw Error("DATABASE_BUSY", {{"path", "flyball.db"}});
  }
};

TEST_F(RunnerTest, OutlivesADatabaseThatIsBusyForAWhile) {
  ShakyQueue shaky;
  std::atomic<int> told = 0;
  RunnerOptions options;
  options.owner = "me";
  options.tick = 2ms;
  options.trouble = [&](const std::string&) { ++told; };
  const Job job = shaky.submit(ask(), 1);
  {
    Runner steady(shaky, {{Kind::training, {[](Work& work) {
                             work.enter(State::training);
                             work.say("identify", 0.5, "");
                             work.enter(State::evaluating);
                             return good();
                           }}}},
                  clock, options);
    steady.start();
    for (int i = 0; i < 5000 && !terminal(shaky.job(job.id).attempt.state); ++i)
      std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(shaky.job(job.id).attempt.state, State::done);
  EXPECT_GE(told, 3);
}

TEST_F(RunnerTest, NeverMoreRunThanThereAreSlots) {
  RunnerOptions two;
  two.slots = 2;
  std::atomic<int> now = 0, most = 0;
  start({[&](Work& work) {
          most = std::max(most.load(), ++now);
          work.enter(State::training);
          std::this_thread::sleep_for(2ms);
          work.enter(State::evaluating);
          --now;
          return good();
        }},
        two);
  std::vector<std::string> ids;
  for (int i = 0; i < 15; ++i) ids.push_back(queue.submit(ask(), i).id);
  for (const auto& id : ids) EXPECT_EQ(ended(id).attempt.state, State::done);
  EXPECT_LE(most, 2);
}

}  // namespace
}  // namespace flyball::jobs
