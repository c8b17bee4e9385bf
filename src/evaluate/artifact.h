#pragma once
// Does the file of a model hold a model? Parse, shape, finite numbers and a trial prediction.
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "evaluate/evaluate.h"

namespace flyball::evaluate {

struct ArtifactInspection {
  std::optional<Message> problem;         ///< absent: it parses, fits, is finite and predicts
  std::optional<double> spectral_radius;  ///< of a linear model that parses
  std::string dataset_sha256;             ///< that the file names; empty when it does not parse
  std::string artifact_hash;              ///< recomputed; empty when it does not parse
};

/// `kind` comes from the job's contract ("linear_state_space@1"); what the file says of itself or
/// of its errors is not read. With `io` the numbers of inputs and outputs must be those judged.
/// Never throws for what the bytes hold.
ArtifactInspection inspect_artifact(std::string_view kind, std::string_view bytes,
                                    const IoSpec* io);

}  // namespace flyball::evaluate
