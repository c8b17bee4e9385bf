#include "app/plant_use.h"

#include "app/plant_fixture.h"
#include "registry/schema.h"

namespace flyball::app {
namespace {

class PlantUseTest : public PlantTest {
 protected:
  PlantUseTest() { apply(dryer_); }

  TagResponse set(const TagSetRequest& request) { return set_tag(stores_.plant(), request); }
  static TagSetRequest tag(const std::string& name) {
    TagSetRequest r;
    r.name = name;
    r.line = "L1";
    return r;
  }
  static RunAddRequest run(const std::string& id, TimeUs from, std::optional<TimeUs> to) {
    RunAddRequest r;
    r.id = id;
    r.line = "L1";
    r.recipe = "std";
    r.start = from;
    r.end = to;
    return r;
  }
};

TEST_F(PlantUseTest, ATagKeepsWhatTheRequestDoesNotName) {
  TagSetRequest r = tag("FEED");
  r.max = 800;
  r.shape = Shape::sloped;
  const plant::Tag t = set(r).tag;
  EXPECT_EQ(t.max, 800);
  EXPECT_EQ(t.stepped, false);
  EXPECT_EQ(t.unit, "kg/h");
  EXPECT_EQ(t.role, plant::Role::mv);
  EXPECT_EQ(to_json_value(show_tag(stores_.plant(), {"FEED", "L1"}).tag), to_json_value(t));
}

TEST_F(PlantUseTest, AFieldOfATagCanBeTakenBack) {
  TagSetRequest r = tag("TIC1.PV");
  r.clear = {"modeTag", "max"};
  const plant::Tag t = set(r).tag;
  EXPECT_FALSE(t.mode_tag);
  EXPECT_FALSE(t.max);
  EXPECT_EQ(t.min, 0);
  r.clear = {"name"};
  EXPECT_ERROR(set(r), "FIELD_UNKNOWN");
}

TEST_F(PlantUseTest, ANewTagIsCreatedOnAKnownLineOnly) {
  EXPECT_EQ(set(tag("PI2")).node_id, "L1/PI2");
  TagSetRequest r = tag("PI2");
  r.line = "L7";
  EXPECT_ERROR(set(r), "NAME_MISSING");
  EXPECT_ERROR((void)show_tag(stores_.plant(), {"PI3", "L1"}), "NAME_MISSING");
}

TEST_F(PlantUseTest, ABrokenRuleOfATagIsRefused) {
  TagSetRequest r = tag("FEED");
  r.min = 5;
  r.max = 4;
  r.resolution = 0;
  EXPECT_EQ(problems_of([&] { set(r); }),
            (Problems{"RANGE_EMPTY /min", "RESOLUTION_INVALID /resolution"}));
  EXPECT_FALSE(show_tag(stores_.plant(), {"FEED", "L1"}).tag.min);
}

TEST_F(PlantUseTest, TheUnitOfStoredSamplesChangesOnlyWhenItWasWrong) {
  TagSetRequest r = tag("TIC1.PV");
  r.unit = "°F";
  EXPECT_EQ(set(r).tag.unit, "°F");  // nothing is stored yet
  store_samples("TIC1.PV");
  r.unit = "K";
  EXPECT_EQ(problems_of([&] { set(r); }), Problems{"TAG_UNIT_FIXED /unit"});
  r.unit = "degF";
  EXPECT_EQ(set(r).tag.unit, "degF");
  r.unit = "K";
  r.correct_unit = true;
  EXPECT_EQ(set(r).tag.unit, "K");
}

TEST_F(PlantUseTest, StatesOfStoredCodesOnlyGrow) {
  store_samples("TIC1.MODE");
  TagSetRequest r = tag("TIC1.MODE");
  r.states = {"AUTO", "MAN"};
  EXPECT_EQ(problems_of([&] { set(r); }), Problems{"TAG_STATES_FIXED /states"});
  r.states = {"MAN", "AUTO", "CAS"};
  EXPECT_EQ(set(r).tag.states.size(), 3u);
}

TEST_F(PlantUseTest, ARunningRunIsEndedOnceAndThenHasItsDrafts) {
  EXPECT_TRUE(add_run(stores_.plant(), run("B7", 100, {})).segments.empty());
  EXPECT_ERROR(add_run(stores_.plant(), run("B8", 200, {})), "RUN_RUNNING");
  EXPECT_ERROR(add_run(stores_.plant(), run("B7", 100, 200)), "NAME_EXISTS");
  EXPECT_ERROR(end_run(stores_.plant(), {"B7", "L1", 100}, 0), "RANGE_EMPTY");
  const RunResponse ended = end_run(stores_.plant(), {"B7", "L1", {}}, 900);
  EXPECT_EQ(ended.run.ended_at, 900);
  ASSERT_EQ(ended.segments.size(), 1u);
  EXPECT_EQ(ended.segments[0].status, plant::SegmentStatus::draft);
  EXPECT_EQ(ended.segments[0].from, 100);
  EXPECT_ERROR(end_run(stores_.plant(), {"B7", "L1", {}}, 901), "RUN_ENDED");
  EXPECT_ERROR(end_run(stores_.plant(), {"B9", "L1", {}}, 1), "NAME_MISSING");
  EXPECT_EQ(show_run(stores_.plant(), {"B7", "L1"}).segments.size(), 1u);
}

TEST_F(PlantUseTest, ARunIsOfARecipeThatExistsAndLasts) {
  RunAddRequest r = run("B7", 100, 200);
  r.recipe = "none";
  EXPECT_ERROR(add_run(stores_.plant(), r), "NAME_MISSING");
  EXPECT_ERROR(add_run(stores_.plant(), run("B7", 200, 200)), "RANGE_EMPTY");
  EXPECT_ERROR(add_run(stores_.plant(), run("a/b", 100, 200)), "NAME_INVALID");
  EXPECT_EQ(add_run(stores_.plant(), run("B7", 100, 200)).run.product_id, "milk");
}

TEST(Param, IsReadWithOrWithoutLimits) {
  const plant::RecipeParam p = parse_param("A=B=1.5:-2:3e1");
  EXPECT_EQ(p.tag, "A=B");
  EXPECT_EQ(p.value, 1.5);
  EXPECT_EQ(p.min, -2);
  EXPECT_EQ(p.max, 30);
  EXPECT_FALSE(parse_param("T=1::2").min);
  EXPECT_FALSE(parse_param("T=1").max);
  for (const char* text : {"T", "=1", "T=", "T=a", "T=1:2:3:4", "T=1,5", "T=1 "})
    EXPECT_ERROR((void)parse_param(text), "PARAM_INVALID");
}

TEST_F(PlantUseTest, SeveralChangesOfARecipeAreOneVersion) {
  RecipeSetRequest r;
  r.id = "std";
  r.line = "L1";
  r.param = {"FEED=550:500:600", "TIC1.PV=180"};
  EXPECT_EQ(set_recipe(stores_.plant(), r, author_).version, 2);
  r.param[0] = "FEED=550";  // its limits stay
  EXPECT_EQ(set_recipe(stores_.plant(), r, author_).version, 2);
  r.param.clear();
  r.drop = {"TIC1.PV"};
  const plant::Recipe now = set_recipe(stores_.plant(), r, author_);
  EXPECT_EQ(now.version, 3);
  ASSERT_EQ(now.params.size(), 1u);
  EXPECT_EQ(now.params[0].max, 600);
  EXPECT_ERROR(set_recipe(stores_.plant(), r, author_), "NAME_MISSING");
  r.drop.clear();
  r.param = {"FEED=950:"};  // without limits of its own
  EXPECT_EQ(problems_of([&] { set_recipe(stores_.plant(), r, author_); }),
            Problems{"RECIPE_LIMIT /params/0/value"});
}

TEST_F(PlantUseTest, UsersOfALineAreItsTagsRunsDatasetsAndModels) {
  store::Database db(":memory:");
  store::migrate(db, registry::migrations());
  registry::Registry registry(db, "unused");
  registry.add_dataset({"ds-1", "ab", "L1", "milk", "std", 700, Json::object(), 5});
  registry.add_dataset({"ds-2", "cd", "L2", "milk", "std", 700, Json::object(), 5});
  EXPECT_EQ(users_of(stores_.plant(), registry, {"L1", "milk", "std"}),
            (Problems{"run B1", "run B2", "dataset ds-1"}));
  EXPECT_EQ(users_of(stores_.plant(), registry, {"L1", "", ""}).size(), 6u);
  EXPECT_TRUE(users_of(stores_.plant(), registry, {"L1", "milk", "slow"}).empty());
}

}  // namespace
}  // namespace flyball::app
