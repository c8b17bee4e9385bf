#pragma once
// The judge's measurements: one code path for val and test, for every predictor, on every window.
// It reads the dataset and the predictor; nothing that a trainer wrote enters a number.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/progress.h"
#include "evaluate/free_run.h"
#include "evaluate/points.h"
#include "evaluate/residual_tests.h"
#include "evaluate/scores.h"
#include "evaluate/step_probe.h"

namespace flyball::evaluate {

/// What the predictor reads and writes, and the steps it was judged at.
struct IoSpec {
  std::vector<std::string> mvs, dvs, cvs;
  std::int64_t history_steps = 0, horizon_steps = 0;
  double beat_ms = 0;
  static constexpr auto fields() {
    using S = IoSpec;
    return FieldList{field("mvs", &S::mvs, "manipulated variables"),
                      field("dvs", &S::dvs, "measured disturbances"),
                      field("cvs", &S::cvs, "controlled variables"),
                      field("historySteps", &S::history_steps, "H").unit("steps"),
                      field("horizonSteps", &S::horizon_steps, "F").unit("steps"),
                      field("beatMs", &S::beat_ms, "length of a step").unit("ms")};
  }
};

/// How much evidence one part holds.
struct PartCount {
  std::int64_t rows = 0, windows = 0, blocks = 0;
  std::vector<std::string> runs;
  static constexpr auto fields() {
    using S = PartCount;
    return FieldList{field("rows", &S::rows, "unique usable time steps").unit("steps"),
                      field("windows", &S::windows, "overlapping windows: not evidence"),
                      field("blocks", &S::blocks, "blocks"),
                      field("runs", &S::runs, "runs that gave windows")};
  }
};

/// Fit of the change over the horizon, y(t+F−1) − y(t−1): what is judged of a level.
struct ChangeFit {
  std::string cv;
  dataset::Part block = dataset::Part::test;
  std::optional<double> percent;
  static constexpr auto fields() {
    using S = ChangeFit;
    return FieldList{
        field("cv", &S::cv, "controlled variable"), field("block", &S::block, "val or test"),
        field("percent", &S::percent, "fit of the change over F steps").unit("%").nullable()};
  }
};

struct Excursion {
  std::string cv;
  bool integrating = false;  ///< declared a level: judged over the first F steps only
  std::optional<double> free_run;
  static constexpr auto fields() {
    using S = Excursion;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("integrating", &S::integrating, "declared a level: judged over F steps"),
        field("freeRun", &S::free_run,
              "largest |predicted - train mean| / train range in free run over the longest test "
              "block; null: none")
            .nullable()};
  }
};

struct Metrics {
  IoSpec io_spec;
  std::string dataset_sha256, artifact_hash;
  PartCount train, val, test;
  std::int64_t row_count = 0;    ///< unique usable steps of all parts
  std::int64_t shared_rows = 0;  ///< rows of val or test that also stand in another part
  Score one_step_val, one_step_test;
  Score rollout_val, rollout_test;
  Score persistence_val, persistence_test;
  Score one_step_persistence_val, one_step_persistence_test;
  std::optional<double> rollout_nrmse, persistence_nrmse, rollout_improvement;
  std::vector<FreeRunFit> free_run_fit;
  std::vector<ChangeFit> change_fit;
  std::vector<Excursion> excursions;
  std::vector<StepAnswer> step_answers;
  std::vector<ResidualTest> residual_tests;
  std::optional<PointEvidence> operating_points;  ///< of a static model
  Json agent;  ///< what the trainer wrote of itself: kept, decides nothing

  static constexpr auto fields() {
    using M = Metrics;
    return FieldList{
        field("ioSpec", &M::io_spec, "inputs, outputs and steps"),
        field("datasetSha256", &M::dataset_sha256, "data that was read"),
        field("artifactHash", &M::artifact_hash, "model that was judged"),
        field("train", &M::train, "evidence in train"),
        field("val", &M::val, "evidence in val"),
        field("test", &M::test, "evidence in test"),
        field("rowCount", &M::row_count, "unique usable time steps of all parts").unit("steps"),
        field("sharedRows", &M::shared_rows, "rows that stand in two parts").unit("steps"),
        field("oneStepVal", &M::one_step_val, "one step ahead, val"),
        field("oneStepTest", &M::one_step_test, "one step ahead, test"),
        field("rolloutVal", &M::rollout_val, "F steps ahead, val"),
        field("rolloutTest", &M::rollout_test, "F steps ahead, test"),
        field("persistenceVal", &M::persistence_val, "last value held F steps, val"),
        field("persistenceTest", &M::persistence_test, "last value held F steps, test"),
        field("oneStepPersistenceVal", &M::one_step_persistence_val,
              "last value held one step, val"),
        field("oneStepPersistenceTest", &M::one_step_persistence_test,
              "last value held one step, test"),
        field("rolloutNrmse", &M::rollout_nrmse, "mean over CVs, test").nullable(),
        field("persistenceNrmse", &M::persistence_nrmse, "mean over CVs, test, same windows")
            .nullable(),
        field("rolloutImprovement", &M::rollout_improvement, "1 - rolloutNrmse / persistenceNrmse")
            .nullable(),
        field("freeRunFit", &M::free_run_fit, "per CV and part"),
        field("changeFit", &M::change_fit, "per CV and part"),
        field("excursions", &M::excursions, "per CV"),
        field("stepAnswers", &M::step_answers, "per MV and CV"),
        field("residualTests", &M::residual_tests, "of the one-step residuals on test"),
        field("operatingPoints", &M::operating_points, "of a static model; null: of none")
            .nullable(),
        field("agent", &M::agent, "the trainer's own words: decide nothing")};
  }
};

struct Options {
  Index history = 0;                          ///< H; 0: the dataset's window
  Index horizon = 0;                          ///< F; 0: the dataset's window
  std::string dataset_sha256, artifact_hash;  ///< of what is read and judged, for the seal
  Json agent_metrics;                         ///< a job's metrics.json, kept under `agent`
  ProgressFn progress;
  std::stop_token stop;
};

/// The record for the report and the series behind it.
struct Evaluation {
  Metrics metrics;
  std::vector<FreeRun> free_runs;  ///< train, val, test; those that have blocks
  std::vector<BlockResiduals> val_residuals, test_residuals;
  std::vector<double> train_std;    ///< per CV
  std::vector<PointResult> points;  ///< of a static model: train, val, test
};

/// Throws CANCELLED on a stop. Cost: windows of val and test × (H + F) model steps.
Evaluation evaluate(const dataset::Dataset& data, const Predict& predict, const Options& options);

/// A static model at its operating points: one-step errors and counts only, horizon 1. Errors are
/// over the standard deviation of the train points; `rows` are usable steps inside the points,
/// `windows` the points themselves. `points` must outlive the result.
Evaluation evaluate_points(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                           const Predict& predict, std::int64_t parameters, const Options& options);

}  // namespace flyball::evaluate
