#include "report/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace flyball::report {
namespace {

TEST(Escape, LeavesNothingThatMarkupCouldTakeAsItsOwn) {
  EXPECT_EQ(escape("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(Escape, KeepsUtf8AndReplacesWhatIsNot) {
  EXPECT_EQ(escape("°C 温度"), "°C 温度");
  EXPECT_EQ(escape("\xFF|\xC0\xAF|\xED\xA0\x80|\xE6\xB8"),
            "\uFFFD|\uFFFD\uFFFD|\uFFFD\uFFFD\uFFFD|\uFFFD\uFFFD");
  EXPECT_EQ(escape(std::string_view("a\0b\x1B", 4)), "a\uFFFDb\uFFFD");
}

TEST(Number, KeepsSignificantDigitsAndDropsTrailingZeros) {
  EXPECT_EQ(number(0.0), "0");
  EXPECT_EQ(number(-1.5), "−1.5");
  EXPECT_EQ(number(123456.0, 4), "123456");
  EXPECT_EQ(number(0.00012345, 3), "0.000123");
  EXPECT_EQ(number(9.9996, 4), "10");
  EXPECT_EQ(number(1.2e-7), "1.2×10⁻⁷");
  EXPECT_EQ(number(-2.5e12), "−2.5×10¹²");
}

TEST(Number, OfWhatIsNotFiniteIsADash) {
  EXPECT_EQ(number(std::nan("")), "–");
  EXPECT_EQ(number(std::numeric_limits<double>::infinity()), "–");
  EXPECT_EQ(number(std::optional<double>()), "–");
  EXPECT_EQ(fixed(std::nan(""), 2), "–");
}

TEST(Fixed, HasTheDecimalsAskedForAndNoNegativeZero) {
  EXPECT_EQ(fixed(3.14159, 2), "3.14");
  EXPECT_EQ(fixed(-0.001, 1), "0.0");
  EXPECT_EQ(fixed(-2.0, 0), "−2");
}

TEST(Count, GroupsDigitsByThree) {
  EXPECT_EQ(count(999), "999");
  EXPECT_EQ(count(1234567), "1\u202F234\u202F567");
  EXPECT_EQ(count(-1000), "−1\u202F000");
}

TEST(Duration, UsesTheLargestUnitThatFits) {
  EXPECT_EQ(duration(0.08), "80\u00A0ms");
  EXPECT_EQ(duration(0.24), "240\u00A0ms");
  EXPECT_EQ(duration(90), "1.5\u00A0min");
  EXPECT_EQ(duration(86400), "1\u00A0d");
  EXPECT_EQ(duration(0), "0\u00A0s");
}

TEST(InWords, SplitsFieldNames) {
  EXPECT_EQ(in_words("rowsIn"), "rows in");
  EXPECT_EQ(in_words("qhatPerCv"), "qhat per cv");
  EXPECT_EQ(in_words("artifactSHA"), "artifact SHA");
  EXPECT_EQ(in_words("MV"), "MV");
}

TEST(Shortened, CutsAtCodePoints) {
  EXPECT_EQ(code_points("°C"), 2U);
  EXPECT_EQ(shortened("温度计", 3), "温度计");
  EXPECT_EQ(shortened("温度计量", 3), "温度…");
}

}  // namespace
}  // namespace flyball::report
