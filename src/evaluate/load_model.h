#pragma once
// model.json of any kind, ready to predict. A new kind adds one reader to load_model.cc.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/predictor.h"
#include "model/artifact.h"
#include "model/static_artifact.h"

namespace flyball::evaluate {

/// What every kind of model file says, and the predictor that it holds.
struct LoadedModel {
  std::vector<model::ArtifactVariable> variables;  ///< MVs, DVs, CVs
  double beat_ms = 0;
  Index history = 1;  ///< H; 0: a row is predicted from its inputs alone
  Index horizon = 1;  ///< P, steps it was judged at
  std::string dataset_sha256, artifact_hash;
  std::optional<double> spectral_radius;          ///< of linear_state_space@1
  std::optional<model::StaticResponse> surfaces;  ///< of static_response@1
  Predict predict;

  [[nodiscard]] std::vector<std::string> ids(std::string_view role) const;
};

/// Kinds that load_model reads.
bool is_known_kind(std::string_view kind);

/// `kind` comes from the job's contract or the registry, never from the bytes. Throws MODEL_KIND
/// for a kind that this build has no reader of, and what the reader throws: ARTIFACT_INVALID,
/// ARTIFACT_UNREADABLE, JSON_INVALID.
LoadedModel load_model(std::string_view kind, std::string_view bytes);

}  // namespace flyball::evaluate
