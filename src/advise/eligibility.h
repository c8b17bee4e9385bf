#pragma once
// Whether a profile may give advice: checked when it is activated and again at each solve.
#include <optional>
#include <vector>

#include "advise/profile.h"
#include "model/artifact.h"
#include "registry/registry.h"
#include "uq/spread.h"
#include "uq/uq.h"

namespace flyball::advise {

/// What is known of the model of a profile; `uq_artifact_hash` is the one that its evidence names.
struct ModelFacts {
  registry::ModelRow row;
  registry::ExperimentStatus experiment = registry::ExperimentStatus::failed;
  bool lineage_verified = false, pruned = false;
  std::vector<model::ArtifactVariable> variables;
  std::optional<uq::Uq> uq;
  std::optional<uq::Spread> spread;  ///< variables as in `variables`
  std::string uq_artifact_hash, uq_reason;
};

/// Rules that do not hold, each with its next step; empty: eligible. Stage shadow or production,
/// the hash that the profile was written for, files there, gates passed, lineage verified, same
/// line, product and recipe, a kind that fits the template, variables that the model has in their
/// roles, and where the profile asks for it evidence that covers its horizon.
std::vector<Message> not_eligible(const ModelFacts& model, const Profile& profile);

/// Throws PROFILE_NOT_ELIGIBLE with every one of them.
void require_eligible(const ModelFacts& model, const Profile& profile);

}  // namespace flyball::advise
