#include "registry/stages.h"

#include <gtest/gtest.h>

#include <array>

#include "registry/leases.h"
#include "registry/schema.h"
#include "registry/shadow_log.h"
#include "store/migrations.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::registry {
namespace {

void prepare(store::Database& db) {
  std::vector<store::Migration> all(migrations().begin(), migrations().end());
  all.push_back(stage_migration(2));
  all.push_back(keeping_migration(3));
    all.push_back(evaluation_migration(4));
    all.push_back(figures_migration(5));
  store::migrate(db, all);
}

class StagesTest : public ::testing::Test {
 protected:
  StagesTest() {
    prepare(db_);
    registry_.add_dataset({"ds-1", "ab", "L", "P", "R", 700, Json::object(), 5});
  }
  std::string model(const std::string& id, const std::string& recipe = "R") {
    ExperimentRow x;
    x.id = "exp-" + id;
    x.dataset_id = "ds-1";
    registry_.add_model(x, {id, x.id, "ds-1", "L", "P", recipe, Stage::candidate, "k", "h", {}, "", 1});
    return id;
  }
  void move(const std::string& id, Stage from, Stage to, TimeUs at) {
    stages_.move({id, from, to, at, "ann", "because", {}, {}});
  }
  std::string in_production(const std::string& id, TimeUs at) {
    move(model(id), Stage::candidate, Stage::shadow, at);
    move(id, Stage::shadow, Stage::production, at);
    return id;
  }

  testing::TempFolder folder_;
  store::Database db_{folder_ / "flyball.db"};
  Registry registry_{db_, folder_ / "models"};
  Stages stages_{db_};
};

TEST_F(StagesTest, OnlyTheWayFromCandidateToRetiredIsOpen) {
  const std::array all{Stage::candidate, Stage::shadow, Stage::production, Stage::retired};
  int open = 0;
  for (const Stage from : all) {
    for (const Stage to : all) {
      open += may_move(from, to) ? 1 : 0;
      if (!may_move(from, to)) EXPECT_ERROR(move("mdl-any", from, to, 1), "STAGE_ILLEGAL");
    }
  }
  EXPECT_EQ(open, 5);
  EXPECT_FALSE(may_move(Stage::candidate, Stage::production));
}

TEST_F(StagesTest, AMoveFromAnotherStageIsARaceAndChangesNothing) {
  model("mdl-1");
  move("mdl-1", Stage::candidate, Stage::shadow, 1);
  EXPECT_ERROR(move("mdl-1", Stage::candidate, Stage::shadow, 2), "STAGE_RACE");
  EXPECT_ERROR(move("mdl-none", Stage::candidate, Stage::shadow, 2), "MODEL_MISSING");
  EXPECT_EQ(registry_.model("mdl-1").stage, Stage::shadow);
  EXPECT_EQ(stages_.history("mdl-1").size(), 1u);
}

TEST_F(StagesTest, ANewProductionRetiresTheOldOneInTheSameMove) {
  in_production("mdl-1", 10);
  in_production("mdl-2", 20);
  EXPECT_EQ(registry_.model("mdl-1").stage, Stage::retired);
  EXPECT_EQ(registry_.model("mdl-2").stage, Stage::production);
  EXPECT_EQ(stages_.history("mdl-1").back().replaced_by, "mdl-2");
  EXPECT_EQ(stages_.in_stage(Stage::production), std::vector<std::string>{"mdl-2"});
}

TEST_F(StagesTest, AnotherRecipeKeepsItsProduction) {
  in_production("mdl-1", 10);
  move(model("mdl-2", "other"), Stage::candidate, Stage::shadow, 11);
  move("mdl-2", Stage::shadow, Stage::production, 12);
  EXPECT_EQ(stages_.in_stage(Stage::production).size(), 2u);
}

TEST_F(StagesTest, TheDatabaseItselfRefusesASecondProduction) {
  in_production("mdl-1", 10);
  model("mdl-2");
  EXPECT_ERROR(db_.run("UPDATE models SET stage = 'production' WHERE id = 'mdl-2'"), "DATABASE_CONSTRAINT");
}

TEST_F(StagesTest, WhatWasInProductionAtATimeIsKnown) {
  in_production("mdl-1", 10);
  in_production("mdl-2", 20);
  move("mdl-2", Stage::production, Stage::retired, 30);
  const auto at = [&](TimeUs t) { return stages_.production_at("L", "P", "R", t).value_or("none"); };
  EXPECT_EQ(at(9), "none");
  EXPECT_EQ(at(10), "mdl-1");
  EXPECT_EQ(at(19), "mdl-1");
  EXPECT_EQ(at(20), "mdl-2");
  EXPECT_EQ(at(30), "none");
}

TEST_F(StagesTest, ALeaseHoldsUntilItIsReleasedOrRunsOut) {
  Leases leases(db_);
  const auto one = leases.acquire("mdl-1", "job a", 100);
  const auto two = leases.acquire("mdl-1", "job a", 200);
  leases.release(one);
  leases.release(one);
  ASSERT_EQ(leases.holders("mdl-1", 50).size(), 1u);
  EXPECT_TRUE(leases.renew(two, 300));
  EXPECT_EQ(leases.holders("mdl-1", 250).size(), 1u);
  EXPECT_TRUE(leases.holders("mdl-1", 301).empty());
  EXPECT_FALSE(leases.renew(two, 400));
}

ShadowPrediction prediction(const std::string& run, TimeUs at, const std::string& regime) {
  return {"mdl-1", run, at, {0.3, 0.4}, 9, 10, regime, false};
}

TEST_F(StagesTest, ShadowEvidenceCountsRunsRegimesAndCoverage) {
  model("mdl-1");
  ShadowLog log(db_);
  const ShadowNeeds needs{3, 2, 500, kDay};
  EXPECT_EQ(log.add({prediction("r1", 1, "l"), prediction("r1", 2, "l"), prediction("r2", 3, "l")}), 3);
  EXPECT_EQ(log.add({prediction("r1", 1, "l")}), 0);
  ShadowEvidence e = log.evidence("mdl-1", needs);
  EXPECT_FALSE(e.enough);
  EXPECT_EQ(e.missing.size(), 4u);
  EXPECT_DOUBLE_EQ(e.coverage.value(), 0.9);
  EXPECT_DOUBLE_EQ(e.rmse.at(1), 0.4);
  log.add({prediction("r3", 4, "h")});
  e = log.evidence("mdl-1", needs);
  EXPECT_TRUE(e.enough);
  EXPECT_TRUE(e.missing.empty());
  EXPECT_EQ(e.runs, 3);
  EXPECT_EQ(e.regimes, 2);
}

TEST_F(StagesTest, WithoutBatchesTimeAndCountMakeItEnough) {
  model("mdl-1");
  ShadowLog log(db_);
  const ShadowNeeds needs{10, 3, 5, kDay};
  std::vector<ShadowPrediction> all;
  for (int i = 0; i < 5; ++i) all.push_back(prediction("r1", i * kDay / 5, "m"));
  log.add(all);
  EXPECT_FALSE(log.evidence("mdl-1", needs).enough);
  log.add({prediction("r1", kDay, "m")});
  EXPECT_TRUE(log.evidence("mdl-1", needs).enough);
}

}  // namespace
}  // namespace flyball::registry
