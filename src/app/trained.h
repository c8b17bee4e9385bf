#pragma once
// What a trainer hands to a study, whatever the kind of its model. One function per trainer fills
// it; a study judges, draws, keeps and serves it without knowing the kind.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "diagnose/collinearity.h"
#include "evaluate/predictor.h"
#include "gates/gates.h"
#include "identify/identify_auto.h"
#include "identify/narx.h"
#include "identify/static_response.h"

namespace flyball::app {

/// model.json and the sha256 of its canonical content without itself.
struct ModelFile {
  std::string json, hash;
};

/// What the writer of a model file is told: nothing of it is known to the trainer.
struct FileContext {
  const dataset::Dataset& data;
  std::string dataset_sha256;
  std::int64_t seed = 42;
};

/// A static model and the points it is judged at.
struct StaticTrained {
  identify::StaticResult result;
  dataset::OperatingPoints points;
};

struct Trained {
  gates::ArtifactKind kind = gates::ArtifactKind::linear_state_space;
  evaluate::Predict predict;
  Index history = 0;  ///< H
  Index horizon = 0;  ///< F
  identify::Findings
      findings;  ///< inputs, dead times, CVs: evidence of the gates, report, pictures
  std::vector<identify::LeaderboardRow> leaderboard;
  std::vector<diagnose::SeparatingMove> moves;  ///< of MVs that moved together
  Json details = Json::object();  ///< of the kind alone; joins report.json's `identification`
  std::function<ModelFile(const FileContext&)> write;
  std::optional<StaticTrained> statics;  ///< of static_response@1: evidence and pictures differ
};

struct TrainOptions {
  Trainer trainer = Trainer::linear_arx_1;
  identify::ArxOptions identify;
  dataset::SteadyOptions steady;
};

/// The trainer of the request on the train blocks of the dataset; adds nothing to a store. Errors
/// of the trainer.
Trained train(const dataset::Dataset& data, const TrainOptions& options, const Call& call);

/// A linear model that identification found.
Trained trained_linear(identify::IdentifyResult found,
                       std::vector<identify::LeaderboardRow> leaderboard,
                       std::string_view trainer_version);

/// A linear model with what an engineer looks for in it: priors, gain matrix, ranges, lag models.
Trained diagnosed(const dataset::Dataset& data, const identify::ArxOptions& options,
                  identify::IdentifyResult found, std::vector<identify::LeaderboardRow> leaderboard,
                  std::string_view version, const Call& call);

/// A polynomial NARX that identification found.
Trained trained_narx(identify::NarxResult found, std::vector<identify::LeaderboardRow> leaderboard,
                     std::string_view trainer_version);

Trained train_narx(const dataset::Dataset& data, const identify::ArxOptions& options,
                   const Call& call);

/// auto@1: the linear families, and the nonlinear one where it is clearly better.
Trained train_auto(const dataset::Dataset& data, const identify::ArxOptions& options,
                   const Call& call);

}  // namespace flyball::app
