#include "identify/hole_window.h"

#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

/// Bursts of 2 to 14 cells without a value until a share of the column has none.
void make_holes(Matrix& x, double share, math::Random& random) {
  for (Index c = 0; c < x.cols(); ++c) {
    const auto missing = [&] {
      return static_cast<double>((x.col(c).array() != x.col(c).array()).count());
    };
    while (missing() < share * static_cast<double>(x.rows())) {
      const Index first = random.index(x.rows());
      const Index length = std::min<Index>(2 + random.index(13), x.rows() - first);
      x.col(c).segment(first, length).setConstant(std::nan(""));
    }
  }
}

const Message* warning(const IdentifyResult& r, const std::string& code) {
  const auto& all = r.findings.warnings;
  const auto found = std::ranges::find(all, code, &Message::code);
  return found == all.end() ? nullptr : &*found;
}

std::int64_t number(const Message& m, const std::string& name) {
  return std::get<std::int64_t>(std::ranges::find(m.params, name, &Param::name)->value);
}

TEST(HoleWindow, RowsBehindAreThoseWithSoManyBeforeThem) {
  const std::vector<Stretch> stretches{{0, 10, 0}, {12, 15, 0}, {20, 40, 1}};
  EXPECT_EQ(rows_behind(stretches, 0), 33);
  EXPECT_EQ(rows_behind(stretches, 3), 7 + 0 + 17);
  EXPECT_EQ(rows_behind(stretches, 30), 0);
}

TEST(HoleWindow, ARecordWithoutHolesKeepsItsWindowHoweverShort) {
  const std::vector<Stretch> whole{{0, 60, 0}};
  const LagWindow w = window_within(whole, whole, 3, 0, {20, 10});
  EXPECT_EQ(w.range, 20);
  EXPECT_EQ(w.order, 10);
}

TEST(HoleWindow, BlocksOfOneRunAreARecordWithCuts) {
  const auto runs = uncut({{0, 10, 0}, {10, 15, 1}, {15, 40, 0}});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].end - runs[0].first, 35);
  EXPECT_EQ(runs[1].end - runs[1].first, 5);
}

TEST(HoleWindow, HolesShrinkItToWhatTheirRowsCarry) {
  std::vector<Stretch> pieces;
  for (Index t = 0; t < 600; t += 30) pieces.push_back({t, t + 25, 0});
  const LagWindow w = window_within(pieces, {{0, 600, 0}}, 1, 0, {20, 10});
  EXPECT_EQ(w.range, 10);  // 25 − 15 rows of each of 20 pieces are at least 4 (11 + 5) rows
  EXPECT_EQ(w.order, 5);   // 25 − 23 of 15 and 8 are not 4 (16 + 8)
}

TEST(HoleWindow, InputsAreFoundBetweenBurstsOfMissingCells) {
  int answered = 0, cut = 0;
  constexpr int kSeeds = 16;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    math::Random random(seed);
    Matrix x(450, 3);
    x.col(0) = random_steps(450, 12, random);
    x.col(1) = random_steps(450, 12, random);
    Vector y = first_order(x.col(0), 2, 0.88, 5) + first_order(x.col(1), -1.5, 0.8, 1);
    add_noise(y, 23, random);
    x.col(2) = y;
    make_holes(x, 0.15, random);
    const IdentifyResult r = identify_arx(train_dataset({x}, "uuy"));
    answered += warning(r, "INPUT_NO_ANSWER") == nullptr ? 1 : 0;
    cut += warning(r, "LAGS_CUT_BY_HOLES") != nullptr ? 1 : 0;
    if (const Message* few = warning(r, "FOLDS_TOO_FEW")) {
      EXPECT_LT(number(*few, "rows"), number(*few, "needed")) << seed;
    }
  }
  EXPECT_GE(answered, kSeeds - 1);
  EXPECT_GE(cut, kSeeds / 2);
}

}  // namespace
}  // namespace flyball::identify
