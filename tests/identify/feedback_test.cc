// Is an MV in a loop? The test's false alarms and its power, over many records.
#include "identify/feedback.h"

#include <gtest/gtest.h>

#include <functional>

#include "identify/loops.h"
#include "identify/plants.h"
#include "identify/records.h"
#include "testbed/signals.h"

namespace flyball::identify {
namespace {

Feedback judged(const Matrix& x, const std::string& roles = "uy") {
  const TrainingData data = training_data(train_dataset({x}, roles));
  return feedback_of(data, std::vector<bool>(static_cast<std::size_t>(data.nu()), true)).front();
}

Vector coloured(Index rows, double pole, double sigma, math::Random& random) {
  Vector w = Vector::Zero(rows);
  for (Index t = 1; t < rows; ++t) w(t) = pole * w(t - 1) + sigma * random.normal();
  return w;
}

int alarms(Index lag, double pole, int seeds, const std::function<Vector(math::Random&)>& signal) {
  int out = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    math::Random random(static_cast<std::uint32_t>(seed));
    const Vector u = signal(random);
    Matrix x(u.size(), 2);
    x << u, first_order(u, 2, 0.95, lag) + coloured(u.size(), pole, 0.3, random);
    out += judged(x).in_loop ? 1 : 0;
  }
  return out;
}

TEST(FeedbackTest, OpenLoopIsRarelyCalledALoop) {
  for (const double pole : {0.0, 0.5, 0.9, 0.98}) {
    EXPECT_LE(alarms(3, pole, 100, [](math::Random& r) { return testbed::gbn(600, 1, 10, 1, r); }),
              2)
        << pole;
  }
}

TEST(FeedbackTest, HeldStepsAndDirectAnswersAreNotTakenForALoop) {
  EXPECT_LE(alarms(3, 0.9, 100, [](math::Random& r) { return random_steps(600, 8, r); }), 2);
  EXPECT_LE(
      alarms(3, 0.9, 100, [](math::Random& r) { return testbed::staircase(600, 1, 40, 1, r); }), 2);
  EXPECT_LE(alarms(0, 0.9, 100, [](math::Random& r) { return testbed::gbn(600, 1, 10, 1, r); }), 2);
}

TEST(FeedbackTest, ALoopIsSeenWhateverMovesIt) {
  int by_mv = 0, by_set_point = 0;
  double probability = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    LoopSettings loop;
    loop.mv_moves = 0.3;
    const Feedback a = judged(pi_loop(loop, seed).leftCols(2));
    loop.mv_moves = 0;
    loop.set_point_moves = 1;
    const Feedback b = judged(pi_loop(loop, seed).leftCols(2));
    by_mv += a.in_loop ? 1 : 0;
    by_set_point += b.in_loop ? 1 : 0;
    probability += *b.probability / 40;
    EXPECT_EQ(a.direction, -1) << "the MV falls when the CV rises";
    EXPECT_EQ(b.direction, -1);
    EXPECT_EQ(a.cv, "y1");
  }
  EXPECT_GE(by_mv, 38);
  EXPECT_GE(by_set_point, 36);
  EXPECT_GT(probability, 0.85);
}

TEST(FeedbackTest, ADirectAnswerAloneIsOneInTwo) {
  math::Random random(3);
  const Vector u = testbed::gbn(800, 1, 10, 1, random) + 1e-6 * coloured(800, 0, 1, random);
  Matrix x(800, 2);
  x << u, first_order(u, 2, 0.9, 0) + coloured(800, 0.9, 0.3, random);
  const Feedback f = judged(x);
  EXPECT_LT(*f.same_step_p_value, 1e-4);
  EXPECT_FALSE(f.in_loop);
  EXPECT_NEAR(*f.probability, 0.5, 0.02);
}

TEST(FeedbackTest, WhatAnswersAnMvThatRestsIsNoController) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    const Vector u = testbed::gbn(800, 1, 10, 1, random);
    Matrix x(800, 2);
    x << u, 50 + (2 * u + coloured(800, 0, 0.05, random)).array();
    const Feedback f = judged(x);
    EXPECT_TRUE(f.rests);
    EXPECT_LT(*f.variance_kept, 0.01) << "or this test could not fail";
    EXPECT_FALSE(f.computed_from_cvs);
    EXPECT_FALSE(f.in_loop);
  }
}

TEST(FeedbackTest, UnitsDoNotMatter) {
  Matrix x = pi_loop({.mv_moves = 0.3}, 4).leftCols(2);
  const Feedback a = judged(x);
  x = (x.array() * 1000 + 273.15).matrix();
  const Feedback b = judged(x);
  EXPECT_NEAR(*a.p_value, *b.p_value, 1e-6 * *a.p_value);
  EXPECT_NEAR(b.mv_move, 1000 * a.mv_move, 1e-6 * b.mv_move);
  EXPECT_NEAR(b.cv_move, 1000 * a.cv_move, 1e-6 * b.cv_move);
}

TEST(FeedbackTest, TheOtherMvOfARecordIsNotDrawnIn) {
  int first = 0, second = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    math::Random random(seed + 1000);
    const Matrix loop = pi_loop({.mv_moves = 0.3}, seed);
    Matrix x(loop.rows(), 3);
    x << loop.col(0), testbed::gbn(loop.rows(), 1, 12, 1, random), loop.col(1);
    const TrainingData data = training_data(train_dataset({x}, "uuy"));
    const auto f = feedback_of(data, {true, true});
    first += f[0].in_loop ? 1 : 0;
    second += f[1].in_loop ? 1 : 0;
  }
  EXPECT_GE(first, 38);
  EXPECT_LE(second, 1);
}

}  // namespace
}  // namespace flyball::identify
