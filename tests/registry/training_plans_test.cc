// A plan is claimed once, waits for one job, and is settled once.
#include "registry/training_plans.h"

#include <gtest/gtest.h>

#include <thread>

#include "registry/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::registry {
namespace {

class PlansTest : public ::testing::Test {
 protected:
  PlansTest() {
    store::migrate(db_, std::array{migrations()[0], plan_migration(2)});
    plan_.id = "plan-1";
    plan_.name = "nightly";
    plan_.line_id = "L";
    plans_.add(plan_);
  }
  static PlanClaim claim(const std::string& job, std::int64_t runs = 3) {
    return {"plan-1", "new runs", "flyball", job, runs, 100, 7};
  }
  static PlanOutcome model(const std::string& id) { return {"ds-1", id, {}, "", "", true}; }
  static PlanOutcome failure(const std::string& code, bool judged) {
    return {{}, {}, {"G1"}, code, "why", judged};
  }

  testing::TempFolder folder_;
  store::Database db_{folder_ / "flyball.db"};
  TrainingPlans plans_{db_};
  TrainingPlan plan_;
};

TEST_F(PlansTest, EveryPairOfStatesAllowsWhatTheRuleSays) {
  for (const PlanStatus from :
       {PlanStatus::idle, PlanStatus::training, PlanStatus::done, PlanStatus::failed}) {
    db_.exec("DELETE FROM plan_trainings");
    db_.run("UPDATE training_plans SET last_status = ?, last_job_id = 'job-1'", enum_name(from));
    const bool waits = from == PlanStatus::training;
    EXPECT_EQ(plans_.go_on("plan-1", "job-1", "ds-1", "job-1"), waits) << enum_name(from);
    EXPECT_EQ(plans_.settle("plan-1", "job-1", model("mdl-1"), 9), waits) << enum_name(from);
    db_.run("UPDATE training_plans SET last_status = ?", enum_name(from));
    EXPECT_EQ(plans_.claim(claim("job-2")), !waits) << enum_name(from);
    EXPECT_EQ(plans_.get("plan-1").last_status, PlanStatus::training);
  }
}

TEST_F(PlansTest, OfManyClaimsAtOnceOneWins) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> won = 0;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
          store::Database own(folder_ / "flyball.db");
          if (TrainingPlans(own).claim(claim("job-" + std::to_string(i)))) ++won;
        });
      }
    }
    EXPECT_EQ(won, 1);
    const TrainingPlan now = plans_.get("plan-1");
    EXPECT_EQ(plans_.trainings("plan-1", 1).rows.at(0).build_job_id, now.last_job_id);
    ASSERT_TRUE(plans_.settle("plan-1", *now.last_job_id, model("mdl-1"), 9));
  }
  EXPECT_EQ(plans_.trainings("plan-1", 100).rows.size(), 20u);
  const auto first = plans_.trainings("plan-1", 12);
  const auto rest = plans_.trainings("plan-1", 12, first.next_cursor);
  EXPECT_EQ(first.rows.size(), 12u);
  EXPECT_EQ(rest.rows.size(), 8u);
  EXPECT_FALSE(rest.next_cursor);
}

TEST_F(PlansTest, ItIsSettledByTheJobItWaitsForAndByNoOther) {
  ASSERT_TRUE(plans_.claim(claim("job-1")));
  EXPECT_FALSE(plans_.settle("plan-1", "job-9", model("mdl-9"), 9));
  ASSERT_TRUE(plans_.go_on("plan-1", "job-1", "ds-1", "job-2"));
  EXPECT_FALSE(plans_.go_on("plan-1", "job-1", "ds-1", "job-3"));
  EXPECT_FALSE(plans_.settle("plan-1", "job-1", model("mdl-9"), 9));
  ASSERT_TRUE(plans_.settle("plan-1", "job-2", model("mdl-1"), 9));
  EXPECT_FALSE(plans_.settle("plan-1", "job-2", failure("GATES_REFUSED", true), 9));
  const TrainingPlan now = plans_.get("plan-1");
  EXPECT_EQ(now.last_status, PlanStatus::done);
  EXPECT_EQ(now.last_model_id, "mdl-1");
  EXPECT_EQ(now.last_dataset_id, "ds-1");
  EXPECT_EQ(now.last_run_count, 3);
  EXPECT_EQ(plans_.holding("mdl-1"), std::vector<std::string>{"training_plan:plan-1 (nightly)"});
  const PlanTraining row = plans_.trainings("plan-1", 1).rows.at(0);
  EXPECT_EQ(row.status, "done");
  EXPECT_EQ(row.training_job_id, "job-2");
  EXPECT_EQ(row.ended_at, 9);
}

TEST_F(PlansTest, AFailureKeepsTheModelBeforeAndSaysWhy) {
  ASSERT_TRUE(plans_.claim(claim("job-1")));
  ASSERT_TRUE(plans_.settle("plan-1", "job-1", model("mdl-1"), 9));
  ASSERT_TRUE(plans_.claim(claim("job-2", 5)));
  ASSERT_TRUE(plans_.settle("plan-1", "job-2", failure("GATES_REFUSED", true), 9));
  TrainingPlan now = plans_.get("plan-1");
  EXPECT_EQ(now.last_model_id, "mdl-1");
  EXPECT_EQ(now.last_code, "GATES_REFUSED");
  EXPECT_EQ(now.last_failed_gates, std::vector<std::string>{"G1"});
  EXPECT_EQ(now.last_run_count, 5) << "these data were judged";
  ASSERT_TRUE(plans_.claim(claim("job-3", 5)));
  ASSERT_TRUE(plans_.settle("plan-1", "job-3", failure("PLAN_JOB_GONE", false), 9));
  EXPECT_EQ(plans_.get("plan-1").last_run_count, 0) << "nothing was learnt of them";
}

TEST_F(PlansTest, ADisabledPlanIsNotClaimedAndOneThatTrainsIsNotDeleted) {
  plans_.enable("plan-1", false);
  EXPECT_FALSE(plans_.claim(claim("job-1")));
  plans_.enable("plan-1", true);
  ASSERT_TRUE(plans_.claim(claim("job-1")));
  EXPECT_ERROR(plans_.remove("plan-1"), "PLAN_TRAINING");
  ASSERT_TRUE(plans_.settle("plan-1", "job-1", model("mdl-1"), 9));
  plans_.remove("plan-1");
  EXPECT_ERROR((void)plans_.get("plan-1"), "PLAN_MISSING");
  EXPECT_ERROR(plans_.remove("plan-1"), "PLAN_MISSING");
  EXPECT_TRUE(plans_.holding("mdl-1").empty());
}

TEST_F(PlansTest, ANameStandsOnceOnALine) {
  plan_.id = "plan-2";
  EXPECT_ERROR(plans_.add(plan_), "NAME_EXISTS");
  plan_.line_id = "L2";
  plans_.add(plan_);
  EXPECT_EQ(plans_.list("").size(), 2u);
  EXPECT_EQ(plans_.list("L2").at(0).id, "plan-2");
}

}  // namespace
}  // namespace flyball::registry
