#pragma once
// What every Queue promises. An implementation includes this and instantiates the suite with a
// Factory whose `make(QueueLimits)` gives an empty queue.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "jobs/queue.h"
#include "support/expect_error.h"

namespace flyball::jobs {

inline Submission ask(Kind kind = Kind::training, const std::string& line = "L1") {
  return {kind, line, "ann", "a title", {{"datasetId", "ds-1"}}};
}

template <class Factory>
class QueueContract : public ::testing::Test {
 protected:
  Factory factory;
  std::unique_ptr<Queue> queue = factory.make(QueueLimits{});

  Job claimed(TimeUs now = 10) { return queue->claim("me", 99, now, now + 30).value(); }
  /// Brings a fresh attempt into `state` along allowed steps.
  Job in_state(State state) {
    Job job = queue->submit(ask(), 1);
    const auto go = [&](State from, State to) {
      EXPECT_TRUE(queue->move({job.id, 1, from, to, 20, Outcome{}}));
    };
    if (state == State::queued) return queue->job(job.id);
    if (state == State::cancelled) {
      go(State::queued, State::cancelled);
      return queue->job(job.id);
    }
    go(State::queued, State::provisioning);
    if (state == State::provisioning) return queue->job(job.id);
    go(State::provisioning, State::training);
    if (state == State::training) return queue->job(job.id);
    if (state == State::evaluating || state == State::done) go(State::training, State::evaluating);
    if (state == State::evaluating) return queue->job(job.id);
    go(state == State::done ? State::evaluating : State::training, state);
    return queue->job(job.id);
  }
};
TYPED_TEST_SUITE_P(QueueContract);

TYPED_TEST_P(QueueContract, EveryPairOfStatesFollowsTheTable) {
  for (int from = 0; from < kStates; ++from) {
    for (int to = 0; to < kStates; ++to) {
      const State a = static_cast<State>(from), b = static_cast<State>(to);
      const Job job = this->in_state(a);
      ASSERT_EQ(job.attempt.state, a);
      const bool moved = this->queue->move({job.id, 1, a, b, 30, Outcome{}});
      EXPECT_EQ(moved, may_follow(a, b)) << enum_name(a) << " → " << enum_name(b);
      EXPECT_EQ(this->queue->job(job.id).attempt.state, moved ? b : a);
      if (const State now = moved ? b : a; !terminal(now)) {
        EXPECT_TRUE(this->queue->move({job.id, 1, now, State::cancelled, 40, {}}));
      }
    }
  }
}

TYPED_TEST_P(QueueContract, AStepFromAStateThatIsNotTheStateIsNotTaken) {
  const Job job = this->in_state(State::training);
  bool ran = false;
  EXPECT_FALSE(this->queue->move({job.id, 1, State::provisioning, State::evaluating, 5, {}},
                                 [&] { ran = true; }));
  EXPECT_FALSE(this->queue->move({job.id, 2, State::training, State::evaluating, 5, {}},
                                 [&] { ran = true; }));
  EXPECT_FALSE(ran);
  EXPECT_EQ(this->queue->job(job.id).attempt.state, State::training);
}

TYPED_TEST_P(QueueContract, WhatBelongsToAStepDecidesWithIt) {
  const Job job = this->in_state(State::evaluating);
  const auto refuse = [] { throw Error("DISK_FULL", {{"path", "x"}}); };
  const Move step{job.id, 1, State::evaluating, State::done, 50, Outcome{}};
  EXPECT_ERROR((void)this->queue->move(step, refuse), "DISK_FULL");
  EXPECT_EQ(this->queue->job(job.id).attempt.state, State::evaluating);
  bool ran = false;
  Outcome outcome;
  outcome.succeeded = true;
  outcome.model_id = "mdl-1";
  EXPECT_TRUE(this->queue->move({job.id, 1, State::evaluating, State::done, 50, outcome},
                                [&] { ran = true; }));
  EXPECT_TRUE(ran);
  const Job done = this->queue->job(job.id);
  EXPECT_EQ(done.attempt.state, State::done);
  EXPECT_EQ(done.attempt.ended_at, 50);
  EXPECT_EQ(done.attempt.outcome.value().model_id, "mdl-1");
}

TYPED_TEST_P(QueueContract, ANewAttemptCanBePartOfTheEndOfTheOneBefore) {
  const Job job = this->in_state(State::training);
  EXPECT_TRUE(this->queue->move({job.id, 1, State::training, State::interrupted, 50, Outcome{}},
                                [&] { this->queue->retry(job.id, 50); }));
  EXPECT_EQ(this->queue->job(job.id).attempt.state, State::queued);
  EXPECT_EQ(this->queue->job(job.id).attempt.number, 2);
}

TYPED_TEST_P(QueueContract, TheOldestOfTheBestPriorityStartsAndSlotsLimit) {
  const Job housework = this->queue->submit(ask(Kind::retention), 1);
  const Job first = this->queue->submit(ask(Kind::training), 2);
  const Job second = this->queue->submit(ask(Kind::training), 3);
  const Job build = this->queue->submit(ask(Kind::dataset_build), 4);
  EXPECT_EQ(this->queue->claim("me", 2, 10, 40).value().id, build.id);
  EXPECT_EQ(this->queue->claim("me", 2, 10, 40).value().id, first.id);
  EXPECT_FALSE(this->queue->claim("me", 2, 10, 40));
  EXPECT_TRUE(this->queue->move({build.id, 1, State::provisioning, State::failed, 11, Outcome{}}));
  const Job next = this->queue->claim("me", 2, 12, 42).value();
  EXPECT_EQ(next.id, second.id);
  EXPECT_EQ(next.attempt.state, State::provisioning);
  EXPECT_EQ(next.attempt.owner, "me");
  EXPECT_EQ(next.attempt.started_at, 12);
  EXPECT_EQ(next.attempt.lease_until, 42);
  EXPECT_EQ(this->queue->claim("me", 3, 13, 43).value().id, housework.id);
}

TYPED_TEST_P(QueueContract, ProgressIsNoTransitionAndEndsWithTheAttempt) {
  const Job job = this->in_state(State::training);
  EXPECT_TRUE(this->queue->note(job.id, 1, {"identify", 0.5, "order 3", 21}));
  const Job noted = this->queue->job(job.id);
  EXPECT_EQ(noted.attempt.state, State::training);
  EXPECT_EQ(noted.attempt.progress.value().note, "order 3");
  EXPECT_TRUE(this->queue->move({job.id, 1, State::training, State::failed, 22, Outcome{}}));
  EXPECT_FALSE(this->queue->note(job.id, 1, {"identify", 0.6, "late", 23}));
  EXPECT_EQ(this->queue->job(job.id).attempt.progress.value().note, "order 3");
}

TYPED_TEST_P(QueueContract, ARetryIsANewAttemptAndTheOldOneStays) {
  const Job job = this->in_state(State::failed);
  EXPECT_EQ(this->queue->retry(job.id, 60).attempt.number, 2);
  EXPECT_ERROR(this->queue->retry(job.id, 61), "JOB_NOT_RETRYABLE");
  EXPECT_EQ(this->claimed().attempt.number, 2);
  EXPECT_TRUE(this->queue->move({job.id, 2, State::provisioning, State::timeout, 62, Outcome{}}));
  EXPECT_EQ(this->queue->retry(job.id, 63).attempt.number, 3);
  EXPECT_TRUE(this->queue->move({job.id, 3, State::queued, State::cancelled, 64, Outcome{}}));
  EXPECT_ERROR(this->queue->retry(job.id, 65), "RETRY_EXHAUSTED");
  std::vector<State> states;
  for (const Attempt& a : this->queue->attempts(job.id)) states.push_back(a.state);
  EXPECT_EQ(states, (std::vector{State::failed, State::timeout, State::cancelled}));
  EXPECT_ERROR(this->queue->retry(this->in_state(State::done).id, 66), "JOB_NOT_RETRYABLE");
  EXPECT_ERROR(this->queue->retry("job-none", 67), "JOB_MISSING");
}

TYPED_TEST_P(QueueContract, TheWaitingRoomIsLimited) {
  this->queue = this->factory.make(QueueLimits{2, 2});
  const Job failed = this->in_state(State::failed);
  this->queue->submit(ask(), 1);
  this->queue->submit(ask(), 2);
  EXPECT_ERROR(this->queue->submit(ask(), 3), "QUEUE_FULL");
  EXPECT_ERROR(this->queue->retry(failed.id, 3), "QUEUE_FULL");
  EXPECT_EQ(this->queue->attempts(failed.id).size(), 1u);
  (void)this->claimed();
  EXPECT_EQ(this->queue->submit(ask(), 4).attempt.state, State::queued);
}

TYPED_TEST_P(QueueContract, LeasesRunOutUnlessRenewedAndDeadOwnersAreFound) {
  this->queue->submit(ask(), 1);
  const Job job = this->claimed(10);  // until 40
  EXPECT_TRUE(this->queue->abandoned("me", false, 40).empty());
  EXPECT_EQ(this->queue->abandoned("me", false, 41).size(), 1u);
  this->queue->renew("other", 99);
  EXPECT_EQ(this->queue->abandoned("me", false, 41).size(), 1u);
  this->queue->renew("me", 99);
  EXPECT_TRUE(this->queue->abandoned("me", true, 41).empty());
  EXPECT_EQ(this->queue->abandoned("you", true, 41).at(0).id, job.id);
}

TYPED_TEST_P(QueueContract, AListIsNewestFirstInPagesAndFiltered) {
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i)
    ids.push_back(this->queue->submit(ask(Kind::training, i % 2 ? "A" : "B"), i).id);
  EXPECT_TRUE(this->queue->move({ids[3], 1, State::queued, State::cancelled, 9, Outcome{}}));
  const JobPage one = this->queue->list({}, 3, {});
  ASSERT_EQ(one.jobs.size(), 3u);
  EXPECT_EQ(one.jobs[0].id, ids[4]);
  const JobPage two = this->queue->list({}, 3, one.next_cursor);
  ASSERT_EQ(two.jobs.size(), 2u);
  EXPECT_EQ(two.jobs[1].id, ids[0]);
  EXPECT_FALSE(two.next_cursor);
  EXPECT_EQ(this->queue->list({{}, {}, "A"}, 9, {}).jobs.size(), 2u);
  EXPECT_EQ(this->queue->list({State::cancelled, {}, ""}, 9, {}).jobs.at(0).id, ids[3]);
  EXPECT_TRUE(this->queue->list({{}, Kind::report, ""}, 9, {}).jobs.empty());
  for (const char* bad : {"", "j", "x3", "j-1", "j3x"})
    EXPECT_ERROR(this->queue->list({}, 3, bad), "CURSOR_INVALID");
  EXPECT_EQ(this->queue->count()[static_cast<std::size_t>(State::queued)], 4);
}

