#pragma once
// When advice counts as verified: evidence of the model's uncertainty that is of this model, covers
// and is fresh, a plant that lies where the model was trained, and a candidate that stood its own
// verification. Otherwise it is unverified, and says by which rules.
#include <optional>
#include <vector>

#include "advise/eligibility.h"
#include "advise/records.h"

namespace flyball::advise {

struct EvidenceNow {
  bool fresh = false;
  InputDistances distances;  ///< by the second path, of the candidate that is advised
  bool candidate_verified = false;
};

/// Rules that do not hold; empty: verified.
std::vector<Message> unverified_because(const ModelFacts& model, const EvidenceNow& now);

/// The evidence as it is kept with advice: uq, artifactHash, calibrationFresh, inputDistance and
/// distances; null when there is none.
Json evidence_snapshot(const ModelFacts& model, const EvidenceNow& now);

}  // namespace flyball::advise
