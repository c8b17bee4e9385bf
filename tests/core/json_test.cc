#include "core/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/checks.h"
#include "core/error.h"

namespace flyball {
namespace {

TEST(Canonical, SortsKeysAndWritesShortestNumbers) {
  const Json j = {{"b", 1.0}, {"a", {0.1, -0.0, 1e300}}, {"c", nullptr}, {"d", "µ\n"}};
  EXPECT_EQ(canonical(j), "{\"a\":[0.1,0,1e+300],\"b\":1,\"c\":null,\"d\":\"µ\\n\"}");
}

TEST(Canonical, EveryDoubleComesBackBitForBit) {
  for (const double v : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5e-7}) {
    EXPECT_EQ(parse_json(canonical(Json(v)), "t").get<double>(), v);
  }
}

TEST(Canonical, RefusesWhatIsNotFinite) {
  EXPECT_THROW(canonical(Json(std::nan(""))), Error);
  EXPECT_TRUE(number_or_null(std::numeric_limits<double>::infinity()).is_null());
}

TEST(ParseJson, NamesTheSourceAndLimitsDepth) {
  EXPECT_THROW(parse_json("{", "spec.json"), Error);
  EXPECT_THROW(parse_json(std::string(100, '[') + std::string(100, ']'), "deep"), Error);
  EXPECT_EQ(parse_json(pretty(Json{{"a", {1, 2}}}), "t"), (Json{{"a", {1, 2}}}));
}

TEST(Checks, NameWhatIsWrong) {
  const double bad[] = {1, std::nan("")};
  EXPECT_THROW(check_finite(bad, "gain"), Error);
  EXPECT_THROW(check_shape("A", 2, 3, 2, 2), Error);
  std::stop_source stop;
  EXPECT_NO_THROW(check_stop(stop.get_token()));
  stop.request_stop();
  EXPECT_THROW(check_stop(stop.get_token()), Error);
}

}  // namespace
TEST(Json, ASyntaxErrorSaysWhereAndWhatIsExpected) {
  try {
    (void)parse_json("{\"a\": 1,\n \"b\": }", "p.json");
    FAIL();
  } catch (const Error& e) {
    const std::string text = e.message().text();
    EXPECT_NE(text.find("p.json"), std::string::npos) << text;
    EXPECT_NE(text.find("line 2, column 7"), std::string::npos) << text;
    EXPECT_NE(text.find("unexpected '}'"), std::string::npos) << text;
    EXPECT_NE(text.find("expected"), std::string::npos) << text;
    EXPECT_EQ(text.find("json.exception"), std::string::npos) << text;
    EXPECT_EQ(text.find("parse error"), std::string::npos) << text;
  }
}

}  // namespace flyball
