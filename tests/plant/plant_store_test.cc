#include "plant/plant_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "plant/rules.h"
#include "plant/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

Tag tag(const std::string& name, std::optional<double> min = {}, std::optional<double> max = {}) {
  Tag t;
  t.name = name;
  t.line_id = "L1";
  t.min = min;
  t.max = max;
  return t;
}

class PlantStoreTest : public ::testing::Test {
 protected:
  PlantStoreTest() {
    const std::array migrations{migration(1), mark_migration(2), spec_migration(3)};
    store::migrate(db_, migrations);
    store_.put(Line{"L1", "dryer"});
    store_.put(Product{"P1", "L1", "milk", {{"T", {100, 200}}}}, tags_);
  }

  Change put_recipe(std::vector<RecipeParam> params, TimeUs at = 0) {
    return store_.put(Recipe{"R1", "P1", "L1", "", std::move(params), 0, ""}, tags_,
                      {"ann", at, "why"});
  }

  /// The code of the only problem of the throw.
  template <class F>
  static std::string problem_of(F&& f) {
    try {
      f();
    } catch (const Error& e) {
      return e.problems().size() == 1 ? e.problems()[0].message.code + " " + e.problems()[0].pointer
                                      : e.code();
    }
    return "nothing";
  }

  const std::vector<Tag> tags_{tag("T", 0, 300), tag("F")};
  const RecipeKey key_{"L1", "P1", "R1"};
  store::Database db_{":memory:"};
  PlantStore store_{db_};
};

TEST_F(PlantStoreTest, WhatWasPutIsReadBack) {
  EXPECT_EQ(put_recipe({{"T", 150, 140, 160}}), Change::created);
  EXPECT_EQ(store_.line("L1").description, "dryer");
  EXPECT_EQ(store_.product("L1", "P1").limits.at("T").max, 200);
  const Recipe r = store_.recipe(key_);
  ASSERT_EQ(r.params.size(), 1u);
  EXPECT_EQ(r.params[0].value, 150);
  EXPECT_EQ(r.params[0].min, 140);
  EXPECT_EQ(r.version, 1);
}

TEST_F(PlantStoreTest, PuttingTheSameAgainChangesNothing) {
  put_recipe({{"T", 150, {}, {}}, {"F", 2, {}, {}}});
  EXPECT_EQ(store_.put(Line{"L1", "dryer"}), Change::unchanged);
  EXPECT_EQ(store_.put(store_.product("L1", "P1"), tags_), Change::unchanged);
  EXPECT_EQ(put_recipe({{"F", 2, {}, {}}, {"T", 150, {}, {}}}), Change::unchanged);
  EXPECT_EQ(store_.put(Line{"L1", "spray dryer"}), Change::changed);
}

TEST_F(PlantStoreTest, EveryChangeOfParamsIsANewVersionAndOldOnesStay) {
  put_recipe({{"T", 150, {}, {}}}, 10);
  EXPECT_EQ(put_recipe({{"T", 151, {}, {}}}, 20), Change::changed);
  put_recipe({{"T", 150, {}, {}}}, 30);
  const auto versions = store_.recipe_versions(key_);
  ASSERT_EQ(versions.size(), 3u);
  EXPECT_EQ(versions[0].content_hash, versions[2].content_hash);
  EXPECT_NE(versions[0].content_hash, versions[1].content_hash);
  EXPECT_EQ(versions[1].params[0].value, 151);
  EXPECT_EQ(versions[2].created_at, 30);
  EXPECT_EQ(versions[2].by, "ann");
  EXPECT_EQ(store_.recipe(key_).version, 3);
}

TEST_F(PlantStoreTest, ADescriptionIsNoVersion) {
  put_recipe({{"T", 150, {}, {}}});
  Recipe r = store_.recipe(key_);
  r.description = "slow";
  EXPECT_EQ(store_.put(r, tags_, {"ann", 1}), Change::changed);
  EXPECT_EQ(store_.recipe(key_).version, 1);
  EXPECT_EQ(store_.recipe(key_).description, "slow");
}

TEST(ContentHash, IsOfWhatTheRecipeSaysNotOfItsOrder) {
  const std::vector<RecipeParam> ab{{"a", 1, {}, {}}, {"b", 2, 0, {}}}, ba{ab[1], ab[0]};
  EXPECT_EQ(content_hash(ab), content_hash(ba));
  for (const std::vector<RecipeParam>& other : {std::vector<RecipeParam>{ab[0]},
                                                {{"a", 1, {}, {}}, {"b", 2, {}, {}}},
                                                {{"a", 1, {}, {}}, {"b", 2.0000001, 0, {}}},
                                                {{"a", 1, {}, {}}, {"c", 2, 0, {}}}}) {
    EXPECT_NE(content_hash(other), content_hash(ab));
  }
}

