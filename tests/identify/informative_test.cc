// What a record cannot tell is said, not guessed.
#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

bool warned(const IdentifyResult& r, const std::string& code) {
  return std::ranges::any_of(r.findings.warnings, [&](const Message& m) { return m.code == code; });
}

TEST(Informative, ConstantMvIsLeftOut) {
  math::Random random(1);
  Matrix x(600, 3);
  x.col(0).setConstant(3);
  x.col(1) = random_steps(600, 8, random);
  Vector y = first_order(x.col(1), 5, 0.9, 5);
  add_noise(y, 30, random);
  x.col(2) = y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uuy"));
  EXPECT_TRUE(r.findings.excitation.at(0).constant);
  EXPECT_TRUE(r.findings.excitation.at(0).left_out);
  EXPECT_TRUE(warned(r, "INPUT_CONSTANT"));
  EXPECT_EQ(model::dc_gain(r.model)(0, 0), 0);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 1), 5, 0.2);
}

TEST(Informative, OneStepIsNotEnoughExcitation) {
  math::Random random(2);
  Matrix x(800, 2);
  x.col(0).setZero();
  x.col(0).tail(400).setOnes();
  Vector y = first_order(x.col(0), 2, 0.9, 3);
  add_noise(y, 20, random);
  x.col(1) = y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  EXPECT_EQ(r.findings.excitation.at(0).moves, 1);
  EXPECT_FALSE(r.findings.excitation.at(0).excited);
  EXPECT_TRUE(warned(r, "MV_NOT_EXCITED"));
}

TEST(Informative, MovesAndLevelsAreCounted) {
  math::Random random(2);
  Matrix x(400, 2);
  for (Index t = 0; t < 400; ++t) x(t, 0) = static_cast<double>((t / 20) % 4) * 0.5;
  x.col(1) = first_order(x.col(0), 2, 0.5, 1);
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  EXPECT_EQ(r.findings.excitation.at(0).moves, 19);
  EXPECT_EQ(r.findings.excitation.at(0).levels, 4);
}

TEST(Informative, SineExcitesTwoParameters) {
  math::Random random(3);
  Matrix x(600, 2);
  for (Index t = 0; t < 600; ++t) x(t, 0) = 5 * std::sin(0.3 * static_cast<double>(t));
  Vector y = first_order(x.col(0), 2, 0.8, 2);
  add_noise(y, 30, random);
  x.col(1) = y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  EXPECT_EQ(r.findings.excitation.at(0).persistence_order, 2);
  EXPECT_TRUE(warned(r, "PERSISTENCE_LOW"));
  EXPECT_LE(r.findings.cvs.at(0).nb, 2);
  EXPECT_FALSE(r.findings.dead_times.at(0).found) << "a sine fits any dead time";
}

/// Discrete PI loop around a first-order plant, no set-point moves, only a disturbance.
Matrix closed_loop(double own_moves) {
  math::Random random(4);
  const Index n = 1000;
  Matrix x(n, 2);
  double w = 0, plant = 0, integral = 0;
  for (Index t = 0; t < n; ++t) {
    w = 0.95 * w + 0.1 * random.normal();
    plant = 0.9 * plant + (t >= 3 ? 0.2 * x(t - 3, 0) : 0);
    const double y = plant + w;
    integral -= 0.05 * y;
    x(t, 0) = -0.8 * y + integral + own_moves * random.normal();
    x(t, 1) = y;
  }
  return x;
}

TEST(Informative, LoopWithoutExcitationIsFlagged) {
  const IdentifyResult r = identify_arx(train_dataset({closed_loop(0)}, "uy"));
  EXPECT_TRUE(r.findings.feedback.at(0).computed_from_cvs);
  EXPECT_LT(*r.findings.feedback.at(0).variance_kept, 0.01);
  EXPECT_TRUE(warned(r, "FEEDBACK_FOUND"));
  EXPECT_EQ(r.model.D.norm(), 0) << "lag 1 or more is used in a loop";
}

