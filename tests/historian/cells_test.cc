#include "historian/cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <clocale>
#include <cmath>
#include <locale>

#include "historian/row_splitter.h"

namespace flyball::historian {
namespace {

std::vector<std::string> split(std::string_view line, Delimiter delimiter) {
  std::vector<std::string> out;
  for (RowSplitter row(line, delimiter); !row.done();) out.push_back(text_of(row.next()));
  return out;
}

using Texts = std::vector<std::string>;

TEST(RowSplitter, GivesEveryCellTrimmed) {
  EXPECT_EQ(split("a, b ,,\"c,d\",", Delimiter::comma), (Texts{"a", "b", "", "c,d", ""}));
  EXPECT_EQ(split("a;b", Delimiter::semicolon), (Texts{"a", "b"}));
  EXPECT_EQ(split("a b\t\tc\t", Delimiter::tab), (Texts{"a b", "", "c", ""}));
  EXPECT_EQ(split("  a \t b  \"c d\" ", Delimiter::blank), (Texts{"a", "b", "c d"}));
  EXPECT_EQ(split("", Delimiter::comma), (Texts{""}));
  EXPECT_EQ(split("", Delimiter::blank), Texts{});
  EXPECT_EQ(split("\"\",\"say \"\"x\"\"\"", Delimiter::comma), (Texts{"", "say \"x\""}));
}

TEST(RowSplitter, SaysWhenAQuoteIsBroken) {
  for (const char* line : {"\"a", "\"a\"b,c", "x,\"a\"\""}) {
    RowSplitter row(line, Delimiter::comma);
    while (!row.done()) row.next();
    EXPECT_TRUE(row.broken()) << line;
  }
}

TEST(RowSplitter, TheShortWayReadsWhatTheLongWayReads) {
  for (const Delimiter d :
       {Delimiter::comma, Delimiter::semicolon, Delimiter::tab, Delimiter::blank}) {
    const std::string mark(1, character(d));
    for (const char* cell : {"1", "-2.5e3", " 7 ", "1.0000000e+001", "x", "", "1x", "nan", "inf",
                             "1e400", "+3", "\"4\""}) {
      if (d == Delimiter::blank && std::string_view(cell).empty()) continue;
      const std::string line = std::string(cell) + mark + "9";
      RowSplitter quick(line, d), slow(line, d);
      double value = 0;
      const bool taken = quick.number(value);
      if (!taken) continue;
      EXPECT_EQ(value, read_number(slow.next().text, Decimal::point).value) << line;
      ASSERT_TRUE(quick.number(value)) << line;
      EXPECT_EQ(value, 9);
      EXPECT_TRUE(quick.done());
    }
  }
}

TEST(RowSplitter, TheShortWayGivesTheNearestDouble) {
  std::uint64_t state = 1;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random(2) == 0 ? "-" : "";
    const std::uint64_t digits = 1 + random(19), point = random(digits + 1);
    for (std::uint64_t k = 0; k < digits; ++k) {
      if (k == point) text += '.';
      text += static_cast<char>('0' + random(10));
    }
    double expected = 0, comma_value = 0, value = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    RowSplitter row(text, Delimiter::semicolon);
    ASSERT_TRUE(row.number(value)) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected)) << text;
    std::ranges::replace(text, '.', ',');
    RowSplitter comma(text, Delimiter::semicolon, Decimal::comma);
    if (comma.number(comma_value)) {
      ASSERT_EQ(comma_value, expected) << text;
    }
  }
}

TEST(RowSplitter, TheShortWayLeavesTheOtherMarkAlone) {
  for (const auto& [text, decimal] : {std::pair{"1,5", Decimal::point},
                                      {"1.5", Decimal::comma},
                                      {"1.300,5", Decimal::comma},
                                      {"-", Decimal::point},
                                      {".", Decimal::point},
                                      {"1e5", Decimal::comma}}) {
    double value = 0;
    EXPECT_FALSE(RowSplitter(text, Delimiter::semicolon, decimal).number(value)) << text;
  }
}

TEST(ReadNumber, TakesTheNearestDoubleOfEveryDigitString) {
  for (const double x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -123456.789}) {
    char text[64];
    const std::string shortest(text, std::to_chars(text, text + 64, x).ptr);
    EXPECT_EQ(read_number(shortest, Decimal::point).value, x);
  }
  EXPECT_EQ(read_number("1.0e+001", Decimal::point).value, 10);
  EXPECT_EQ(read_number("0,5E-001", Decimal::comma).value, 0.05);
  EXPECT_EQ(read_number("-,5", Decimal::comma).value, -0.5);
}

