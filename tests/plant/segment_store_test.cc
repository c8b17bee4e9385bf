#include <gtest/gtest.h>

#include <array>

#include "plant/plant_store.h"
#include "plant/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

class SegmentTest : public ::testing::Test {
 protected:
  SegmentTest() {
    const std::array migrations{migration(1), mark_migration(2), spec_migration(3)};
    store::migrate(db_, migrations);
    store_.ensure(key_, {"ann", 1000});
  }

  void new_version(double value, TimeUs at) {
    Tag t;
    t.name = "T";
    t.line_id = "L";
    store_.put(Recipe{"R", "P", "L", "", {{"T", value, {}, {}}}, 0, ""}, std::vector{t},
               {"ann", at});
  }

  static plant::Run run(TimeUs from, std::optional<TimeUs> to, const std::string& id = "B1") {
    return {id, "L", "P", "R", from, to, EvidenceSource::real};
  }

  ContextSegment draft(TimeUs from, TimeUs to, const std::string& run_id = "B1") {
    ContextSegment s;
    s.line_id = "L";
    s.run_id = run_id;
    s.product_id = "P";
    s.recipe_id = "R";
    s.from = from;
    s.to = to;
    return store_.draft(s);
  }

  const RecipeKey key_{"L", "P", "R"};
  const Author person_{"bob", 77, "seen in the log"};
  store::Database db_{":memory:"};
  PlantStore store_{db_};
};

TEST_F(SegmentTest, ADraftHoldsTheContentOfTheVersionAndDecidesNothing) {
  const ContextSegment s = draft(10, 20);
  EXPECT_EQ(s.status, SegmentStatus::draft);
  EXPECT_EQ(s.recipe_version, 1);
  EXPECT_EQ(s.recipe_content_hash, store_.recipe(key_).content_hash);
  EXPECT_FALSE(s.confirmed_by);
  EXPECT_EQ(to_json_value(store_.segment(s.id)), to_json_value(s));
}

TEST_F(SegmentTest, ConfirmingKeepsWhoWhenAndWhy) {
  const ContextSegment s = store_.confirm(draft(10, 20).id, person_);
  EXPECT_EQ(s.status, SegmentStatus::confirmed);
  EXPECT_EQ(s.confirmed_by, "bob");
  EXPECT_EQ(s.confirmed_at, 77);
  EXPECT_EQ(s.reason, "seen in the log");
  EXPECT_ERROR(store_.confirm(s.id, person_), "SEGMENT_DECIDED");
}

TEST_F(SegmentTest, ConfirmingNeedsAPerson) {
  const std::string id = draft(10, 20).id;
  for (const char* nobody : {"", "  "}) {
    EXPECT_ERROR(store_.confirm(id, {nobody, 1}), "PERSON_MISSING");
    EXPECT_ERROR(store_.reject(id, {nobody, 1}), "PERSON_MISSING");
  }
  EXPECT_EQ(store_.segment(id).status, SegmentStatus::draft);
  EXPECT_TRUE(store_.decisions(id).empty());
}

TEST_F(SegmentTest, AConfirmedOneCanBeRejectedAndBothStayOnRecord) {
  const std::string id = store_.confirm(draft(10, 20).id, person_).id;
  const ContextSegment s = store_.reject(id, {"eve", 99, "wrong batch"});
  EXPECT_EQ(s.status, SegmentStatus::rejected);
  EXPECT_EQ(s.confirmed_by, "bob");
  EXPECT_EQ(s.rejected_by, "eve");
  EXPECT_EQ(s.rejected_at, 99);
  EXPECT_ERROR(store_.reject(id, person_), "SEGMENT_DECIDED");
  EXPECT_EQ(store_.confirm(id, person_).status, SegmentStatus::confirmed);
  const auto decisions = store_.decisions(id);
  ASSERT_EQ(decisions.size(), 3u);
  EXPECT_EQ(decisions[1].by, "eve");
  EXPECT_EQ(decisions[1].decision, SegmentStatus::rejected);
  EXPECT_EQ(decisions[1].reason, "wrong batch");
  EXPECT_EQ(decisions[2].at, 77);
}

