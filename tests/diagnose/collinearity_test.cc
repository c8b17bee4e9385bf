// MVs that moved together are named with their combination, and the move that is proposed does what
// is said of it.
#include "diagnose/collinearity.h"

#include <gtest/gtest.h>

#include "identify/collinear.h"
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

/// u2 = u1 `shift` steps ago + own noise; y answers both at different dead times.
Matrix copies(Index rows, double own, Index shift, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 8, random);
  for (Index t = 0; t < rows; ++t)
    x(t, 1) = x(std::max<Index>(t - shift, 0), 0) + own * random.normal();
  Vector y = first_order(x.col(0), 5, 0.85, 3) + first_order(x.col(1), -4, 0.85, 9);
  for (Index t = 0; t < rows; ++t) y(t) += kSigma * random.normal();
  x.col(2) = y;
  return x;
}

const identify::StepResponse* answer_of(const identify::IdentifyResult& r, const std::string& mv) {
  const auto& list = r.findings.step_responses;
  const auto it = std::ranges::find(list, mv, &identify::StepResponse::input);
  return it == list.end() ? nullptr : &*it;
}

TEST(Collinear, CopiesAreNotToldApartByDifferentDeadTimes) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    for (const auto& [own, shift] : {std::pair{0.0, Index{0}}, {1e-3, 0}, {1e-3, 4}}) {
      const auto found = identify_arx(train_dataset({copies(1500, own, shift, seed)}, "uuy"));
      const auto& f = found.findings;
      ASSERT_EQ(f.collinear.size(), 2u) << seed;
      EXPECT_TRUE(f.collinear[1].unseparable) << seed << ", " << own;
      EXPECT_EQ(f.collinear[1].with, "u1");
      EXPECT_FALSE(f.excitation[0].left_out);
      EXPECT_TRUE(f.excitation[1].left_out) << seed << ", " << own;
      ASSERT_NE(answer_of(found, "u1"), nullptr);
      EXPECT_NEAR(*answer_of(found, "u1")->gain, 1, 0.3) << "the effect of both";
      const auto moves =
          separating_moves(train_dataset({copies(1500, own, shift, seed)}, "uuy"), found);
      ASSERT_EQ(moves.size(), 2u);
      EXPECT_GT(moves[1].step, 0);
    }
  }
}

TEST(Collinear, EnoughMovesOfItsOwnTellBothGains) {
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    const auto found = identify_arx(train_dataset({copies(3000, 0.2, 0, seed)}, "uuy"));
    EXPECT_FALSE(found.findings.collinear.empty()) << seed;
    for (const auto& c : found.findings.collinear) EXPECT_FALSE(c.unseparable) << seed;
    const auto *a = answer_of(found, "u1"), *b = answer_of(found, "u2");
    ASSERT_TRUE(a != nullptr && b != nullptr) << seed;
    EXPECT_NEAR(*a->gain, 5, 4 * *a->gain_std_error);
    EXPECT_NEAR(*b->gain, -4, 4 * *b->gain_std_error);
  }
}

TEST(Collinear, TwoRelatedToAThirdLeaveTheOthersIn) {
  math::Random random(6);
  Matrix x(1500, 4);
  x.col(0) = random_steps(1500, 8, random);
  x.col(1) = random_steps(1500, 6, random);
  x.col(2) = x.col(0) + x.col(1);
  x.col(3) = first_order(x.col(0), 2, 0.8, 3) + first_order(x.col(1), 1, 0.8, 2);
  for (double& v : x.col(3)) v += kSigma * random.normal();
  const auto f = identify_arx(train_dataset({x}, "uuuy")).findings;
  EXPECT_FALSE(f.excitation[0].left_out);
  EXPECT_FALSE(f.excitation[1].left_out);
  EXPECT_TRUE(f.excitation[2].left_out);
}

TEST(Collinear, IndependentMovesAreNotAccused) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    EXPECT_TRUE(identify_arx(train_dataset({identify::two_lags(400, 20, random)}, "uuy"))
                    .findings.collinear.empty());
  }
}

TEST(Collinear, OneThatMovedTogetherButHasNoEffectIsTold) {
  // Enough moves of its own to say that u2 does nothing: u1's gain is certain.
  const Matrix x = together(4000, 0.4, 0, 4);
  const auto found = identify_arx(train_dataset({x}, "uuy"));
  ASSERT_TRUE(found.findings.excitation[1].left_out);
  ASSERT_FALSE(found.findings.collinear.empty());
  for (const auto& c : found.findings.collinear) EXPECT_FALSE(c.unseparable);
}

TEST(Collinear, ASpuriousLateDeadTimeDoesNotShareAnEffect) {
  // u2 is u1 with a twentieth of its own; alone, a late dead time of u2 fits what u1 leaves over,
  // and the model then has 1 and 0 for gains of 2 and −1.
  int passed_wrong = 0;
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    math::Random random(seed);
    Matrix x(1500, 3);
    const auto stairs = [&](Index c, double share) {
      double level = 0;
      for (Index t = 0; t < 1500; ++t) {
        if (t == 0 || random.uniform() < 1.0 / 35) level = random.normal();
        x(t, c) = share * level;
      }
    };
    stairs(0, 1);
    stairs(1, 0.05);
    x.col(1) += x.col(0);
    x.col(2) = identify::first_order(x.col(0), 2, 0.905, 4) +
               identify::first_order(x.col(1), -1, 0.951, 4);
    for (Index t = 0; t < 1500; ++t) x(t, 2) += 0.05 * random.normal();
    const auto found = identify_arx(train_dataset({x}, "uuy"));
    const bool told =
        std::ranges::any_of(found.findings.collinear, &identify::Collinear::unseparable);
    bool right = true;
    for (const auto& s : found.findings.step_responses) {
      const double truth = s.input == "u1" ? 2 : -1;
      right &= std::abs(*s.gain - truth) <= 1.96 * *s.gain_std_error;
    }
    passed_wrong += !told && !right ? 1 : 0;
  }
  EXPECT_EQ(passed_wrong, 0);
}

}  // namespace
}  // namespace flyball::diagnose
