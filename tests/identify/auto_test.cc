#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "identify/identify_auto.h"
#include "identify/identify_lags.h"
#include "identify/plants.h"
#include "identify/records.h"
#include "identify/refine_lags.h"

namespace flyball::identify {
namespace {

TEST(Trials, ScoreOfTheArxIsThatOfItsOrderSearch) {
  math::Random random(8);
  const auto d = train_dataset({TwoByTwo::run(1500, 20, random)}, "uuyy");
  const IdentifyResult arx = identify_arx(d);
  const TrainingData data = training_data(d);
  for (Index j = 0; j < 2; ++j) {
    const CvFinding& found = arx.findings.cvs[static_cast<std::size_t>(j)];
    const Trial t = try_arx(context_of(data, j, arx), found);
    EXPECT_NEAR(t.score, *found.score, 0.01 * *found.score);
    EXPECT_EQ(t.fit.arx.structure.parameters(), found.parameters);
  }
}

TEST(Auto, GainsHoldUnderWhiteOutputNoise) {
  math::Random random(9);
  const AutoResult r = identify_auto(train_dataset({two_lags(1500, 20, random)}, "uuy"));
  const auto chosen = std::ranges::find(r.leaderboard, "chosen", &LeaderboardRow::reason);
  ASSERT_NE(chosen, r.leaderboard.end());
  for (const StepResponse& s : r.result.findings.step_responses) {
    EXPECT_NEAR(*s.gain, s.input == "u1" ? 0.6 : -1.5, 4 * *s.gain_std_error);
    EXPECT_LT(*s.gain_std_error, 0.05);
  }
  for (const LeaderboardRow& row : r.leaderboard) EXPECT_FALSE(row.reason.empty());
}

TEST(Auto, BandsOfGainsCoverTheTruthWhateverWasChosen) {
  int covered = 0;
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    math::Random random(seed);
    const AutoResult r = identify_auto(train_dataset({two_lags(600, 26, random)}, "uuy"));
    for (const StepResponse& s : r.result.findings.step_responses) {
      const double truth = s.input == "u1" ? 0.6 : -1.5;
      covered += std::abs(*s.gain - truth) <= 1.96 * *s.gain_std_error ? 1 : 0;
    }
  }
  // Binomial(24, 0.95): P(fewer than 20) = 0.6 %. The bands of ARX hold the truth in one of eight.
  EXPECT_GE(covered, 20);
}

TEST(Auto, IsStableAndFollowsEqualsWithUnits) {
  math::Random random(10);
  const Matrix x = TwoByTwo::run(800, 15, random);
  const AutoResult a = identify_auto(train_dataset({x}, "uuyy"));
  const AutoResult b = identify_auto(train_dataset({(x.array() * 1000 + 273.15).matrix()}, "uuyy"));
  EXPECT_LT(model::spectral_radius(a.result.model), 1 - 1e-6);
  EXPECT_LT((model::dc_gain(a.result.model) - model::dc_gain(b.result.model)).cwiseAbs().maxCoeff(),
            1e-4);
}

TEST(Auto, SameDataGiveTheSameBytes) {
  math::Random random(11);
  const auto d = train_dataset({TwoByTwo::run(600, 20, random)}, "uuyy");
  const AutoResult a = identify_auto(d), b = identify_auto(d);
  EXPECT_EQ(a.result.model.A, b.result.model.A);
  EXPECT_EQ(to_json(a.result.findings).dump(), to_json(b.result.findings).dump());
}

TEST(Auto, AnyNumberOfThreadsGivesTheSameBytes) {
  math::Random random(12);
  const auto d = train_dataset({TwoByTwo::run(500, 20, random)}, "uuyy");
  const auto with = [&](unsigned threads) {
    ArxOptions options;
    options.threads = threads;
    return identify_auto(d, options);
  };
  const AutoResult one = with(1), many = with(4);
  EXPECT_EQ(to_json(one.result.findings), to_json(many.result.findings));
  EXPECT_EQ(one.result.model.A, many.result.model.A);
  EXPECT_EQ(one.result.model.K, many.result.model.K);
  ASSERT_EQ(one.leaderboard.size(), many.leaderboard.size());
  for (std::size_t i = 0; i < one.leaderboard.size(); ++i)
    EXPECT_EQ(to_json_value(one.leaderboard[i]), to_json_value(many.leaderboard[i]));
}

TEST(Auto, DeclaredLevelStaysAnIntegrator) {
  math::Random random(12);
  const Index n = 1200;
  Matrix x(n, 2);
  x.col(0) = random_steps(n, 8, random);
  double level = 0;
  for (Index t = 0; t < n; ++t) {
    x(t, 1) = level + 0.05 * random.normal();
    level += t >= 3 ? 0.1 * x(t - 3, 0) : 0;
  }
  auto d = train_dataset({x}, "uy");
  d.spec.variables[1].integrating = true;
  const AutoResult r = identify_auto(d);
  EXPECT_EQ(r.result.model.integrators, 1);
  const Matrix s = model::step_response(r.result.model, 0, 60);
  EXPECT_NEAR(s(59, 0) - s(49, 0), 1.0, 0.1) << "0.1 a step";
}

TEST(Auto, ShortRecordsEndInAModelOrANamedError) {
  math::Random random(13);
  const Matrix x = two_lags(200, 20, random);
  for (Index rows = 10; rows < 150; rows += 7) {
    try {
      const AutoResult r = identify_auto(train_dataset({x.topRows(rows)}, "uuy"));
      EXPECT_LT(model::spectral_radius(r.result.model), 1);
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == "DATA_TOO_SHORT" || e.code() == "MODEL_UNSTABLE") << e.what();
    }
  }
}

TEST(Lags, PairsOfARecordInItsUnits) {
  math::Random random(5);
  const std::vector<LagPair> pairs{{0, 2, 9, 0, 3.4}, {1, -0.7, 15, 0, 6.2}};
  Matrix x(1500, 3);
  x.col(0) = random_steps(1500, 5, random);
  x.col(1) = random_steps(1500, 8, random);
  x.col(2).setConstant(20);
  for (const LagPair& p : pairs) x.col(2) += p.gain * lag_response(x.col(p.input), p).col(0);
  for (Index t = 0; t < 1500; ++t) x(t, 2) += 0.1 * random.normal();
  auto d = train_dataset({x}, "uuy");
  d.spec.beat_ms = 10000;
  const std::vector<LagModel> models = identify_lags(d, identify_arx(d));
  ASSERT_EQ(models.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(models[i].input, i == 0 ? "u1" : "u2");
    EXPECT_NEAR(models[i].gain, pairs[i].gain, 4 * models[i].gain_std_error);
    EXPECT_NEAR(models[i].time_constant, 10 * pairs[i].tau1, 4 * models[i].time_constant_std_error);
    EXPECT_NEAR(models[i].dead_time, 10 * pairs[i].theta, 4 * models[i].dead_time_std_error);
    EXPECT_EQ(models[i].second_time_constant, 0) << "a second lag is not needed";
  }
}

}  // namespace
}  // namespace flyball::identify
