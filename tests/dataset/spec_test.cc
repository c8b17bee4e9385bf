#include "dataset/spec.h"

#include <gtest/gtest.h>

#include <limits>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

TEST(Spec, RefusesAUnitContractThatIsNotComplete) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::optional<double> scale :
       {std::optional<double>(), std::optional(0.0), std::optional(nan), std::optional(1 / 0.0)}) {
    Spec s = small_spec();
    s.variables[1].scale = scale;
    EXPECT_EQ(code_of([&] { validate(s); }), "UNIT_CONTRACT_INVALID");
  }
  for (const std::optional<double> offset :
       {std::optional<double>(), std::optional(nan), std::optional(-1 / 0.0)}) {
    Spec s = small_spec();
    s.variables[0].offset = offset;
    EXPECT_EQ(code_of([&] { validate(s); }), "UNIT_CONTRACT_INVALID");
  }
  EXPECT_NO_THROW(validate(small_spec()));
}

TEST(Spec, RefusesANodeOfAnotherLine) {
  Spec s = small_spec();
  s.variables[2].node_id = "L2/y";
  EXPECT_EQ(code_of([&] { validate(s); }), "NODE_LINE_MISMATCH");
  s.variables[2].node_id = "L11/y";
  EXPECT_EQ(code_of([&] { validate(s); }), "NODE_LINE_MISMATCH") << "L1 is not a prefix of L11/";
}

TEST(Spec, ReportsEveryProblemAtItsPlace) {
  Spec s = small_spec();
  s.variables[1] = s.variables[0];
  s.variables[2].role = Role::mv;
  s.beat_ms = 0.0005;
  s.split = {0.5, 0.6, 42};
  s.window.history_steps = 0;
  try {
    validate(s);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "SPEC_INVALID");
    std::vector<std::string> at;
    for (const Problem& p : e.problems()) at.push_back(p.pointer + " " + p.message.code);
    for (const char* expected :
         {"/variables/1/id VARIABLE_TWICE", "/variables/1/nodeId VARIABLE_TWICE",
          "/variables ROLE_MISSING", "/beatMs FIELD_RANGE", "/split SPLIT_SUM",
          "/window/historySteps FIELD_RANGE"}) {
      EXPECT_NE(std::ranges::find(at, expected), at.end()) << expected;
    }
  }
}

TEST(Spec, TakesBeatsDownToOneMicrosecondAndNoFractionOfOne) {
  Spec s = small_spec();
  s.beat_ms = 0.001;
  EXPECT_NO_THROW(validate(s));
  EXPECT_EQ(beat_us(s), 1);
  s.beat_ms = 333.333;
  EXPECT_NO_THROW(validate(s));
  EXPECT_EQ(beat_us(s), 333'333);
  s.beat_ms = 0.0015;
  EXPECT_EQ(code_of([&] { validate(s); }), "SPEC_INVALID");
}

TEST(Spec, SurvivesItsOwnJson) {
  Spec s = small_spec();
  s.variables[0].max_hold_ms = 5000;
  s.from_us = kStart;
  const Json j = to_json_value(s);
  EXPECT_EQ(to_json_value(parse_record<Spec>(j)), j);
}

}  // namespace
}  // namespace flyball::dataset