TYPED_TEST_P(QueueContract, OnlyEndedJobsAreForgotten) {
  const Job job = this->in_state(State::training);
  EXPECT_ERROR(this->queue->remove(job.id), "JOB_ACTIVE");
  EXPECT_TRUE(this->queue->move({job.id, 1, State::training, State::failed, 9, Outcome{}}));
  this->queue->remove(job.id);
  EXPECT_ERROR(this->queue->job(job.id), "JOB_MISSING");
  EXPECT_ERROR(this->queue->remove(job.id), "JOB_MISSING");
}

TYPED_TEST_P(QueueContract, OneJobGoesToOneOfManyThatClaim) {
  this->queue = this->factory.make(QueueLimits{50, 2});
  for (int i = 0; i < 40; ++i) this->queue->submit(ask(), i);
  std::mutex mutex;
  std::multiset<std::string> got;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        while (const auto job = this->queue->claim(std::to_string(t), 30, 1, 2)) {
          const std::lock_guard lock(mutex);
          got.insert(job->id);
        }
      });
    }
  }
  EXPECT_EQ(got.size(), 30u);
  EXPECT_EQ(std::set<std::string>(got.begin(), got.end()).size(), 30u);
}

REGISTER_TYPED_TEST_SUITE_P(QueueContract, EveryPairOfStatesFollowsTheTable,
                            AStepFromAStateThatIsNotTheStateIsNotTaken,
                            WhatBelongsToAStepDecidesWithIt,
                            ANewAttemptCanBePartOfTheEndOfTheOneBefore, TheOldestOfTheBestPriorityStartsAndSlotsLimit,
                            ProgressIsNoTransitionAndEndsWithTheAttempt,
                            ARetryIsANewAttemptAndTheOldOneStays, TheWaitingRoomIsLimited,
                            LeasesRunOutUnlessRenewedAndDeadOwnersAreFound,
                            AListIsNewestFirstInPagesAndFiltered, OnlyEndedJobsAreForgotten,
                            OneJobGoesToOneOfManyThatClaim);

}  // namespace flyball::jobs
