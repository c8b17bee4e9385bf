#pragma once
// When advice counts as verified: evidence of the model's uncertainty that is of this model, covers
// and is fresh, a plant that lies where the model was trained, and a candidate that stood its own
// verification. Otherwise it is unverified, and says by which rules.
#include <optional>
#include <vector>

#include "advise/eligibility.h"

namespace flyball::advise {

inline constexpr double kDistanceLimit = 3.0;  ///< train standard deviations

struct EvidenceNow {
  bool fresh = false;
  std::optional<double> input_distance;  ///< of the present [u; y]
  std::optional<double> trajectory_distance;
  bool candidate_verified = false;
};

/// Rules that do not hold; empty: verified.
std::vector<Message> unverified_because(const ModelFacts& model, const EvidenceNow& now);

/// The evidence as it is kept with advice: uq, artifactHash, calibrationFresh, inputDistance; null
/// when there is none.
Json evidence_snapshot(const ModelFacts& model, const EvidenceNow& now);

}  // namespace flyball::advise
