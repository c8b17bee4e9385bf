#include "evaluate/residual_tests.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/bootstrap.h"
#include "evaluate/plant.h"

namespace flyball::evaluate {
namespace {

using dataset::Part;
using testing::known_plant;
using testing::make_dataset;

TEST(Residuals, OfTheTrueModelAreWhiteAndKnowNothingOfTheInputs) {
  int white = 0, clean = 0;
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const auto data =
        make_dataset(known_plant(), {.rows = 2400, .noise = 0.1, .history = 60, .seed = seed});
    const auto scores = score_part(data, Part::test, predict_with(known_plant()), {60, 1});
    const ResidualTest test = residual_tests(data, scores.residuals)[0];
    white += test.white ? 1 : 0;
    clean += std::abs(test.inputs[0].positive[3]) <= test.inputs[0].bound ? 1 : 0;
  }
  EXPECT_GE(white, 18);
  EXPECT_GE(clean, 18);
}

TEST(Residuals, OfAModelWithoutAnInputShowItAtPositiveLags) {
  const auto data = make_dataset(known_plant(), {.rows = 2400, .noise = 0.05});
  auto blind = known_plant();
  blind.B.col(0).setZero();
  const auto scores = score_part(data, Part::test, predict_with(blind), {30, 1});
  const auto tests = residual_tests(data, scores.residuals);
  EXPECT_TRUE(tests[0].inputs[0].misses_dynamics);
  EXPECT_FALSE(tests[0].white);
  EXPECT_TRUE(tests[1].white) << "y2 does not need mv1";
  EXPECT_EQ(tests[0].autocorrelation.size(), 25);
  EXPECT_EQ(tests[0].inputs[0].positive.size(), 26);
  EXPECT_EQ(tests[0].inputs[0].negative.size(), 25);
}

TEST(Residuals, ThatDriveAnInputShowAtNegativeLags) {
  auto data = make_dataset(known_plant(), {.rows = 2400, .noise = 0.1});
  const auto predict = predict_with(known_plant());
  auto scores = score_part(data, Part::test, predict, {30, 1});
  // mv2 now answers the residual of the step before.
  const BlockResiduals& r = scores.residuals[0];
  for (Index i = 1; i < r.errors.rows(); ++i) {
    if (!std::isnan(r.errors(i - 1, 0)))
      data.runs[0].values(r.first_step + i, 1) -= 5 * r.errors(i - 1, 0);
  }
  const auto tests = residual_tests(data, scores.residuals);
  EXPECT_TRUE(tests[0].inputs[1].feedback);
  EXPECT_LT(tests[0].inputs[1].negative[0], -tests[0].inputs[1].bound);
}

TEST(Residuals, DoNotPairAcrossBlocks) {
  auto data = make_dataset(known_plant(), {.rows = 100, .runs = 3});
  Matrix a = Matrix::Constant(40, 2, std::nan("")), b = a;
  for (Index i = 0; i < 40; ++i) {
    a.row(i).setConstant(i == 39 ? 10 : (i % 2 == 0 ? 0.1 : -0.1));
    b.row(i).setConstant(i == 0 ? 10 : (i % 2 == 0 ? 0.1 : -0.1));
  }
  const auto tests = residual_tests(data, {{"run0", 0, a}, {"run1", 0, b}});
  EXPECT_LT(std::abs(tests[0].autocorrelation[0]), 0.1) << "the two peaks are not neighbours";
}

TEST(Residuals, OfTooFewWindowsGiveNoTest) {
  const auto data = make_dataset(known_plant(), {.rows = 100, .runs = 3});
  const auto tests = residual_tests(data, {{"run0", 0, Matrix::Ones(5, 2)}});
  EXPECT_TRUE(tests[0].autocorrelation.empty());
  EXPECT_FALSE(tests[0].p_value.has_value());
  EXPECT_FALSE(tests[0].white);
}

TEST(Bootstrap, GivesTheSameIntervalForTheSameSeedAndCoversTheEstimate) {
  const auto data = make_dataset(known_plant(), {.rows = 2400, .noise = 0.1});
  const auto predict = predict_with(known_plant());
  const auto val = score_part(data, Part::val, predict, {30, 12});
  const auto test = score_part(data, Part::test, predict, {30, 12});
  const std::vector<double> std = {data.norm.std[3], data.norm.std[4]};
  const auto gap = [](double v, double t) { return (t - v) / v; };
  const auto a = bootstrap(val.residuals, test.residuals, std, {.block_steps = 12}, gap);
  const auto b = bootstrap(val.residuals, test.residuals, std, {.block_steps = 12}, gap);
  const auto c = bootstrap(val.residuals, test.residuals, std, {.block_steps = 12, .seed = 1}, gap);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->low, b->low);
  EXPECT_NE(a->low, c->low);
  const double estimate = gap(val.one_step.nrmse.value(), test.one_step.nrmse.value());
  EXPECT_LT(a->low, estimate);
  EXPECT_GT(a->high, estimate);
  EXPECT_FALSE(bootstrap(val.residuals, {}, std, {.block_steps = 12}, gap));
}

TEST(Bootstrap, ExistsFromTwelveErrorsHoweverLongTheHorizon) {
  const auto errors = [](Index n) {
    Matrix e(n, 1);
    for (Index i = 0; i < n; ++i) e(i, 0) = i % 3 == 0 ? 1 : 0.5;
    return std::vector<BlockResiduals>{{"run0", 0, e}};
  };
  const auto gap = [](double v, double t) { return (t - v) / v; };
  EXPECT_TRUE(bootstrap(errors(12), errors(12), {1}, {.block_steps = 60}, gap));
  EXPECT_FALSE(bootstrap(errors(11), errors(12), {1}, {.block_steps = 60}, gap));
}

}  // namespace
}  // namespace flyball::evaluate
