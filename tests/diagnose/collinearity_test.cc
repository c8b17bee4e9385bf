// MVs that moved together are named with their combination, and the move that is proposed does what
// is said of it.
#include "diagnose/collinearity.h"

#include <gtest/gtest.h>

#include "identify/excitation.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::first_order;
using identify::identify_arx;
using identify::random_steps;
using identify::train_dataset;

constexpr double kSigma = 0.2;

/// u2 = 2·u1 + own small moves; y answers both.
Matrix together(Index rows, double own, double gain2, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 8, random);
  x.col(1) = 2 * x.col(0) + own * random_steps(rows, 5, random);
  Vector y = first_order(x.col(0), 2, 0.8, 3) + first_order(x.col(1), gain2, 0.8, 3);
  for (Index t = 0; t < rows; ++t) y(t) += kSigma * random.normal();
  x.col(2) = y;
  return x;
}

TEST(Collinear, CombinationAndInflationFollowFromTheRecord) {
  const Matrix x = together(1500, 0.2, 1, 1);
  const auto c =
      identify::collinear_of(identify::training_data(train_dataset({x}, "uuy")), {true, true});
  ASSERT_EQ(c.size(), 2u);
  ASSERT_EQ(c[1].others, std::vector<std::string>{"u1"});
  EXPECT_NEAR(c[1].weights[0], 2, 0.05);
  EXPECT_NE(c[1].combination.find("·u1"), std::string::npos);
  EXPECT_NEAR(c[1].vif, 1 / (1 - c[1].explained), 1e-6 * c[1].vif);
  EXPECT_NEAR(1 - c[1].explained, 0.04 / 4.04, 0.003);
}

TEST(Collinear, TheProposedMoveHalvesTheStandardError) {
  const Matrix x = together(1500, 0.2, 1, 2);
  const auto found = identify_arx(train_dataset({x}, "uuy"));
  const auto moves = separating_moves(train_dataset({x}, "uuy"), found);
  const auto move = *std::ranges::find(moves, "u2", &SeparatingMove::mv);
  EXPECT_EQ(move.others, "u1");
  EXPECT_GT(move.step, 0);
  const double expected = move.gain_std_error_then / move.gain_std_error_now;
  EXPECT_LE(expected, 0.51);
  // The move in a run of its own, u1 held; the first 60 rows settle and are not kept.
  constexpr Index kSettle = 60;
  const Index rows = 40 + 2 * move.steps * move.moves;
  math::Random random(77);
  Matrix more(kSettle + rows, 3);
  more.col(0).setConstant(1);
  more.col(1).setConstant(2);
  for (Index t = 0; t < 2 * move.steps * move.moves; ++t) {
    if ((t / move.steps) % 2 == 0) more(kSettle + 20 + t, 1) += move.step;
  }
  more.col(2) = first_order(more.col(0), 2, 0.8, 3) + first_order(more.col(1), 1, 0.8, 3);
  for (double& v : more.col(2)) v += kSigma * random.normal();
  more = Matrix(more.bottomRows(rows));
  const auto after = identify_arx(train_dataset({x, more}, "uuy"));
  const auto error = [](const identify::IdentifyResult& r) {
    for (const auto& s : r.findings.step_responses) {
      if (s.input == "u2") return *s.gain_std_error;
    }
    return std::nan("");
  };
  EXPECT_NEAR(error(after) / error(found), expected, 0.2);
}

TEST(Collinear, AnMvLeftOutBesideOneThatMovedWithItCannotBeToldApart) {
  // Little of their own, both with half of the effect: where the tests keep only one of them, its
  // gain holds that of the other.
  int one_left_out = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const auto data = train_dataset({together(600, 0.03, 1, seed)}, "uuy");
    const auto found = identify_arx(data);
    const auto& e = found.findings.excitation;
    if (e[0].left_out == e[1].left_out) continue;
    ++one_left_out;
    for (const auto& c : judged_collinear(data, found)) {
      const bool gone = (c.mv == "u1" ? e[0] : e[1]).left_out;
      EXPECT_EQ(c.unseparable, gone) << "seed " << seed << ", " << c.mv;
    }
  }
  EXPECT_GE(one_left_out, 1);
}

TEST(Collinear, OneThatMovedTogetherButHasNoEffectIsTold) {
  // Enough moves of its own to say that u2 does nothing: u1's gain is certain.
  const Matrix x = together(4000, 0.4, 0, 4);
  const auto data = train_dataset({x}, "uuy");
  const auto found = identify_arx(data);
  ASSERT_TRUE(found.findings.excitation[1].left_out);
  ASSERT_FALSE(found.findings.collinear.empty());
  for (const auto& c : judged_collinear(data, found)) EXPECT_FALSE(c.unseparable);
}

}  // namespace
}  // namespace flyball::diagnose
