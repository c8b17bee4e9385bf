#include "cli/print.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/study_text.h"

namespace flyball::cli {
namespace {

TEST(Print, AlignsTablesByCodePoints) {
  EXPECT_EQ(print_table({{"µ", "x"}, {"ab", "y"}}), "µ   x\nab  y\n");
}

TEST(Print, ShowsListsAsTablesAndTimesAsTimes) {
  const Json answer = {{"items", {{{"id", "a"}, {"createdAt", 1000000}}, {{"id", "b"}, {"createdAt", 2000000}}}}, {"nextCursor", nullptr}};
  const std::string text = print_answer(answer, {});
  EXPECT_NE(text.find("a   1970-01-01T00:00:01Z"), std::string::npos) << text;
  EXPECT_NE(text.find("nextCursor  -"), std::string::npos) << text;
}

TEST(Print, ColoursOnlyWhenAsked) {
  EXPECT_EQ(Style{}.bad("FAIL"), "FAIL");
  EXPECT_NE((Style{true}.bad("FAIL")), "FAIL");
}

TEST(PrintStudy, SaysVerdictReasonsAndNextSteps) {
  const Json report = {
      {"import", {{"rowsIn", 3}, {"stored", 2}, {"rejected", 1}, {"merged", 0}}},
      {"dataset", nullptr},
      {"deadTimes", {{{"mv", "u"}, {"cv", "y"}, {"steps", 3}, {"low", 2}, {"high", 4}, {"note", ""}}}},
      {"freeRunFit", {{{"cv", "y"}, {"percent", 84.04}, {"block", "test"}}}},
      {"gates", {{"checks", {{{"id", "G1"}, {"name", "one-step error"}, {"value", 0.2}, {"threshold", 0.1}, {"pass", false}, {"detail", "too large"}}}}}},
      {"verdict", "refused"}, {"model", {{"id", nullptr}}}, {"uq", nullptr}, {"uqReason", "one test run"},
      {"nextSteps", {{{"text", "measure longer"}}}}, {"provenance", nullptr}};
  const std::string text = print_study(report, {});
  for (const char* part : {"3 in = 2 stored + 1 rejected", "u → y: 3 steps (2..4)", "test 84.0 %", "FAIL", "too large", "REFUSED", "uncertainty one test run", "- measure longer"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(PrintStudy, JudgesNothingWhereNothingWasFitted) {
  const Json report = {{"import", nullptr}, {"dataset", nullptr}, {"deadTimes", Json::array()}, {"freeRunFit", Json::array()},
                       {"gates", {{"checks", {{{"id", "G1"}, {"name", "one-step error"}, {"value", nullptr}, {"threshold", 0.1}, {"pass", false}, {"detail", "no model"}}}}}},
                       {"verdict", "refused"}, {"model", nullptr}, {"uq", nullptr}, {"uqReason", "no model"},
                       {"nextSteps", {{{"text", "move u"}}}}, {"provenance", nullptr}};
  const std::string text = print_study(report, {});
  EXPECT_NE(text.find("REFUSED before a model was fitted; no gate was judged"), std::string::npos) << text;
  EXPECT_NE(text.find("- move u"), std::string::npos) << text;
  EXPECT_EQ(text.find("FAIL"), std::string::npos) << text;
  EXPECT_EQ(text.find("no model"), std::string::npos) << text;
}

TEST(PrintForecast, ShowsEachStepWithItsIntervalAndWarnings) {
  const Json answer = {{"steps", 2}, {"forecast", {{{"cv", "y"}, {"unit", "K"}, {"values", {1.5, 2.5}}, {"lower", {1.0, 2.0}}, {"upper", {2.0, 3.0}}}}},
                       {"inputDistance", 0.5}, {"intervalNote", "a band"}, {"warnings", {"u is outside"}}};
  const std::string text = print_forecast(answer, {});
  for (const char* part : {"y [K]", "1     1.5 (1 .. 2)", "2     2.5 (2 .. 3)", "distance 0.5", "a band", "warning: u is outside"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(PrintStudy, ShowsTheBandsOfTheEvidence) {
  Json report = {{"import", nullptr}, {"dataset", nullptr}, {"deadTimes", Json::array()}, {"freeRunFit", Json::array()}, {"gates", nullptr},
                       {"verdict", "pass"}, {"model", {{"id", "mdl-1"}}}, {"nextSteps", Json::array()}, {"provenance", nullptr},
                       {"uq", {{"cvs", {"y1", "y2"}}, {"qhatPerCv", {0.25, 3.0}}, {"horizon", 10}, {"method", "split_conformal"},
                               {"coverageTest", 0.95}, {"coverageThreshold", 0.8}, {"covered", true}, {"nTestBlocks", 20}}}};
  EXPECT_NE(print_study(report, {}).find("y1 ±0.25, y2 ±3 over 10 steps (split_conformal; holds in 95 % of 20 test blocks)"), std::string::npos)
      << print_study(report, {});
  report["uq"]["covered"] = false;
  EXPECT_NE(print_study(report, {}).find("needed: do not rely on the bands"), std::string::npos) << print_study(report, {});
}

}  // namespace
}  // namespace flyball::cli
