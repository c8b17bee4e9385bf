// When a plan trains, what its jobs make of it, and who holds its model.
#include "app/job_service.h"
#include "app/plan_requests.h"
#include "app/plan_rules.h"
#include "stored_fixture.h"

namespace flyball::app {
namespace {

using jobs::State;
using registry::PlanStatus;
using registry::TrainingPlan;

constexpr TimeUs kHour = 3600 * kSecond;

TrainingPlan trained(TimeUs at, std::int64_t runs, DurationUs span) {
  TrainingPlan plan;
  plan.last_status = PlanStatus::done;
  plan.last_trained_at = at;
  plan.last_run_count = runs;
  plan.last_span = span;
  return plan;
}

TEST(PlanRules, ItTrainsWhenTheIntervalHasPassedAndMoreRunsAreFinished) {
  const TrainingPlan plan = trained(0, 5, 100 * kSecond);
  EXPECT_TRUE(why_now(plan, {6, 120 * kSecond, {}}, kHour));
  EXPECT_FALSE(why_now(plan, {6, 120 * kSecond, {}}, kHour - 1)) << "too early";
  EXPECT_FALSE(why_now(plan, {5, 100 * kSecond, {}}, 9 * kHour)) << "nothing new";
  EXPECT_FALSE(why_now(plan, {4, 80 * kSecond, {}}, 9 * kHour)) << "less than before";
  EXPECT_FALSE(why_now(TrainingPlan{}, {0, 0, {}}, kHour)) << "nothing at all";
  EXPECT_TRUE(why_now(TrainingPlan{}, {1, kSecond, {}}, 0)) << "the first";
}

TEST(PlanRules, OnALineWithoutBatchesNewStepsCount) {
  TrainingPlan plan = trained(0, 1, 1000 * kSecond);
  plan.min_new_rows = 500;
  const double beat = 2e6;
  EXPECT_FALSE(why_now(plan, {1, 1998 * kSecond, beat}, kHour)) << "499 steps";
  EXPECT_TRUE(why_now(plan, {1, 2000 * kSecond, beat}, kHour)) << "500 steps";
  EXPECT_FALSE(why_now(plan, {1, 9000 * kSecond, {}}, kHour)) << "without a beat nobody knows";
  EXPECT_EQ(new_rows(plan, {1, 900 * kSecond, beat}), std::nullopt) << "there are less now";
}

TEST(PlanRules, DisabledManualAndTrainingPlansNeverTrainByThemselves) {
  const PlanEvidence much{100, 1000 * kHour, 1e6};
  TrainingPlan plan = trained(0, 5, kHour);
  ASSERT_TRUE(why_now(plan, much, 9 * kHour));
  plan.enabled = false;
  EXPECT_FALSE(why_now(plan, much, 9 * kHour));
  plan.enabled = true;
  plan.strategy = registry::PlanStrategy::manual;
  EXPECT_FALSE(why_now(plan, much, 9 * kHour));
  plan.strategy = registry::PlanStrategy::automatic;
  plan.last_status = PlanStatus::training;
  EXPECT_FALSE(why_now(plan, much, 9 * kHour));
}

/// A service that takes no job: the test ends them.
class PlanTest : public StoredTest {
 protected:
  PlanTest() {
    app_.use(service_);
    id_ = call("plans create",
               {{"name", "nightly"}, {"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}})["id"];
  }
  Json plan() { return call("plans show", {{"id", id_}}); }
  std::string job() { return plan()["lastJobId"]; }
  void end(State state, jobs::Outcome outcome) {
    const std::string id = job();
    const auto taken = service_.queue().claim("test", 8, clock_.now(), clock_.now() + kDay);
    ASSERT_TRUE(taken && taken->id == id) << id;
    ASSERT_TRUE(service_.queue().move(
        {id, taken->attempt.number, State::provisioning, State::evaluating, clock_.now(), {}}));
    ASSERT_TRUE(service_.queue().move(
        {id, taken->attempt.number, State::evaluating, state, clock_.now(), std::move(outcome)}));
  }
  void built(const std::string& dataset) {
    jobs::Outcome out;
    out.succeeded = true;
    out.dataset_id = dataset;
    end(State::done, out);
    app_.follow_plans(false);
  }
  std::vector<Json> rows_of(const std::string& action) {
    std::vector<Json> out;
    const Json trail = call("audit list", {{"limit", 1000}});
    for (const Json& row : trail["items"]) {
      if (row["action"] == action) out.push_back(row);
    }
    return out;
  }

  JobService service_{{data_, "test"}, clock_, "/bin/false"};
  std::string id_;
};

TEST_F(PlanTest, FromTheClaimToAModelThatItThenHolds) {
  app_.follow_plans(true);
  ASSERT_EQ(plan()["lastStatus"], "training");
  EXPECT_EQ(service_.queue().job(job()).asked.kind, jobs::Kind::dataset_build);
  built(other_);
  ASSERT_EQ(plan()["lastStatus"], "training") << "the dataset is half the way";
  const jobs::Job training = service_.queue().job(job());
  EXPECT_EQ(training.asked.kind, jobs::Kind::training);
  EXPECT_EQ(training.asked.request["dataset"], other_);
  EXPECT_EQ(training.asked.request["seed"], 7);
  jobs::Outcome out;
  out.succeeded = true;
  out.dataset_id = other_;
  out.model_id = model_;
  end(State::done, out);
  app_.follow_plans(true);
  const Json now = plan();
  EXPECT_EQ(now["lastStatus"], "done");
  EXPECT_EQ(now["lastModelId"], model_);
  EXPECT_EQ(now["trainings"][0]["modelId"], model_);
  EXPECT_EQ(call("models show", {{"id", model_}})["stage"], "candidate") << "never a stage";
  ASSERT_EQ(rows_of("plans.train").size(), 1u);
  EXPECT_EQ(rows_of("plans.train")[0]["actor"], "flyball");
  ASSERT_EQ(rows_of("plans.settle").size(), 1u);
  EXPECT_EQ(rows_of("plans.settle")[0]["after"]["model"], model_);
  EXPECT_ERROR(call("models delete", {{"id", model_}}), "MODEL_IN_USE");
  call("plans delete", {{"id", id_}});
  call("models delete", {{"id", model_}});
}

TEST_F(PlanTest, NothingNewNothingDone) {
  app_.follow_plans(true);
  const std::string first = job();
  jobs::Outcome out;
  out.code = "NO_USABLE_RUNS";
  out.reason = "none";
  end(State::failed, out);
  clock_.set(clock_.now() + 100 * kDay);
  for (int i = 0; i < 3; ++i) app_.follow_plans(true);
  EXPECT_EQ(job(), first);
  EXPECT_EQ(plan()["lastStatus"], "failed");
  EXPECT_EQ(plan()["lastCode"], "NO_USABLE_RUNS");
  store::write_file(temp_ / "b.csv", record(300));
  call("import", {{"file", (temp_ / "b.csv").string()}, {"line", "L"}, {"period", 1'000'000}});
  app_.follow_plans(true);
  EXPECT_NE(job(), first) << "a new run";
  EXPECT_EQ(plan()["lastStatus"], "training");
  EXPECT_EQ(plan()["lastRunCount"], 2);
}

TEST_F(PlanTest, GatesThatRefuseAreOnThePlan) {
  call("plans train", {{"id", id_}});
  built(other_);
  jobs::Outcome out;
  out.dataset_id = other_;
  out.failed_gates = {"G1", "stable"};
  out.code = "GATES_REFUSED";
  out.reason = "no";
  end(State::failed, out);
  app_.follow_plans(false);
  EXPECT_EQ(plan()["lastStatus"], "failed");
  EXPECT_EQ(plan()["lastFailedGates"], Json({"G1", "stable"}));
  EXPECT_EQ(plan()["lastDatasetId"], other_);
  EXPECT_FALSE(plan().contains("lastModelId"));
}

TEST_F(PlanTest, AnInterruptedOrVanishedJobIsSettledAndTriedAnew) {
  app_.follow_plans(true);
  const std::string first = job();
  jobs::Outcome out;
  out.code = "JOB_INTERRUPTED";
  out.reason = "the service ended";
  end(State::interrupted, out);
  app_.follow_plans(true);
  EXPECT_EQ(plan()["lastStatus"], "failed");
  EXPECT_EQ(plan()["lastCode"], "JOB_INTERRUPTED");
  EXPECT_EQ(job(), first) << "not before the interval has passed";
  clock_.set(clock_.now() + 2 * kHour);
  app_.follow_plans(true);
  ASSERT_NE(job(), first);
  store::Database(data_ / "flyball.db").run("DELETE FROM jobs WHERE id = ?", job());
  app_.follow_plans(true);
  EXPECT_EQ(plan()["lastCode"], "PLAN_JOB_GONE");
  EXPECT_EQ(plan()["trainings"].size(), 2u);
}

TEST_F(PlanTest, ADatasetThatCannotBeTrainedOnSettlesThePlan) {
  call("config set", {{"key", "job.maxExperiments"}, {"value", "1"}});
  call("plans train", {{"id", id_}});
  built(call("models show", {{"id", model_}})["datasetId"]);
  EXPECT_EQ(plan()["lastStatus"], "failed");
  EXPECT_EQ(plan()["lastCode"], "BUDGET_EXHAUSTED");
}

TEST_F(PlanTest, AFullQueueIsWaitedFor) {
  call("plans train", {{"id", id_}});
  const std::string build = job();
  const auto taken = service_.queue().claim("test", 8, clock_.now(), clock_.now() + kDay);
  ASSERT_TRUE(taken);
  for (int i = 0; i < 20; ++i)
    (void)service_.queue().submit({jobs::Kind::report, "L", "ann", "", Json::object()},
                                  clock_.now());
  jobs::Outcome out;
  out.succeeded = true;
  out.dataset_id = other_;
  ASSERT_TRUE(service_.queue().move({build, 1, State::provisioning, State::evaluating, 1, {}}));
  ASSERT_TRUE(service_.queue().move({build, 1, State::evaluating, State::done, 1, out}));
  app_.follow_plans(false);
  EXPECT_EQ(plan()["lastStatus"], "training");
  EXPECT_EQ(job(), build);
  const auto other = service_.queue().claim("test", 8, clock_.now(), clock_.now() + kDay);
  ASSERT_TRUE(other);
  app_.follow_plans(false);
  EXPECT_NE(job(), build) << "there is room for one";
}

TEST_F(PlanTest, RateAndQuotaOfPlansEnd) {
  call("config set", {{"key", "plan.perDay"}, {"value", "1"}});
  call("plans train", {{"id", id_}});
  built(other_);
  jobs::Outcome out;
  out.model_id = model_;
  out.dataset_id = other_;
  end(State::done, out);
  app_.follow_plans(false);
  EXPECT_ERROR(call("plans train", {{"id", id_}}), "PLAN_RATE");
  clock_.set(clock_.now() + kDay + 1);
  call("config set", {{"key", "plan.quotaMb"}, {"value", "0.001"}});
  EXPECT_ERROR(call("plans train", {{"id", id_}}), "PLAN_QUOTA");
  store::write_file(temp_ / "b.csv", record(300));
  call("import", {{"file", (temp_ / "b.csv").string()}, {"line", "L"}, {"period", 1'000'000}});
  app_.follow_plans(true);
  EXPECT_EQ(plan()["lastCode"], "PLAN_QUOTA") << "why it does nothing stands on it";
  EXPECT_EQ(plan()["lastStatus"], "done");
  call("config set", {{"key", "plan.quotaMb"}, {"value", "0"}});
  app_.follow_plans(true);
  EXPECT_EQ(plan()["lastStatus"], "training");
}

TEST_F(PlanTest, WhatCouldNeverBeTrainedIsRefusedAtOnce) {
  const auto create = [&](Json more) {
    Json asked{{"name", "x"}, {"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}};
    asked.update(more);
    call("plans create", asked);
  };
  EXPECT_ERROR(create({{"line", "L9"}}), "NAME_MISSING");
  EXPECT_ERROR(create({{"mv", {"U"}}}), "NAME_MISSING");
  EXPECT_ERROR(create({{"mv", {"y"}}}), "SPEC_INVALID");
  EXPECT_ERROR(create({{"name", "nightly"}}), "NAME_EXISTS");
  EXPECT_ERROR(create({{"minIntervalSec", 59}}), "SPEC_INVALID");
  call("plans disable", {{"id", id_}});
  EXPECT_ERROR(call("plans train", {{"id", id_}}), "PLAN_DISABLED");
  app_.follow_plans(true);
  EXPECT_EQ(plan()["lastStatus"], "idle");
  call("plans enable", {{"id", id_}});
  call("plans train", {{"id", id_}});
  EXPECT_ERROR(call("plans train", {{"id", id_}}), "PLAN_TRAINING");
  EXPECT_ERROR(call("plans delete", {{"id", id_}}), "PLAN_TRAINING");
}

}  // namespace
}  // namespace flyball::app
