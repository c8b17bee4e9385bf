// Runs of one plant around levels of their own: gains come from the moves within the runs.
#include "identify/run_levels.h"

#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

constexpr double kGain = 2;

/// One run per level; u stands around `mean` of the run.
std::vector<Matrix> runs_at(const std::vector<double>& levels, const std::vector<double>& means,
                            Index rows, double sigma, std::uint32_t seed) {
  math::Random random(seed);
  std::vector<Matrix> out;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Matrix x(rows, 2);
    x.col(0) = random_steps(rows, 8, random);
    Vector y = first_order(x.col(0), kGain, 0.85, 3);
    // The run began at its mean long ago: the plant is settled there.
    x.col(0).array() += means[i];
    y.array() += kGain * means[i] + levels[i];
    for (double& v : y) v += sigma * random.normal();
    x.col(1) = y;
    out.push_back(x);
  }
  return out;
}

const StepResponse& answer(const IdentifyResult& r) {
  return r.findings.step_responses.at(0);
}

bool told(const IdentifyResult& r) {
  return std::ranges::count(r.findings.warnings, "RUN_LEVELS_DIFFER", &Message::code) == 1;
}

TEST(RunLevels, AreWhatTheCvSettlesAtWithTheInputsAtTheirMeans) {
  const std::vector<double> levels{0, 8, -6};
  const double sigma = 0.01;
  const auto d = training_data(train_dataset(runs_at(levels, {0, 3, -2}, 400, sigma, 1), "uy"));
  ASSERT_TRUE(d.has_run_levels(0));
  for (Index run = 0; run < 3; ++run) {
    const double mean = d.run_means(run, 0) * d.std(0) + d.mean(0);
    EXPECT_NEAR(d.run_levels(run, 0) * d.std(1) + d.mean(1),
                kGain * mean + levels[static_cast<std::size_t>(run)], 4 * sigma / std::sqrt(400));
  }
}

TEST(RunLevels, TheGainIsFoundWithinItsBandFromTwoToFiveRuns) {
  const std::vector<double> levels{0, 8, -6, 15, 3}, means{0, -2, 2, 1, -3};
  int inside = 0, all = 0;
  for (std::size_t runs = 2; runs <= 5; ++runs) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
      const auto r = identify_arx(train_dataset(
          runs_at({levels.begin(), levels.begin() + static_cast<long>(runs)},
                  {means.begin(), means.begin() + static_cast<long>(runs)}, 300, 0.1, seed),
          "uy"));
      EXPECT_TRUE(told(r)) << runs << ", " << seed;
      EXPECT_LT(*answer(r).gain_std_error, 0.1) << runs << ", " << seed;
      EXPECT_NEAR(*answer(r).gain, kGain, 0.15) << runs << ", " << seed;
      inside += std::abs(*answer(r).gain - kGain) < 1.96 * *answer(r).gain_std_error ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GE(inside, 33) << "of " << all << ": below it 95 % is refused at 0.1 %";
}

TEST(RunLevels, AutoFindsTheGainToo) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const auto r =
        identify_auto(train_dataset(runs_at({0, 8, -6}, {0, 3, -2}, 300, 0.1, seed), "uy"), {}, {});
    EXPECT_TRUE(told(r.result));
    EXPECT_NEAR(*answer(r.result).gain, kGain, 4 * *answer(r.result).gain_std_error);
    EXPECT_LT(*answer(r.result).gain_std_error, 0.1);
  }
}

TEST(RunLevels, OneLevelIsLeftAlone) {
  int accused = 0;
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const auto d =
        training_data(train_dataset(runs_at({1, 1, 1, 1}, {0, 3, -2, 1}, 200, 0.5, seed), "uy"));
    accused += d.has_run_levels(0) ? 1 : 0;
  }
  EXPECT_LE(accused, 2) << "0.1 % of 200";
}

TEST(RunLevels, WhatMovesOnlyBetweenRunsOfOneLevelIsKept) {
  // Both runs hold their inputs nearly still: the gain stands between them.
  const auto d = training_data(train_dataset(runs_at({0, 0}, {-5, 5}, 300, 0.1, 7), "uy"));
  EXPECT_FALSE(d.has_run_levels(0));
}

TEST(RunLevels, APredictionTakesTheLevelOfItsRunFromItsHistory) {
  const auto r = identify_arx(train_dataset(runs_at({0, 8, -6}, {0, 3, -2}, 400, 0.05, 3), "uy"));
  const Matrix fresh = runs_at({-20}, {1}, 400, 0, 99).front();
  const model::Record record{fresh.leftCols(1), fresh.rightCols(1)};
  model::Simulator simulator(r.model);
  const Index start = 100, steps = 300;
  simulator.start(record, start, r.history);
  Matrix out(steps, 1);
  simulator.rollout(record, start, r.history, steps, model::Future::measured, out);
  const Vector error = out.col(0) - fresh.col(1).segment(start, steps);
  EXPECT_LT(std::sqrt(error.squaredNorm() / steps), 0.1) << "the plant moves by 4";
}

}  // namespace
}  // namespace flyball::identify
