#include "evaluate/free_run.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/metrics.h"
#include "evaluate/plant.h"

namespace flyball::evaluate {
namespace {

using dataset::Part;
using testing::known_plant;
using testing::make_dataset;

TEST(FreeRun, LeavesTheFirstRowsOutAndSeesNoLaterY) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  Index calls = 0;
  const Predict spy = [&](const model::Record& record, Index t, Index steps,
                          Eigen::Ref<Matrix> out) {
    ++calls;
    EXPECT_EQ(t, 10);
    EXPECT_TRUE(record.y.bottomRows(steps).array().isNaN().all());
    EXPECT_TRUE(record.y.topRows(t).allFinite());
    out.setZero();
  };
  const FreeRun run = free_run(data, Part::test, spy, 10);
  EXPECT_EQ(calls, 1) << "the test part in one piece";
  const auto fits = fit(data, run);
  EXPECT_EQ(fits[0].rows_left_out, 10);
  EXPECT_EQ(fits[0].rows, data.part(Part::test)[0]->steps - 10);
}

TEST(FreeRun, UsesTheMeasuredDisturbance) {
  const auto data = make_dataset(known_plant(), {});
  const Predict spy = [&](const model::Record& record, Index t, Index steps,
                          Eigen::Ref<Matrix> out) {
    const Index first = data.part(Part::test)[0]->first_step;
    EXPECT_EQ(record.u.col(2).tail(steps), data.runs[0].values.col(2).segment(first + t, steps));
    out.setZero();
  };
  static_cast<void>(free_run(data, Part::test, spy, 10));
}

TEST(FreeRun, StartsAgainAfterAMissingInput) {
  auto data = make_dataset(known_plant(), {});
  const Index first = data.part(Part::test)[0]->first_step, rows = data.part(Part::test)[0]->steps;
  data.runs[0].values(first + 100, 0) = std::nan("");
  data.runs[0].mask(first + 105, 2) = 0;
  const FreeRun run = free_run(data, Part::test, persistence(), 10);
  ASSERT_EQ(run.pieces.size(), 2) << "the four rows between the gaps are too short";
  EXPECT_EQ(run.pieces[0].predicted.rows(), 90);
  EXPECT_EQ(run.pieces[1].first_step, first + 106 + 10);
  EXPECT_EQ(fit(data, run)[0].rows, 90 + (rows - 106 - 10));
}

TEST(FreeRun, ScoresObservedRowsOnly) {
  auto data = make_dataset(known_plant(), {});
  const Index first = data.part(Part::test)[0]->first_step, rows = data.part(Part::test)[0]->steps;
  data.runs[0].mask(first + 50, 3) = 2;
  data.runs[0].values(first + 60, 4) = std::nan("");
  data.runs[0].mask(first + 60, 4) = 0;
  const auto fits = fit(data, free_run(data, Part::test, persistence(), 10));
  EXPECT_EQ(fits[0].rows, rows - 11);
  EXPECT_EQ(fits[1].rows, rows - 11);
  EXPECT_EQ(fits[0].pieces, 1);
}

TEST(FreeRun, PoolsRunsOverAllKeptRows) {
  const auto data = make_dataset(known_plant(), {.rows = 200, .runs = 6, .noise = 0.2});
  const FreeRun run = free_run(data, Part::test, predict_with(known_plant()), 10);
  ASSERT_EQ(run.pieces.size(), 2);
  std::vector<double> y, predicted;
  for (const auto& piece : run.pieces) {
    for (Index i = 0; i < piece.actual.rows(); ++i) {
      y.push_back(piece.actual(i, 0));
      predicted.push_back(piece.predicted(i, 0));
    }
  }
  EXPECT_DOUBLE_EQ(fit(data, run)[0].percent.value(), fit_percent(y, predicted).value());
}

TEST(Excursion, CountsTrainRangesFromTheTrainMeanOverTheFirstRowsAsked) {
  const auto data = make_dataset(known_plant(), {});
  const double range = data.norm.max[3] - data.norm.min[3], mean = data.norm.mean[3];
  const Predict ramp = [&](const model::Record&, Index, Index steps, Eigen::Ref<Matrix> out) {
    for (Index k = 0; k < steps; ++k) out.row(k).setConstant(mean + range * static_cast<double>(k));
  };
  const FreeRun run = free_run(data, Part::test, ramp, 10);
  EXPECT_NEAR(excursion(data, run, {5, 0})[0].value(), 4, 1e-9);
  EXPECT_NEAR(excursion(data, run, {0, 0})[0].value(),
              static_cast<double>(run.pieces[0].predicted.rows() - 1), 1e-9);
}

}  // namespace
}  // namespace flyball::evaluate
