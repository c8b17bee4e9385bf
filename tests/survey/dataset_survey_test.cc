// What the train part of a dataset tells, by known truth.
#include <gtest/gtest.h>

#include "identify/plants.h"
#include "identify/records.h"
#include "support/expect_error.h"
#include "survey/line.h"

namespace flyball::survey {
namespace {

using identify::first_order;
using identify::random_steps;
using identify::record_dataset;
using identify::train_dataset;

DatasetSurvey survey(const dataset::Dataset& d) {
  return survey_dataset(d, {});
}

/// u → y with pole, dead time and noise.
Matrix siso(Index rows, double pole, Index lag, double decibel, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 2);
  x.col(0) = random_steps(rows, 8, random);
  Vector y = first_order(x.col(0), 2, pole, lag);
  identify::add_noise(y, decibel, random);
  x.col(1) = y;
  return x;
}

TEST(DatasetSurvey, AGoodRecordGivesNoProposalAndItsDeadTime) {
  int told = 0, right = 0, correlated = 0;
  constexpr int kSeeds = 40;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    const DatasetSurvey s = survey(train_dataset({siso(1500, 0.9, 4, 25, seed)}, "uy"));
    for (const Proposal& p : s.proposals) ADD_FAILURE() << seed << ": " << p.text;
    told += static_cast<int>(s.proposals.size());
    const PairFacts& pair = s.pairs.at(0);
    right += pair.dead_time.found && pair.dead_time.steps == 4 ? 1 : 0;
    correlated += pair.lag == 4 && std::abs(pair.lag_r) > pair.bound ? 1 : 0;
    EXPECT_LE(pair.dead_time.low, 4);
    EXPECT_GE(pair.dead_time.high, 4);
  }
  EXPECT_EQ(told, 0);
  EXPECT_GE(right, kSeeds * 9 / 10);
  EXPECT_GE(correlated, kSeeds * 9 / 10);
}

TEST(DatasetSurvey, TwoInputsThatDoNothingAreNotFoundActive) {
  int active = 0, beyond = 0, pairs = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    math::Random random(seed);
    Matrix x(1200, 3);
    x.col(0) = random_steps(1200, 8, random);
    x.col(1) = random_steps(1200, 12, random);
    Vector e(1200);
    double level = 0;
    for (Index t = 0; t < 1200; ++t) e(t) = level = 0.8 * level + random.normal();
    x.col(2) = e;
    const DatasetSurvey s = survey(train_dataset({x}, "uuy"));
    for (const PairFacts& p : s.pairs) {
      ++pairs;
      active += p.dead_time.active ? 1 : 0;
      const double largest =
          std::max({std::abs(p.lag_r), std::abs(p.lead_r), std::abs(p.same_step_r)});
      beyond += largest > p.bound ? 1 : 0;
    }
    EXPECT_FALSE(has_code(s.proposals, "SURVEY_MAY_FEED_BACK")) << seed;
  }
  EXPECT_LE(active, pairs * 5 / 100 + 1) << "of " << pairs;
  EXPECT_LE(beyond, pairs * 8 / 100) << "of " << pairs;
}

TEST(DatasetSurvey, ReadsTheTrainPartOnly) {
  Matrix x = siso(2000, 0.9, 3, 25, 1);
  const auto before = to_json_value(survey(record_dataset(x, "uy"))).dump();
  x.bottomRows(1000).array() *= -7;
  x.bottomRows(1000).array() += 100;
  EXPECT_EQ(to_json_value(survey(record_dataset(x, "uy"))).dump(), before);
}

TEST(DatasetSurvey, DoesNotDependOnUnits) {
  const Matrix x = siso(2000, 0.9, 3, 25, 2);
  const DatasetSurvey a = survey(train_dataset({x}, "uy"));
  const DatasetSurvey b = survey(train_dataset({(1000 * x.array() + 273.15).matrix()}, "uy"));
  EXPECT_EQ(codes(a.proposals), codes(b.proposals));
  EXPECT_EQ(a.pairs[0].dead_time.steps, b.pairs[0].dead_time.steps);
  EXPECT_NEAR(a.pairs[0].lag_r, b.pairs[0].lag_r, 1e-9);
  EXPECT_NEAR(a.correlations.matrix[0][1], b.correlations.matrix[0][1], 1e-9);
  EXPECT_EQ(a.cvs[0].rise_steps, b.cvs[0].rise_steps);
}