TEST_F(SegmentTest, ConfirmedSegmentsOfOneRunShareNoTime) {
  store_.confirm(draft(10, 20).id, person_);
  for (const auto& [from, to] : {std::pair{19, 30}, {5, 11}, {12, 15}, {5, 30}})
    EXPECT_ERROR(store_.confirm(draft(from, to).id, person_), "SEGMENT_OVERLAP");
  EXPECT_EQ(store_.confirm(draft(20, 30).id, person_).status, SegmentStatus::confirmed);
  EXPECT_EQ(store_.confirm(draft(5, 10).id, person_).status, SegmentStatus::confirmed);
  // Another run at the same time has a context of its own.
  EXPECT_EQ(store_.confirm(draft(10, 20, "B2").id, person_).status, SegmentStatus::confirmed);
}

TEST_F(SegmentTest, ADecidedSegmentIsNotDraftedOver) {
  const std::string id = store_.confirm(draft(10, 20).id, person_).id;
  new_version(5, 2000);
  EXPECT_EQ(draft(10, 20).status, SegmentStatus::confirmed);
  EXPECT_EQ(store_.segment(id).recipe_version, 1);
}

TEST_F(SegmentTest, AnEmptyOneOrOneOfAnUnknownRecipeIsRefused) {
  EXPECT_ERROR(draft(20, 20), "RANGE_EMPTY");
  ContextSegment s;
  s.line_id = "L";
  s.run_id = "B1";
  s.product_id = "P";
  s.recipe_id = "other";
  s.to = 1;
  EXPECT_ERROR(store_.draft(s), "NAME_MISSING");
  s.recipe_id = "R";
  s.recipe_version = 2;
  EXPECT_ERROR(store_.draft(s), "RECIPE_VERSION_MISSING");
  EXPECT_ERROR((void)store_.segment("seg-none"), "NAME_MISSING");
  EXPECT_ERROR((void)store_.segment(""), "NAME_MISSING");
}

TEST_F(SegmentTest, APersonMayNameAnotherVersion) {
  new_version(5, 2000);
  const std::string id = draft(10, 20).id;
  EXPECT_EQ(store_.segment(id).recipe_version, 2);
  EXPECT_ERROR(store_.confirm(id, person_, 3), "RECIPE_VERSION_MISSING");
  const ContextSegment s = store_.confirm(id, person_, 1);
  EXPECT_EQ(s.recipe_version, 1);
  EXPECT_EQ(s.recipe_content_hash, store_.recipe_versions(key_)[0].content_hash);
}

TEST_F(SegmentTest, ARunIsDraftedByTheVersionsThatWereInForce) {
  new_version(5, 2000);
  new_version(6, 3000);
  const auto drafts = store_.draft_run(run(500, 2500));
  ASSERT_EQ(drafts.size(), 2u);
  EXPECT_EQ(drafts[0].recipe_version, 1);
  EXPECT_EQ(drafts[0].from, 500);  // the first version is also in force before it was written down
  EXPECT_EQ(drafts[0].to, 2000);
  EXPECT_EQ(drafts[1].recipe_version, 2);
  EXPECT_EQ(drafts[1].to, 2500);
  EXPECT_EQ(drafts[1].evidence, EvidenceSource::real);
  EXPECT_TRUE(store_.draft_run(run(500, {}, "open")).empty());
}

TEST_F(SegmentTest, DraftingARunAgainReplacesDraftsAndLeavesOutWhatIsConfirmed) {
  const auto first = store_.draft_run(run(0, 100));
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(store_.draft_run(run(0, 100)).at(0).id, first[0].id);
  store_.confirm(first[0].id, person_);
  const auto longer = store_.draft_run(run(0, 150));
  ASSERT_EQ(longer.size(), 1u);
  EXPECT_EQ(longer[0].from, 100);
  EXPECT_EQ(longer[0].to, 150);
  EXPECT_EQ(store_.draft_run(run(0, 160)).at(0).to, 160);
  EXPECT_EQ(store_.segments({"L", "B1", {}}).size(), 2u);
  EXPECT_EQ(store_.segments({"L", "B1", SegmentStatus::draft}).size(), 1u);
  EXPECT_TRUE(store_.segments({"other", "", {}}).empty());
}

TEST_F(SegmentTest, ARecipeWithADecidedSegmentStays) {
  const std::string id = draft(10, 20).id;
  store_.confirm(id, person_);
  EXPECT_ERROR(store_.remove_recipe(key_, {}), "IN_USE");
}

}  // namespace
}  // namespace flyball::plant
