#include "evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/checks.h"
#include "evaluate/metrics.h"
#include "evaluate/plant.h"

namespace flyball::evaluate {
namespace {

using dataset::Part;
using testing::evaluate_known;
using testing::known_plant;
using testing::make_dataset;
using testing::PlantOptions;

TEST(Evaluate, FindsNoErrorInThePerfectModelOfANoiseFreePlant) {
  const auto data = make_dataset(known_plant(), {.history = 120});
  const Metrics m = evaluate_known(data, predict_with(known_plant())).metrics;
  EXPECT_LT(m.one_step_test.nrmse.value(), 1e-6);
  EXPECT_LT(m.one_step_val.nrmse.value(), 1e-6);
  for (const FreeRunFit& f : m.free_run_fit) EXPECT_NEAR(f.percent.value(), 100, 1e-3) << f.cv;
  EXPECT_GT(m.rollout_improvement.value(), 0.5);
}

TEST(Evaluate, CountsEveryWindowOfEachPart) {
  const PlantOptions o;
  const auto data = make_dataset(known_plant(), o);
  const Metrics m = evaluate_known(data, persistence()).metrics;
  const auto rows = data.part(Part::test)[0]->steps;
  EXPECT_EQ(m.test.windows, rows - o.history - o.horizon + 1);
  EXPECT_EQ(m.one_step_test.windows, m.test.windows);
  EXPECT_EQ(m.rollout_test.windows, m.persistence_test.windows);
  EXPECT_EQ(m.row_count, m.train.rows + m.val.rows + m.test.rows);
  EXPECT_EQ(m.test.runs, std::vector<std::string>{"run0"});
}

TEST(Evaluate, GivesPersistenceNoImprovementOverItself) {
  const auto data = make_dataset(known_plant(), {.noise = 0.05});
  const Metrics m = evaluate_known(data, persistence()).metrics;
  EXPECT_DOUBLE_EQ(m.rollout_improvement.value(), 0);
  EXPECT_EQ(to_json_value(m.rollout_test), to_json_value(m.persistence_test));
  EXPECT_EQ(to_json_value(m.one_step_test), to_json_value(m.one_step_persistence_test));
}

TEST(Evaluate, MatchesErrorsComputedFromTheDefinition) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  const Metrics m = evaluate_known(data, persistence()).metrics;
  const auto* block = data.part(Part::test)[0];
  const auto y = data.runs[0].values.col(4);
  const Index H = 10, F = 12;
  double pooled = 0, at_five = 0;
  Index n = 0;
  for (Index t = block->first_step + H; t + F <= block->first_step + block->steps; ++t) {
    for (Index k = 1; k <= F; ++k) pooled += std::pow(y(t - 1) - y(t + k - 1), 2);
    at_five += std::pow(y(t - 1) - y(t + 4), 2);
    ++n;
  }
  const CvScore& cv = m.rollout_test.per_target[1];
  EXPECT_NEAR(cv.rmse.value(), std::sqrt(pooled / static_cast<double>(n * F)), 1e-12);
  EXPECT_NEAR(cv.rmse_by_step[4], std::sqrt(at_five / static_cast<double>(n)), 1e-12);
  EXPECT_NEAR(cv.nrmse.value(), cv.rmse.value() / data.norm.std[4], 1e-12);
  EXPECT_EQ(cv.rmse_by_step.size(), 12);
}

TEST(Evaluate, PoolsRunsByTheirWindows) {
  const auto data = make_dataset(known_plant(), {.rows = 200, .runs = 6, .noise = 0.1});
  const Score s = evaluate_known(data, persistence()).metrics.rollout_test;
  ASSERT_EQ(s.per_run.size(), 2);
  double square = 0;
  for (const RunScore& r : s.per_run)
    square += static_cast<double>(r.windows) * r.nrmse_per_cv[0] * r.nrmse_per_cv[0];
  EXPECT_NEAR(s.per_target[0].nrmse.value(), std::sqrt(square / static_cast<double>(s.windows)),
              1e-12);
}

/// Multiplying every tag by 1000 and adding 273.15 may not change an answer (X-01, X-02).
TEST(Evaluate, DoesNotDependOnUnits) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  const auto predict = predict_with(known_plant());
  const Metrics a = evaluate_known(data, predict).metrics;
  for (const auto& [scale, offset] : {std::pair{1000.0, 273.15}, std::pair{1e-6, 0.0}}) {
    const Metrics b = evaluate_known(testing::in_other_units(data, scale, offset),
                                     testing::in_other_units(predict, scale, offset))
                          .metrics;
    EXPECT_NEAR(a.one_step_test.nrmse.value(), b.one_step_test.nrmse.value(), 1e-7);
    EXPECT_NEAR(a.rollout_improvement.value(), b.rollout_improvement.value(), 1e-7);
    for (std::size_t i = 0; i < a.free_run_fit.size(); ++i) {
      EXPECT_NEAR(a.free_run_fit[i].percent.value(), b.free_run_fit[i].percent.value(), 1e-5);
    }
    EXPECT_NEAR(a.step_answers[0].excursion.value(), b.step_answers[0].excursion.value(), 1e-6);
  }
}

