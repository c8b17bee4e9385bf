#include "plant/plant_file.h"

#include <gtest/gtest.h>

#include <set>

#include "plant/rules.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kFile = R"json({
  "line": {"id": "L1", "description": "spray dryer"},
  "tags": [
    {"name": "TIC1.PV", "unit": "°C", "role": "cv", "min": 0, "max": 300, "resolution": 0.1,
     "modeTag": "TIC1.MODE"},
    {"name": "TIC1.MODE", "kind": "digital", "states": ["MAN", "AUTO"]},
    {"name": "FEED", "unit": "kg/h", "role": "mv", "stepped": true}
  ],
  "products": [{"id": "milk", "limits": {"FEED": {"max": 900}}}],
  "recipes": [{"id": "std", "productId": "milk",
               "params": [{"tag": "FEED", "value": 500, "min": 400}]}],
  "runs": [{"id": "B1", "productId": "milk", "recipeId": "std",
            "startedAt": "2026-03-01T08:00:00+01:00", "endedAt": "2026-03-01T09:00:00Z",
            "evidence": "real"}],
  "segments": [{"runId": "B1", "recipeVersion": 1, "from": "2026-03-01T07:00:00Z",
                "to": "2026-03-01T09:00:00Z"}]
})json";

std::set<std::string> problems_of(const std::string& text) {
  std::set<std::string> out;
  try {
    (void)parse_plant_file(text, "plant.json");
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "PLANT_FILE_INVALID") << e.what();
    for (const Problem& p : e.problems()) out.insert(p.message.code + " " + p.pointer);
  }
  return out;
}

TEST(PlantFile, SaysTheLineOnceAndTimesAsTexts) {
  const PlantFile file = parse_plant_file(kFile, "plant.json");
  EXPECT_EQ(file.line.description, "spray dryer");
  ASSERT_EQ(file.tags.size(), 3u);
  EXPECT_EQ(file.tags[0].node_id(), "L1/TIC1.PV");
  EXPECT_EQ(file.tags[0].role, Role::cv);
  EXPECT_EQ(file.tags[1].kind, TagKind::digital);
  EXPECT_EQ(file.products[0].line_id, "L1");
  EXPECT_EQ(file.recipes[0].recipe.params[0].min, 400);
  EXPECT_EQ(file.runs[0].started_at, parse_time("2026-03-01T07:00:00Z"));
  EXPECT_EQ(file.segments[0].from, file.runs[0].started_at);
  EXPECT_EQ(file.segments[0].status, SegmentStatus::draft);
}

TEST(PlantFile, WhatIsWrittenIsReadBackToTheSame) {
  PlantFile file = parse_plant_file(kFile, "plant.json");
  RecipeVersion v{1, file.recipes[0].recipe.params, "", 5, "ann", "first"};
  v.content_hash = content_hash(v.params);
  file.recipes[0].versions = {v};
  file.segments[0].status = SegmentStatus::confirmed;
  file.segments[0].confirmed_by = "bob";
  file.segments[0].confirmed_at = 1'500'000;
  const Json written = plant_file_json(file);
  const PlantFile back = parse_plant_file(canonical(written), "plant.json");
  EXPECT_EQ(plant_file_json(back), written);
  EXPECT_EQ(back.recipes[0].versions[0].created_at, 5);
  EXPECT_EQ(back.segments[0].confirmed_at, 1'500'000);
  EXPECT_EQ(to_json_value(back.tags[0]), to_json_value(file.tags[0]));
}

TEST(PlantFile, WhatIsAsByDefaultIsLeftOut) {
  const Json written = plant_file_json(parse_plant_file(kFile, "plant.json"));
  EXPECT_EQ(written["tags"][2],
            (Json{{"name", "FEED"}, {"unit", "kg/h"}, {"role", "mv"}, {"stepped", true}}));
  EXPECT_FALSE(written["recipes"][0].contains("versions"));
  EXPECT_EQ(written["runs"][0]["startedAt"], "2026-03-01T07:00:00Z");
}

TEST(PlantFile, EveryProblemIsReportedAtOnceWithItsPlace) {
  const std::set<std::string> expected{"FIELD_UNKNOWN /tags/0/units",
                                       "FIELD_UNKNOWN /tags/1/lineId",
                                       "FIELD_REQUIRED /tags/2/name",
                                       "FIELD_CHOICE /tags/3/role",
                                       "NAME_TWICE /tags/3",
                                       "FIELD_TYPE /products/0",
                                       "FIELD_REQUIRED /recipes/0/productId",
                                       "FIELD_TYPE /recipes/0/params/0/value",
                                       "FIELD_UNKNOWN /recipes/0/version",
                                       "TIME_INVALID /runs/0/startedAt",
                                       "FIELD_REQUIRED /runs/1/startedAt",
                                       "FIELD_TYPE /segments/0/from",
                                       "FIELD_REQUIRED /segments/0/to",
                                       "FIELD_UNKNOWN /run"};
  EXPECT_EQ(problems_of(R"json({
    "line": {"id": "L"}, "run": [],
    "tags": [{"name": "A", "units": "bar"}, {"name": "B", "lineId": "L2"}, {},
             {"name": "A", "role": "xv"}],
    "products": ["milk"],
    "recipes": [{"id": "R", "version": 3, "params": [{"tag": "A", "value": "hot"}]}],
    "runs": [{"id": "B1", "productId": "P", "recipeId": "R", "startedAt": "2026-03-01 08:00"},
             {"id": "B2", "productId": "P", "recipeId": "R"}],
    "segments": [{"runId": "B1", "from": 5}]
  })json"),
            expected);
}

TEST(PlantFile, TextThatIsNoJsonAndAFileWithoutALineAreRefused) {
  EXPECT_ERROR((void)parse_plant_file("{", "plant.json"), "JSON_INVALID");
  EXPECT_EQ(problems_of("{}"), std::set<std::string>{"FIELD_REQUIRED /line"});
  EXPECT_EQ(problems_of("[]"), std::set<std::string>{"FIELD_TYPE "});
  EXPECT_EQ(problems_of(R"({"schemaVersion":2,"line":{"id":"L"}})"),
            std::set<std::string>{"FIELD_RANGE /schemaVersion"});
}

}  // namespace
}  // namespace flyball::plant
