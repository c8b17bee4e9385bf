// Public nonlinear benchmarks: free run over the official test record, everything chosen in train.
#include <gtest/gtest.h>

#include "identify/narx.h"
#include "nonlinear_records.h"
#include "support/shared_data.h"

namespace flyball::identify {
namespace {

TEST(NarxRecords, CascadedTanks) {
  const auto folder = testing::shared_data() / "nonlinear";
  FLYBALL_NEEDS_DATA(folder);
  const auto record = bench::cascaded_tanks(folder);
  const AutoResult linear = identify_auto(record.data);
  const NarxTrial trial = try_narx(record.data, linear.result, linear.folds);
  ASSERT_TRUE(trial.better) << "auto@1 takes the nonlinear family";
  const double rmse = bench::free_run_rmse(record, evaluate::predict_with(trial.better->model));
  EXPECT_LE(rmse, 0.45);
  EXPECT_GE(rmse, 0.15) << "no published model reaches this: the protocol is broken";
}

TEST(NarxRecords, SpeedWithoutSignIsHalvedOrLeft) {
  const auto folder = testing::shared_data() / "nonlinear";
  FLYBALL_NEEDS_DATA(folder);
  for (Index set = 0; set < 3; ++set) {
    const auto record = bench::coupled_drives(folder, set);
    const AutoResult linear = identify_auto(record.data);
    EXPECT_GT(bench::free_run_rmse(record, evaluate::predict_with(linear.result.model)),
              0.9 * record.test_std)
        << "a linear model explains nothing";
    const NarxTrial trial = try_narx(record.data, linear.result, linear.folds);
    if (!trial.better) continue;
    EXPECT_LT(bench::free_run_rmse(record, evaluate::predict_with(trial.better->model)),
              0.75 * record.test_std)
        << set;
  }
}

}  // namespace
}  // namespace flyball::identify