/// A planted leak: the predictor reads the sample that it is asked for.
TEST(Evaluate, HidesTheFutureOfTheCvs) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  bool saw_future = false;
  const Predict peek = [&](const model::Record& record, Index t, Index steps,
                           Eigen::Ref<Matrix> out) {
    for (Index k = 0; k < steps; ++k) {
      for (Index j = 0; j < out.cols(); ++j) {
        saw_future = saw_future || !std::isnan(record.y(t + k, j));
        out(k, j) = std::isnan(record.y(t + k, j)) ? record.y(t - 1, j) : record.y(t + k, j);
      }
    }
  };
  const Metrics m = evaluate_known(data, peek).metrics;
  EXPECT_FALSE(saw_future);
  EXPECT_DOUBLE_EQ(m.rollout_improvement.value(), 0);
}

TEST(Evaluate, HoldsDisturbancesInRolloutsAndKnowsMvs) {
  const auto data = make_dataset(known_plant(), {});
  bool dv_moved = false, mv_moved = false;
  const Predict look = [&](const model::Record& record, Index t, Index steps,
                           Eigen::Ref<Matrix> out) {
    if (steps == 12) {
      dv_moved = dv_moved || (record.u.col(2).tail(steps).array() != record.u(t - 1, 2)).any();
      mv_moved = mv_moved || (record.u.col(0).tail(steps).array() != record.u(t - 1, 0)).any();
    }
    out.setZero();
  };
  evaluate_known(data, look);
  EXPECT_FALSE(dv_moved);
  EXPECT_TRUE(mv_moved);
}

/// Platform keys in what a trainer wrote of itself change nothing (X-03).
TEST(Evaluate, KeepsTheTrainersWordsApartFromItsOwn) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  Options options;
  const Json honest = to_json_value(evaluate(data, persistence(), options).metrics);
  options.agent_metrics = parse_json(
      R"({"platform":{"oneStepTest":{"nrmse":0.001}},"rolloutImprovement":0.99,"persistenceNrmse":9,
          "artifactKind":"static_response@1","oneStepTest":{"nrmse":0.001}})",
      "metrics.json");
  Json forged = to_json_value(evaluate(data, persistence(), options).metrics);
  EXPECT_EQ(forged["agent"], options.agent_metrics);
  forged["agent"] = honest["agent"];
  EXPECT_EQ(forged, honest);
}

TEST(Evaluate, LeavesNullWhereAPartIsMissing) {
  auto data = make_dataset(known_plant(), {});
  std::erase_if(data.blocks, [](const auto& b) { return b.split == Part::test; });
  const Metrics m = evaluate_known(data, predict_with(known_plant())).metrics;
  const Json j = to_json_value(m);
  EXPECT_TRUE(j["oneStepTest"]["nrmse"].is_null());
  EXPECT_TRUE(j["rolloutImprovement"].is_null());
  EXPECT_EQ(m.one_step_test.windows, 0);
  EXPECT_EQ(m.free_run_fit.size(), 4) << "train and val only";
}