TEST_F(PlantStoreTest, NamesAreSlugs) {
  EXPECT_ERROR(store_.put(Line{"a/b", ""}), "NAME_INVALID");
  EXPECT_ERROR(store_.put(Product{"", "L1", "", {}}, tags_), "NAME_INVALID");
  EXPECT_ERROR(store_.put(Recipe{"..", "P1", "L1", "", {}, 0, ""}, tags_, {}), "NAME_INVALID");
}

TEST_F(PlantStoreTest, WhatIsReferredToExists) {
  EXPECT_ERROR(store_.put(Product{"P", "L2", "", {}}, tags_), "NAME_MISSING");
  EXPECT_ERROR(store_.put(Recipe{"R", "P2", "L1", "", {}, 0, ""}, tags_, {}), "NAME_MISSING");
  try {
    (void)store_.product("L1", "P2");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("\"P1\""), std::string::npos) << e.what();
  }
}

TEST_F(PlantStoreTest, AParamIsOfATagOfTheLineOnce) {
  EXPECT_EQ(problem_of([&] {
              put_recipe({{"L2/T", 1, {}, {}}});
            }),
            "NODE_LINE_MISMATCH /params/0/tag");
  EXPECT_EQ(problem_of([&] {
              put_recipe({{"F", 1, {}, {}}, {"F", 2, {}, {}}});
            }),
            "NAME_TWICE /params/1/tag");
  EXPECT_EQ(problem_of([&] {
              store_.put(Product{"P2", "L1", "", {{"X", {}}}}, tags_);
            }),
            "NODE_LINE_MISMATCH /limits/X");
}

TEST_F(PlantStoreTest, AValueIsWithinTheLimitsOfParamProductAndTag) {
  EXPECT_EQ(problem_of([&] { put_recipe({{"T", 150, 151, {}}}); }), "RECIPE_LIMIT /params/0/value");
  EXPECT_EQ(problem_of([&] { put_recipe({{"T", 99, {}, {}}}); }), "RECIPE_LIMIT /params/0/value");
  EXPECT_EQ(problem_of([&] {
              store_.put(Product{"P2", "L1", "", {}}, tags_);
              store_.put(Recipe{"R", "P2", "L1", "", {{"T", 301, {}, {}}}, 0, ""}, tags_, {});
            }),
            "RECIPE_LIMIT /params/0/value");
  EXPECT_EQ(problem_of([&] { put_recipe({{"F", 5, 6, 4}}); }), "SPEC_INVALID");
  EXPECT_EQ(problem_of([&] {
              store_.put(Product{"P3", "L1", "", {{"F", {2, 1}}}}, tags_);
            }),
            "RANGE_EMPTY /limits/F");
  EXPECT_EQ(put_recipe({{"T", 100, 100, 100}}), Change::created);
}

TEST_F(PlantStoreTest, ARefusedRecipeLeavesNothingBehind) {
  EXPECT_ERROR(put_recipe({{"T", 99, {}, {}}}), "SPEC_INVALID");
  EXPECT_FALSE(store_.find_recipe(key_));
}

TEST_F(PlantStoreTest, EnsureCreatesWhatIsMissingAndSaysWhat) {
  const std::vector<Created> all{{"line", "L9"}, {"product", "P9"}, {"recipe", "R9"}};
  EXPECT_EQ(store_.ensure({"L9", "P9", "R9"}, {"ann", 1}), all);
  EXPECT_TRUE(store_.ensure({"L9", "P9", "R9"}, {"ann", 2}).empty());
  EXPECT_EQ(store_.ensure({"L1", "P1", "R7"}, {}), (std::vector<Created>{{"recipe", "R7"}}));
  EXPECT_EQ(store_.recipe({"L9", "P9", "R9"}).version, 1);
}

TEST_F(PlantStoreTest, ARecipeNameOfTwoProductsIsAskedNotGuessed) {
  store_.ensure({"L1", "P1", "R"}, {});
  EXPECT_EQ(store_.recipe("L1", std::nullopt, "R").product_id, "P1");
  store_.ensure({"L1", "P2", "R"}, {});
  EXPECT_ERROR((void)store_.recipe("L1", std::nullopt, "R"), "RECIPE_AMBIGUOUS");
  EXPECT_EQ(store_.recipe("L1", "P2", "R").product_id, "P2");
}

