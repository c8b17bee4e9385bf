#include "dataset/js_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

TEST(JsNumber, IsWrittenAsJavaScriptDoes) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {-0.0, "0"},
      {100, "100"},
      {0.1, "0.1"},
      {-2.5, "-2.5"},
      {1e21, "1e+21"},
      {1e20, "100000000000000000000"},
      {123456789012345680000.0, "123456789012345680000"},
      {1.5e300, "1.5e+300"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.25e-7, "1.25e-7"},
      {0.000012345, "0.000012345"},
      {1.0 / 3, "0.3333333333333333"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {9007199254740993.0, "9007199254740992"},
      {1767225600000.0, "1767225600000"},
      {-123.456, "-123.456"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(js_number(value), text);
  EXPECT_EQ(fixtures::code_of([] { js_number(std::nan("")); }), "NOT_FINITE");
}

TEST(JsNumber, ReadsBackToTheSameBits) {
  math::Random random(8);
  for (int i = 0; i < 20'000; ++i) {
    const double v = random.normal() * std::pow(10, random.uniform(-30, 30));
    const std::string s = js_number(v);
    double back = 0;
    std::from_chars(s.data(), s.data() + s.size(), back);
    EXPECT_EQ(back, v) << s;
  }
}

TEST(JsWriter, IndentsByTwoAndKeepsTheOrderOfKeys) {
  JsWriter w;
  w.open('{').entry("b", 1).list("empty", std::array<double, 0>{}).list("a", std::array{1, 2});
  w.key("o").open('{').close().key("n").open('[').open('{').entry("x", "y").close().close();
  w.close();
  EXPECT_EQ(w.text(), R"({
  "b": 1,
  "empty": [],
  "a": [
    1,
    2
  ],
  "o": {},
  "n": [
    {
      "x": "y"
    }
  ]
})");
}

TEST(JsWriter, EscapesWhatJavaScriptEscapesAndNothingElse) {
  JsWriter w;
  w.value("a\"\\\b\f\n\r\t\x01\x1f/é\x7f");
  EXPECT_EQ(w.text(), "\"a\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f/é\x7f\"");
}

}  // namespace
}  // namespace flyball::dataset
