#include "report/pictures_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace flyball::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PicturesJson, KeepsEveryRowAndSaysWhatIsMissing) {
  StudyPictures p;
  p.beat_ms = 80;
  p.elapsed_time = true;
  p.free_run.push_back(
      {"T", "K", "test", "run-1", {0, 80'000, 160'000}, {1, kNan, 3}, {1, 2, kNan}});
  p.inputs.push_back({"u", "V", "test", "run-1", true, {0, 80'000}, {5, 6}});
  p.parts.push_back({"run-1", "train", 0, 80'000});
  const Json json = parse_json(canonical(pictures_json(p)), "itself");
  EXPECT_EQ(json["beatMs"], 80);
  EXPECT_TRUE(json["elapsedTime"].get<bool>());
  const Json& f = json["freeRun"][0];
  EXPECT_EQ(f["t"], Json({0, 80'000, 160'000}));
  EXPECT_EQ(f["actual"], Json({1, nullptr, 3}));
  EXPECT_EQ(f["predicted"], Json({1, 2, nullptr}));
  EXPECT_EQ(json["inputs"][0]["value"], Json({5, 6}));
  EXPECT_EQ(json["parts"][0]["part"], "train");
  EXPECT_EQ(json["units"], (Json{{"T", "K"}, {"u", "V"}}));
}

TEST(PicturesJson, NamesTheUnitsOfPairsWithoutTraces) {
  StudyPictures p;
  StepAnswer s;
  s.input = "u";
  s.cv = "T";
  s.input_unit = "V";
  s.cv_unit = "K";
  p.step_answers.push_back(s);
  EXPECT_EQ(pictures_json(p)["units"], (Json{{"T", "K"}, {"u", "V"}}));
}

TEST(PicturesJson, HasEveryListWhenThereIsNothing) {
  const Json json = pictures_json({});
  for (const char* name : {"freeRun", "inputs", "parts", "fans", "responseCurves", "pointClouds"})
    EXPECT_TRUE(json.at(name).is_array() && json.at(name).empty()) << name;
}

}  // namespace
}  // namespace flyball::report