TEST_F(PlantStoreTest, WhatIsCitedIsNotRemoved) {
  put_recipe({});
  const auto users = [&](auto remove) -> std::string {
    try {
      remove();
      return "removed";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "IN_USE");
      return e.what();
    }
  };
  EXPECT_NE(users([&] { store_.remove_line("L1", {}); }).find("product P1"), std::string::npos);
  EXPECT_NE(users([&] { store_.remove_product("L1", "P1", {}); }).find("recipe R1"),
            std::string::npos);
  EXPECT_NE(users([&] { store_.remove_recipe(key_, {"run B1"}); }).find("run B1"),
            std::string::npos);
  EXPECT_EQ(users([&] { store_.remove_recipe(key_, {}); }), "removed");
  EXPECT_EQ(users([&] { store_.remove_product("L1", "P1", {}); }), "removed");
  EXPECT_EQ(users([&] { store_.remove_line("L1", {}); }), "removed");
  EXPECT_TRUE(store_.lines().empty());
}

TEST_F(PlantStoreTest, AHistoryIsRestoredAsItWasOrRefused) {
  put_recipe({{"T", 150, {}, {}}}, 10);
  put_recipe({{"T", 151, {}, {}}}, 20);
  const Recipe recipe = store_.recipe(key_);
  auto versions = store_.recipe_versions(key_);
  EXPECT_ERROR(store_.restore(recipe, versions), "NAME_EXISTS");
  store_.remove_recipe(key_, {});
  std::swap(versions[0], versions[1]);
  EXPECT_ERROR(store_.restore(recipe, versions), "RECIPE_HISTORY");
  EXPECT_FALSE(store_.find_recipe(key_));
  std::swap(versions[0], versions[1]);
  store_.restore(recipe, versions);
  EXPECT_EQ(to_json_value(store_.recipe(key_)), to_json_value(recipe));
  store_.remove_recipe(key_, {});
  versions[1].params[0].value = 152;
  EXPECT_ERROR(store_.restore(recipe, versions), "RECIPE_HISTORY");
}

TEST_F(PlantStoreTest, TakesPartInATransactionThatIsOpen) {
  {
    store::Transaction transaction(db_);
    put_recipe({});
    store_.ensure({"L5", "P", "R"}, {});
    EXPECT_ERROR(store_.put(Line{".", ""}), "NAME_INVALID");
    EXPECT_TRUE(store_.find_line("L5"));
  }
  EXPECT_FALSE(store_.find_line("L5"));
  EXPECT_FALSE(store_.find_recipe(key_));
}

TEST(TagRules, EachNamesWhatIsBroken) {
  Tag mode = tag("MODE");
  mode.kind = TagKind::digital;
  mode.states = {"MAN", "AUTO"};
  const auto problem = [&](const Tag& t) {
    std::vector<Problem> problems;
    check(t, std::vector{mode, tag("T")}, "", problems);
    return problems.empty() ? "" : problems[0].message.code;
  };
  Tag t = tag("T", 0, 1);
  t.mode_tag = "MODE";
  t.resolution = 0.1;
  EXPECT_EQ(problem(t), "");
  EXPECT_EQ(problem(mode), "");
  EXPECT_EQ(problem(tag("T", 1, 0)), "RANGE_EMPTY");
  EXPECT_EQ(problem(tag(" T")), "TAG_NAME_INVALID");
  t.resolution = 0;
  EXPECT_EQ(problem(t), "RESOLUTION_INVALID");
  t.resolution.reset();
  for (const char* unfit : {"T", "X"}) {
    t.mode_tag = unfit;
    EXPECT_EQ(problem(t), "MODE_TAG_UNFIT");
  }
  t.mode_tag.reset();
  t.states = {"a"};
  EXPECT_EQ(problem(t), "STATES_UNEXPECTED");
}

TEST(TagRules, AUnitThatCannotBeConvertedIsSaid) {
  Tag t = tag("T");
  for (const char* unit : {"", "°C", "kJ/(kg·K)"}) {
    t.unit = unit;
    EXPECT_FALSE(unit_note(t)) << unit;
  }
  t.unit = "barr";
  ASSERT_TRUE(unit_note(t));
  EXPECT_NE(unit_note(t)->text().find("\"bar\""), std::string::npos) << unit_note(t)->text();
}

}  // namespace
}  // namespace flyball::plant