TEST(DatasetSurvey, CorrelationIsPearsons) {
  Matrix x(4, 2);
  x << 1, 2, 2, 1, 3, 4, 4, 3;
  const auto r = survey(train_dataset({x}, "uy")).correlations.matrix;
  EXPECT_NEAR(r[0][1], 0.6, 1e-12);
  EXPECT_NEAR(r[0][0], 1, 1e-12);
}

TEST(DatasetSurvey, CollinearInputsAreNamedWithTheirCombination) {
  math::Random random(3);
  Matrix x(1000, 5);
  for (Index m = 0; m < 3; ++m) x.col(m) = random_steps(1000, 6 + m, random);
  x.col(3) = x.col(0) + x.col(1);
  for (Index t = 0; t < 1000; ++t) x(t, 3) += 0.001 * random.normal();
  x.col(4) = first_order(x.col(0), 1, 0.8, 2);
  const DatasetSurvey s = survey(train_dataset({x}, "uuuuy"));
  const Proposal* p = find_code(s.proposals, "SURVEY_COLLINEAR");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->tags, (std::vector<std::string>{"u1", "u2", "u4"}));
  EXPECT_GT(*s.collinearity.condition, 30);
  EXPECT_GT(s.collinearity.weights[3].inflation, 1000);
  EXPECT_LT(s.collinearity.weights[2].inflation, 2);
  x.col(3) = 2 * x.col(0) + x.col(1);
  const DatasetSurvey exact = survey(train_dataset({x}, "uuuuy"));
  EXPECT_FALSE(exact.collinearity.condition) << "infinite";
  EXPECT_EQ(exact.collinearity.weights[0].inflation, -1);
  x.col(3) = -3 * x.col(2);
  EXPECT_NEAR(survey(train_dataset({x}, "uuuuy")).correlations.strong.at(0).r, -1, 1e-12);
}

TEST(DatasetSurvey, InputsThatRestOrHardlyMoveAreNamed) {
  Matrix x = siso(1000, 0.9, 3, 25, 4);
  Matrix wider(1000, 4);
  wider << x.col(0), Vector::Constant(1000, 100), x.col(0), x.col(1);
  for (Index t = 0; t < 1000; ++t) wider(t, 2) = t < 400 ? 0 : 1;
  const DatasetSurvey s = survey(train_dataset({wider}, "uuuy"));
  EXPECT_EQ(find_code(s.proposals, "SURVEY_NOT_MOVED")->tags[0], "u2");
  EXPECT_EQ(find_code(s.proposals, "SURVEY_NOT_EXCITED")->tags[0], "u3");
  EXPECT_EQ(s.variables[2].excitation->moves, 1);
}

TEST(DatasetSurvey, ALoopIsSuspectedAndOpenLoopIsNot) {
  int computed = 0, suspected = 0;
  constexpr int kSeeds = 20;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    math::Random random(seed);
    const auto loop = [&](double dither) {
      Matrix x(1500, 2);
      double y = 0, d = 0, sum = 0;
      for (Index t = 0; t < 1500; ++t) {
        d = 0.9 * d + 0.3 * random.normal();
        sum += y + d;
        const double u = -0.8 * (y + d) - 0.05 * sum + dither * random.normal();
        x(t, 0) = u;
        x(t, 1) = y + d;
        y = 0.8 * y + 0.2 * u;
      }
      return survey(train_dataset({x}, "uy"));
    };
    computed += has_code(loop(0).proposals, "SURVEY_FEEDBACK") ? 1 : 0;
    suspected += has_code(loop(0.1).proposals, "SURVEY_MAY_FEED_BACK") ? 1 : 0;
  }
  EXPECT_GE(computed, kSeeds * 9 / 10);
  EXPECT_GE(suspected, kSeeds * 9 / 10);
}

