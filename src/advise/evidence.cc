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
  const InputDistances& d = now.distances;
  const auto within = [&](std::optional<double> distance, std::optional<double> limit,
                          const char* unknown, const char* far) {
    if (!distance || !limit || !std::isfinite(*distance)) {
      out.push_back({unknown, {}});
    } else if (*distance > *limit) {
      out.push_back({far, {{"distance", *distance}, {"limit", *limit}}});
    }
  };
  within(d.now, d.limit, "DISTANCE_UNKNOWN", "DISTANCE_FAR");
  if (d.now) within(d.along, d.limit, "DISTANCE_UNKNOWN", "DISTANCE_AHEAD");
  within(d.mahalanobis_now, d.mahalanobis_limit, "SPREAD_UNKNOWN", "SPREAD_FAR");
  if (d.mahalanobis_now)
    within(d.mahalanobis_along, d.mahalanobis_limit, "SPREAD_UNKNOWN", "SPREAD_AHEAD");
  if (!now.candidate_verified) out.push_back({"CANDIDATE_UNVERIFIED", {}});
  return out;
}

Json evidence_snapshot(const ModelFacts& m, const EvidenceNow& now) {
  if (!m.uq) return {};
  Json out = to_json_value(*m.uq);
  out["artifactHash"] = m.uq_artifact_hash;
  out["calibrationFresh"] = now.fresh;
  out["inputDistance"] = now.distances.now ? number_or_null(*now.distances.now) : Json();
  out["distances"] = to_json_value(now.distances);
  return out;
}

}  // namespace flyball::advise