TEST(Evaluate, LeavesNullWhereAPredictorDiverges) {
  const auto data = make_dataset(known_plant(), {});
  auto m = known_plant();
  m.A(0, 0) = 1000;  // beyond the largest double after about 100 steps
  const Metrics metrics = evaluate_known(data, predict_with(m)).metrics;
  EXPECT_FALSE(metrics.excursions[0].free_run.has_value());
  EXPECT_TRUE(metrics.excursions[1].free_run.has_value());
  for (const FreeRunFit& f : metrics.free_run_fit) EXPECT_EQ(f.percent.has_value(), f.cv == "y2");
  const Predict nowhere = [](const model::Record&, Index, Index, Eigen::Ref<Matrix>) {};
  const Metrics none = evaluate_known(data, nowhere).metrics;
  EXPECT_GT(none.one_step_test.windows, 0);
  EXPECT_FALSE(none.one_step_test.nrmse.has_value()) << "an answer that was not written is not 0";
}

TEST(Evaluate, JudgesALevelByItsChangeOverTheHorizon) {
  const auto data = make_dataset(known_plant(), {.noise = 0.02});
  const auto good = predict_with(known_plant());
  const Predict shifted = [&](const model::Record& r, Index t, Index steps,
                              Eigen::Ref<Matrix> out) {
    good(r, t, steps, out);
    out.array() += 100;
  };
  const Metrics m = evaluate_known(data, good).metrics;
  const Metrics s = evaluate_known(data, shifted).metrics;
  EXPECT_EQ(m.change_fit[3].cv, "y2");
  EXPECT_EQ(m.change_fit[3].block, Part::test);
  EXPECT_GT(m.change_fit[3].percent.value(), 90);
  EXPECT_LT(s.change_fit[3].percent.value(), 0);
}

TEST(Evaluate, CountsRowsThatStandInTwoParts) {
  auto data = make_dataset(known_plant(), {});
  EXPECT_EQ(evaluate_known(data, persistence()).metrics.shared_rows, 0);
  testing::add_block(data, "run0", Part::test, 590, 50);
  EXPECT_EQ(evaluate_known(data, persistence()).metrics.shared_rows, 10 + 18);
}

TEST(Evaluate, StopsWhenAsked) {
  const auto data = make_dataset(known_plant(), {});
  std::stop_source source;
  source.request_stop();
  Options options;
  options.stop = source.get_token();
  EXPECT_THROW(evaluate(data, persistence(), options), Error);
}

TEST(StepAnswers, ReachTheGainTimesTheRange) {
  const auto data = make_dataset(known_plant(), {.noise = 0.01});
  const auto m = known_plant();
  const auto answers = step_answers(data, predict_with(m), 60, 400, {0, 0});
  ASSERT_EQ(answers.size(), 4);
  const Matrix gain = model::dc_gain(m);
  const double range_u = data.norm.max[0] - data.norm.min[0];
  const double range_y = data.norm.max[3] - data.norm.min[3];
  // Far from the start the predictor has forgotten y and stands at the operating point.
  const double at_rest = m.g(0) + gain(0, 0) * (data.norm.mean[0] - m.u0(0)) +
                         gain(0, 2) * (data.norm.mean[2] - m.u0(2)) - data.norm.mean[3];
  EXPECT_NEAR(answers[0].excursion.value(), std::abs(at_rest + gain(0, 0) * range_u) / range_y,
              1e-6);
  EXPECT_EQ(answers[1].cv, "y2");
}

TEST(StepAnswers, JudgeALevelOverTheHorizonOnly) {
  const auto data = make_dataset(known_plant(), {.noise = 0.01});
  const auto answers = step_answers(data, predict_with(known_plant()), 60, 400, {12, 0});
  EXPECT_EQ(answers[0].steps, 12);
  EXPECT_EQ(answers[1].steps, 400);
}

}  // namespace
}  // namespace flyball::evaluate