TEST(DatasetSurvey, ALevelIsSuspectedToIntegrateAndAFirstOrderPlantIsNot) {
  int levels = 0, plants = 0;
  constexpr int kSeeds = 30;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    math::Random random(seed);
    Matrix x(1500, 2);
    x.col(0) = random_steps(1500, 8, random);
    double level = 0;
    for (Index t = 0; t < 1500; ++t) {
      x(t, 1) = level + 0.05 * random.normal();
      level += 0.05 * x(t, 0);
    }
    const DatasetSurvey s = survey(train_dataset({x}, "uy"));
    const Proposal* p = find_code(s.proposals, "SURVEY_MAY_INTEGRATE");
    levels += p != nullptr && p->field == "--integrating" && p->value == "y1" ? 1 : 0;
    plants +=
        survey(train_dataset({siso(1500, 0.97, 3, 25, seed)}, "uy")).cvs[0].may_integrate ? 1 : 0;
  }
  EXPECT_GE(levels, kSeeds * 9 / 10);
  EXPECT_EQ(plants, 0);
}

TEST(DatasetSurvey, ABeatFarShorterThanTheAnswerIsProposedLonger) {
  math::Random random(5);
  Matrix x(12000, 2);
  x.col(0) = random_steps(12000, 400, random);
  x.col(1) = first_order(x.col(0), 2, std::exp(-1.0 / 200), 5);
  for (Index t = 0; t < 12000; ++t) x(t, 1) += 0.001 * random.normal();
  const DatasetSurvey s = survey(train_dataset({x}, "uy"));
  EXPECT_NEAR(static_cast<double>(s.cvs[0].rise_steps.value_or(0)), 204, 20);
  const Proposal* p = find_code(s.proposals, "SURVEY_BEAT_SHORT");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->field, "--beat");
  EXPECT_NEAR(static_cast<double>(parse_duration(p->value)) / kSecond, 10, 1);
}

TEST(DatasetSurvey, AHeldCvOnTheGridIsNamedWithItsBeat) {
  Matrix x = siso(1500, 0.97, 3, 30, 6);
  for (Index t = 0; t < 1500; ++t) x(t, 1) = x(t - t % 5, 1);
  const DatasetSurvey s = survey(train_dataset({x}, "uy"));
  const Proposal* p = find_code(s.proposals, "SURVEY_HELD_ON_GRID");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->value, "5s");
}

TEST(DatasetSurvey, ARunOfAnotherKindAndASparseAndADroppedOneAreNamed) {
  std::vector<Matrix> runs;
  for (std::uint32_t i = 0; i < 8; ++i) runs.push_back(siso(300, 0.9, 3, 25, 10 + i));
  runs[5].col(1).array() += 8;
  runs[2].col(1).head(200).setConstant(NAN);
  dataset::Report report;
  report.runs_dropped.push_back({"R9", "RUN_TOO_SHORT", "12 steps"});
  const DatasetSurvey s = survey_dataset(train_dataset(runs, "uy"), report);
  const Proposal* differs = find_code(s.proposals, "SURVEY_RUN_DIFFERS");
  ASSERT_NE(differs, nullptr);
  EXPECT_EQ(differs->params["run"]["value"], "R6");
  EXPECT_EQ(std::ranges::count(codes(s.proposals), "SURVEY_RUN_DIFFERS"), 1);
  EXPECT_EQ(find_code(s.proposals, "SURVEY_RUN_SPARSE")->params["run"]["value"], "R3");
  EXPECT_EQ(find_code(s.proposals, "SURVEY_RUN_DROPPED")->params["run"]["value"], "R9");
  EXPECT_NEAR(s.runs[2].usable_share, 1.0 / 3, 1e-12);
}

TEST(DatasetSurvey, ATrainPartWithoutARowIsRefused) {
  dataset::Dataset d = record_dataset(siso(100, 0.9, 3, 25, 1), "uy");
  d.blocks.erase(d.blocks.begin());
  EXPECT_ERROR(survey(d), "TRAIN_PART_EMPTY");
}

TEST(DatasetSurvey, AVeryShortTrainPartIsAnAnswer) {
  const DatasetSurvey s = survey(train_dataset({siso(6, 0.9, 1, 25, 1)}, "uy"));
  EXPECT_EQ(s.pairs.size(), 1u);
  EXPECT_FALSE(s.pairs[0].dead_time.active);
}

}  // namespace
}  // namespace flyball::survey
