#include "advise/evidence.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace flyball::advise {

std::vector<Message> unverified_because(const ModelFacts& m, const EvidenceNow& now) {
  std::vector<Message> out;
  if (!m.uq) {
    out.push_back({"UQ_MISSING", {{"model", m.row.id}, {"reason", m.uq_reason}}});
  } else {
    if (m.uq_artifact_hash != m.row.artifact_hash)
      out.push_back({"UQ_OTHER_MODEL", {{"model", m.row.id}}});
    if (!(m.uq->coverage_test >= m.uq->coverage_threshold))
      out.push_back({"UQ_NOT_COVERED",
                     {{"coverage", m.uq->coverage_test}, {"limit", m.uq->coverage_threshold}}});
    if (!now.fresh) out.push_back({"UQ_STALE", {{"at", m.uq->calibrated_at.value_or("never")}}});
  }
  if (!now.input_distance || !std::isfinite(*now.input_distance)) {
    out.push_back({"DISTANCE_UNKNOWN", {}});
  } else if (*now.input_distance > kDistanceLimit) {
    out.push_back({"DISTANCE_FAR", {{"distance", *now.input_distance}, {"limit", kDistanceLimit}}});
  }
  if (!now.candidate_verified) out.push_back({"CANDIDATE_UNVERIFIED", {}});
  return out;
}

Json evidence_snapshot(const ModelFacts& m, const EvidenceNow& now) {
  if (!m.uq) return {};
  Json out = to_json_value(*m.uq);
  out["artifactHash"] = m.uq_artifact_hash;
  out["calibrationFresh"] = now.fresh;
  out["inputDistance"] = now.input_distance ? number_or_null(*now.input_distance) : Json();
  return out;
}

}  // namespace flyball::advise
