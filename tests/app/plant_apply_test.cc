#include "app/plant_apply.h"

#include "app/plant_fixture.h"
#include "store/files.h"

namespace flyball::app {
namespace {

TEST_F(PlantTest, AFileCreatesAllThatItNames) {
  const PlantApplyResponse r = apply(dryer_);
  EXPECT_EQ(r.created, 1 + 3 + 1 + 1 + 2 + 1);
  EXPECT_EQ(r.changed, 0);
  EXPECT_EQ(stores_.historian.tags("L1").size(), 3u);
  EXPECT_EQ(stores_.historian.runs({}, false).size(), 2u);
  EXPECT_EQ(stores_.records.recipe({"L1", "milk", "std"}).params.at(0).value, 500);
  const auto segments = stores_.records.segments({"L1", "B1", {}});
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].confirmed_by, "ann");
  EXPECT_EQ(segments[0].evidence, plant::EvidenceSource::real);
  EXPECT_EQ(segments[0].recipe_id, "std");
  // A run for which the file has no segment gets a draft of its own.
  EXPECT_EQ(stores_.records.segments({"L1", "B2", plant::SegmentStatus::draft}).size(), 1u);
}

TEST_F(PlantTest, ApplyingAFileTwiceChangesNothing) {
  apply(dryer_);
  const Json before = show(stores_);
  const PlantApplyResponse r = apply(dryer_);
  EXPECT_EQ(r.created + r.changed, 0);
  EXPECT_EQ(r.unchanged, 9);
  EXPECT_EQ(show(stores_), before);
}

TEST_F(PlantTest, WhatIsShownMakesTheSamePlantElsewhere) {
  apply(dryer_);
  Json changed = dryer_;
  changed["recipes"][0]["params"][0]["value"] = 600;
  apply(changed);
  const auto drafts = stores_.records.segments({"L1", "B2", {}});
  stores_.records.confirm(drafts.at(0).id, {"eve", 5, "seen"});
  stores_.records.reject(drafts.at(0).id, {"ann", 6, "wrong"});
  const Json shown = show(stores_);
  EXPECT_EQ(shown["recipes"][0]["versions"].size(), 2u);

  Stores other;
  apply(other, shown);
  EXPECT_EQ(show(other), shown);
  EXPECT_EQ(apply(other, shown).unchanged, 10);
  EXPECT_EQ(apply(stores_, shown).created, 0);
}

TEST_F(PlantTest, OnlyWhatDiffersIsChanged) {
  apply(dryer_);
  Json file = dryer_;
  file["tags"][2]["max"] = 1000;
  file["recipes"][0]["params"][0]["value"] = 450;
  file["runs"][1]["endedAt"] = "2026-03-02T10:00:00Z";
  const PlantApplyResponse r = apply(file);
  ASSERT_EQ(r.changes.size(), 3u);
  EXPECT_EQ(r.changes[0].name, "FEED");
  EXPECT_EQ(r.changes[1].name, "milk/std");
  EXPECT_EQ(r.changes[2].name, "B2");
  EXPECT_EQ(stores_.records.recipe({"L1", "milk", "std"}).version, 2);
  EXPECT_EQ(stores_.records.segments({"L1", "B2", {}}).at(0).to,
            parse_time("2026-03-02T10:00:00Z"));
}

TEST_F(PlantTest, TheExampleOfTheDocumentationApplies) {
  const std::string page = store::read_file(FLYBALL_SOURCE_DIR "/docs/formats/plant-file.md");
  const std::size_t from = page.find("```json") + 7;
  const PlantApplyResponse r =
      apply(parse_json(page.substr(from, page.find("```", from) - from), "page"));
  EXPECT_EQ(r.created, 8);
}

TEST_F(PlantTest, ADryRunGivesTheAnswerAndChangesNothing) {
  const PlantApplyResponse r = apply(dryer_, true);
  EXPECT_EQ(r.created, 9);
  EXPECT_TRUE(stores_.records.lines().empty());
  EXPECT_TRUE(stores_.historian.tags("").empty());
  EXPECT_TRUE(stores_.historian.runs({}, false).empty());
}

TEST_F(PlantTest, EveryProblemIsSaidAndNothingIsChanged) {
  Json file = dryer_;
  file["tags"][0]["min"] = 400;
  file["tags"][0]["modeTag"] = "FEED";
  file["products"][0]["limits"]["X"] = {{"min", 1}};
  file["recipes"][0]["params"][0]["value"] = 300;
  file["runs"][0]["endedAt"] = "2026-02-01T00:00:00Z";
  file["runs"][1]["productId"] = "cheese";
  file["segments"][0]["runId"] = "B9";
  // The recipe and the runs lean on the product, which is refused.
  EXPECT_EQ(
      problems_of([&] { apply(file); }),
      (Problems{"RANGE_EMPTY /tags/0/min", "MODE_TAG_UNFIT /tags/0/modeTag",
                "NODE_LINE_MISMATCH /products/0/limits/X", "NAME_MISSING /recipes/0",
                "NAME_MISSING /runs/0", "NAME_MISSING /runs/1", "RUN_MISSING /segments/0/runId"}));
  EXPECT_TRUE(stores_.records.lines().empty());
  EXPECT_TRUE(stores_.historian.tags("").empty());
}