TEST(Informative, LoopWithItsOwnExcitationIsNot) {
  const IdentifyResult r = identify_arx(train_dataset({closed_loop(0.3)}, "uy"));
  EXPECT_FALSE(r.findings.feedback.at(0).computed_from_cvs);
  EXPECT_GT(*r.findings.feedback.at(0).variance_kept, 0.05);
}

TEST(Informative, OpenLoopKeepsNearlyAllVariance) {
  math::Random random(5);
  const Vector u = random_steps(800, 5, random);
  Matrix x(800, 2);
  x << u, first_order(u, 2, 0.8, 2);
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  EXPECT_GT(*r.findings.feedback.at(0).variance_kept, 0.9);
}

TEST(Informative, MvsThatMovedTogetherAreNamed) {
  math::Random random(6);
  Matrix x(800, 3);
  x.col(0) = random_steps(800, 8, random);
  for (Index t = 0; t < 800; ++t) x(t, 1) = x(t, 0) + 0.05 * random.normal();
  Vector y = first_order(x.col(0), 2, 0.9, 3) + first_order(x.col(1), 1, 0.9, 3);
  add_noise(y, 30, random);
  x.col(2) = y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uuy"));
  ASSERT_FALSE(r.findings.collinear.empty());
  EXPECT_EQ(r.findings.collinear.at(0).mv, "u1");
  EXPECT_EQ(r.findings.collinear.at(0).with, "u2");
  EXPECT_GT(r.findings.collinear.at(0).explained, 0.95);
}

TEST(Informative, LongDeadTimeWidensTheRange) {
  for (const Index lag : {20, 25, 40}) {
    math::Random random(7);
    const Vector u = random_steps(2000, 8, random);
    Vector y = first_order(u, 5, 0.9, lag);
    add_noise(y, 26, random);
    Matrix x(2000, 2);
    x << u, y;
    const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
    EXPECT_EQ(r.findings.dead_times.at(0).steps, lag);
    EXPECT_TRUE(r.findings.dead_times.at(0).found);
    EXPECT_GE(r.history, lag + 10);
  }
}

TEST(Informative, DeclaredDelayMovesTheRange) {
  math::Random random(7);
  const Vector u = random_steps(2000, 8, random);
  Vector y = first_order(u, 5, 0.9, 45);
  add_noise(y, 26, random);
  Matrix x(2000, 2);
  x << u, y;
  auto d = train_dataset({x}, "uy");
  d.spec.variables[0].delay_ms =
      44'000;  // floor(44)+1 = 45 is the first candidate, 44 is tried too
  const IdentifyResult r = identify_arx(d);
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 45);
  EXPECT_EQ(r.findings.dead_time_max, 20);
}

TEST(Informative, FeedThroughIsFoundAndSaid) {
  math::Random random(8);
  const Vector u = random_steps(900, 4, random);
  Vector y = first_order(u, 2, 0.8, 0);
  add_noise(y, 26, random);
  Matrix x(900, 2);
  x << u, y;
  const IdentifyResult r = identify_arx(train_dataset({x}, "uy"));
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 0);
  EXPECT_TRUE(r.findings.dead_times.at(0).feed_through);
  EXPECT_EQ(r.findings.dead_times.at(0).steps_after_0, 1);
  EXPECT_GT(r.model.D.norm(), 0);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 2, 0.1);
}

TEST(Informative, HolesThatLeaveNoWindowAreNamedAsTheCause) {
  math::Random random(4);
  Matrix x(2400, 2);
  x.col(0) = random_steps(2400, 15, random);
  x.col(1) = first_order(x.col(0), 2, 0.88, 4);
  for (Index t = 0; t < 2400; ++t) x(t, 1) += 0.05 * random.normal();
  for (Index t = 0; t < 2400; t += 8) x.row(t).setConstant(std::nan(""));
  try {
    (void)identify_arx(train_dataset({x}, "uy"));
    FAIL() << "no stretch is long enough";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "HOLES_TOO_CLOSE");
  }
}

}  // namespace
}  // namespace flyball::identify