TEST(ReadNumber, GivesAQualityAndNeverAZeroForWhatIsNone) {
  for (const char* cell : {"", "NaN", "nan", "N/A", "#N/A", "NULL", "No Data", "-", "?"}) {
    EXPECT_EQ(read_number(cell, Decimal::point).quality, kBadNoData) << cell;
    EXPECT_TRUE(std::isnan(read_number(cell, Decimal::point).value));
  }
  for (const char* cell : {"inf", "-Infinity", "1e400", "-1e999"}) {
    EXPECT_EQ(read_number(cell, Decimal::point).quality, kBadOutOfRange) << cell;
  }
  for (const char* cell :
       {"Bad", "Shutdown", "1,5", "1.5.2", "0x1F", "12 °C", "+", "++1", "+-1", "TRUE"}) {
    EXPECT_EQ(read_number(cell, Decimal::point).quality, kBadNotANumber) << cell;
    EXPECT_TRUE(std::isnan(read_number(cell, Decimal::point).value));
  }
  EXPECT_EQ(read_number("1.5", Decimal::comma).quality, kBadNotANumber);
  EXPECT_EQ(read_number("1.300,5", Decimal::comma).quality, kBadNotANumber);
}

TEST(ReadNumber, UnderflowIsZeroWithItsSign) {
  for (const char* cell : {"1e-400", "-1e-400"}) {
    const Number n = read_number(cell, Decimal::point);
    EXPECT_EQ(n.quality, kGood);
    EXPECT_EQ(n.value, 0);
    EXPECT_EQ(std::signbit(n.value), cell[0] == '-');
  }
  EXPECT_EQ(read_number("0." + std::string(400, '0') + "1", Decimal::point).value, 0);
}

TEST(ReadNumber, DoesNotDependOnTheLocale) {
  struct CommaLocale : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaLocale));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  EXPECT_EQ(read_number("1234.5", Decimal::point).value, 1234.5);
  EXPECT_EQ(read_number("1234,5", Decimal::comma).value, 1234.5);
  EXPECT_EQ(read_number("1234,5", Decimal::point).quality, kBadNotANumber);
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
}

TEST(KindOf, TellsNumbersTimesDatesAndTexts) {
  EXPECT_EQ(kind_of("2026-03-01T08:00:00Z"), CellKind::time);
  EXPECT_EQ(kind_of("2026-03-01 08:00:00+01:00"), CellKind::time);
  EXPECT_EQ(kind_of("2026-03-01 08:00:00"), CellKind::time_no_offset);
  EXPECT_EQ(kind_of("2026-03-01"), CellKind::date);
  EXPECT_EQ(kind_of("01/02/2026 10:00"), CellKind::date);
  EXPECT_EQ(kind_of("1.2.26"), CellKind::date);
  EXPECT_EQ(kind_of("1.5"), CellKind::number);
  EXPECT_EQ(kind_of("1,5"), CellKind::number);
  EXPECT_EQ(kind_of("1.300,5"), CellKind::number);
  EXPECT_EQ(kind_of("1e400"), CellKind::number);
  EXPECT_EQ(kind_of("n/a"), CellKind::missing);
  EXPECT_EQ(kind_of("degC"), CellKind::text);
  EXPECT_EQ(kind_of("1-2-3-4-5"), CellKind::text);
}

TEST(MarkUse, KnowsWhatCouldBeAThousandsSeparator) {
  for (const char* cell : {"1.300", "-12.345", "999.000"})
    EXPECT_EQ(mark_use(cell, '.'), MarkUse::ambiguous) << cell;
  for (const char* cell : {"0.300", "1.30", "1.3000", "1234.567", "1.300e3", ".5", "5."}) {
    EXPECT_EQ(mark_use(cell, '.'), MarkUse::clear) << cell;
  }
  for (const char* cell : {"1.300,5", "1,300.5"})
    EXPECT_EQ(mark_use(cell, '.'), MarkUse::mixed) << cell;
  for (const char* cell : {"13", "a.b", "1.2.3", "."})
    EXPECT_EQ(mark_use(cell, '.'), MarkUse::none) << cell;
}

TEST(Readable, IsShortValidAndWithoutControlCharacters) {
  EXPECT_EQ(readable("a\tb"), "a?b");
  EXPECT_EQ(readable("20 \xB0"
                     "C"),
            "20 °C");
  EXPECT_EQ(readable(std::string(50, 'x'), 5), "xxxxx…");
  EXPECT_EQ(readable("°°°", 5), "°°…") << "no character is cut in two";
}

}  // namespace
}  // namespace flyball::historian