TEST_F(PlantTest, ALineHasOneRunningRun) {
  Json file = dryer_;
  file["runs"][0].erase("endedAt");
  file["runs"][1].erase("endedAt");
  EXPECT_EQ(problems_of([&] { apply(file); }),
            (Problems{"RUN_RUNNING /runs/0", "RUN_RUNNING /runs/1"}));
  file["runs"][1]["endedAt"] = "2026-03-02T09:00:00Z";
  EXPECT_EQ(apply(file).created, 9);
  EXPECT_TRUE(stores_.records.segments({"L1", "B1", plant::SegmentStatus::draft}).empty());
}

TEST_F(PlantTest, ARunKeepsItsProductAndRecipe) {
  apply(dryer_);
  Json file = dryer_;
  file["recipes"].push_back({{"id", "slow"}, {"productId", "milk"}});
  file["runs"][1]["recipeId"] = "slow";
  EXPECT_EQ(problems_of([&] { apply(file); }), Problems{"RUN_MISMATCH /runs/1"});
  EXPECT_EQ(stores_.historian.runs({}, false).at(1).recipe_id, "std");
  EXPECT_FALSE(stores_.records.find_recipe({"L1", "milk", "slow"}));
}

TEST_F(PlantTest, ASegmentLiesWithinItsRunAndIsConfirmedByAPerson) {
  Json file = dryer_;
  file["segments"][0]["to"] = "2026-03-01T09:00:01Z";
  EXPECT_EQ(problems_of([&] { apply(file); }), Problems{"SEGMENT_OUTSIDE_RUN /segments/0"});
  file = dryer_;
  file["segments"][0].erase("confirmedBy");
  EXPECT_EQ(problems_of([&] { apply(file); }), Problems{"PERSON_MISSING /segments/0"});
  file = dryer_;
  file["segments"].push_back(file["segments"][0]);
  file["segments"][1]["from"] = "2026-03-01T07:59:59Z";
  file["segments"][1]["to"] = "2026-03-01T08:30:00Z";
  EXPECT_EQ(problems_of([&] { apply(file); }), Problems{"SEGMENT_OVERLAP /segments/1"});
}

TEST_F(PlantTest, AFileThatKnowsLessVersionsThanTheStoreIsRefused) {
  apply(dryer_);
  const Json old = show(stores_);
  Json file = dryer_;
  file["recipes"][0]["params"][0]["value"] = 450;
  apply(file);
  EXPECT_EQ(problems_of([&] { apply(old); }), Problems{"RECIPE_DIVERGED /recipes/0"});
  // Without versions the params are simply those to have from now on.
  apply(dryer_);
  EXPECT_EQ(stores_.records.recipe({"L1", "milk", "std"}).version, 3);
}

TEST_F(PlantTest, AHistoryWhoseHashDoesNotFitIsRefused) {
  apply(dryer_);
  Json shown = show(stores_);
  shown["recipes"][0]["versions"][0]["params"][0]["value"] = 501;
  Stores other;
  EXPECT_EQ(problems_of([&] { apply(other, shown); }).at(0), "RECIPE_HISTORY /recipes/0");
}

TEST_F(PlantTest, UnitsOfStoredSamplesAreNotTakenAway) {
  apply(dryer_);
  store_samples("TIC1.PV");
  Json file = dryer_;
  file["tags"][0]["unit"] = "degC";
  EXPECT_EQ(apply(file).changed, 1);
  for (const char* other : {"°F", ""}) {
    file["tags"][0]["unit"] = other;
    EXPECT_EQ(problems_of([&] { apply(file); }), Problems{"TAG_UNIT_FIXED /tags/0/unit"}) << other;
  }
}

TEST_F(PlantTest, AUnitThatIsOnlyATextIsSaid) {
  Json file = dryer_;
  file["tags"][2]["unit"] = "buckets/h";
  const PlantApplyResponse r = apply(file);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_NE(r.notes[0].find("FEED"), std::string::npos);
}

TEST_F(PlantTest, TwoLinesDoNotMix) {
  apply(dryer_);
  Json file = dryer_;
  file["line"]["id"] = "L2";
  EXPECT_EQ(apply(file).created, 9);
  EXPECT_EQ(show(stores_)["tags"].size(), 3u);
  EXPECT_EQ(show(stores_, "L2")["runs"].size(), 2u);
  EXPECT_ERROR((void)read_plant(stores_.plant(), "L3"), "NAME_MISSING");
}

}  // namespace
}  // namespace flyball::app
