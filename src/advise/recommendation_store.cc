#include <nlohmann/json.hpp>

#include "advise/ledger.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::advise {
namespace {

constexpr std::string_view kSupersede =
    "UPDATE optimizer_recommendations SET status = 'expired', expired_at = ?, "
    "expiry_cause = 'superseded' WHERE binding_id = ? AND status IN ('unverified', 'verified')";
constexpr std::string_view kAdd =
    "INSERT INTO optimizer_recommendations(id, run_id, candidate_id, binding_id, line_id, "
    "problem_hash, model_artifact_hash, evidence_source, uq_json, no_change, status, "
    "because_json, valid_until, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kDecide =
    "UPDATE optimizer_recommendations SET status = ?, decided_by = ?, reason = ?, decided_at = ? "
    "WHERE id = ? AND status = ?";
constexpr std::string_view kApply =
    "UPDATE optimizer_recommendations SET status = 'applied', applied_by = ?, applied_at = ? "
    "WHERE id = ? AND status = 'accepted'";
const std::string kExpire =
    "UPDATE optimizer_recommendations SET status = 'expired', expired_at = ?, expiry_cause = ? "
    "WHERE status IN ('unverified', 'verified', 'accepted') AND ";
const std::string kExpireOne = kExpire + "id = ?";
const std::string kExpireBinding = kExpire + "binding_id = ?";
const std::string kExpireOld = kExpire + "valid_until < ?1";
const std::string kColumns =
    "SELECT id, run_id, candidate_id, binding_id, line_id, problem_hash, model_artifact_hash, "
    "evidence_source, uq_json, no_change, status, because_json, valid_until, created_at, "
    "decided_by, reason, applied_by, decided_at, applied_at, expired_at, expiry_cause "
    "FROM optimizer_recommendations ";
const std::string kOne = kColumns + "WHERE id = ?";
const std::string kList = kColumns +
                          "WHERE (?1 = '' OR binding_id = ?1) AND (?2 = '' OR line_id = ?2) "
                          "ORDER BY rowid DESC LIMIT ?3";
const std::string kOpen =
    kColumns + "WHERE status IN ('unverified', 'verified', 'accepted') ORDER BY rowid";
constexpr std::string_view kAddOutcome =
    "INSERT INTO optimizer_outcomes(id, recommendation_id, verdict, outcome_json, created_at) "
    "VALUES(?, ?, ?, ?, ?)";
constexpr std::string_view kOutcomes =
    "SELECT outcome_json FROM optimizer_outcomes WHERE recommendation_id = ? ORDER BY rowid";

Recommendation read(const store::Statement& q) {
  Recommendation r;
  r.id = q.text(0);
  r.run_id = q.text(1);
  r.candidate_id = q.text(2);
  r.binding_id = q.text(3);
  r.line_id = q.text(4);
  r.problem_ir_hash = q.text(5);
  r.model_artifact_hash = q.text(6);
  r.evidence = store::enum_column<plant::EvidenceSource>(q, 7);
  r.uq = store::json_column(q, 8);
  r.no_change = q.integer(9) != 0;
  r.status = store::enum_column<RecommendationStatus>(q, 10);
  r.status_label = label(r.status, r.evidence);
  std::vector<Problem> problems;
  read_value(store::json_column(q, 11), r.unverified_because, "", {0, 0, 1000}, problems);
  r.valid_until = q.integer(12);
  r.created_at = q.integer(13);
  r.decided_by = q.text(14);
  r.reason = q.text(15);
  r.applied_by = q.text(16);
  r.decided_at = q.integer_or_none(17);
  r.applied_at = q.integer_or_none(18);
  r.expired_at = q.integer_or_none(19);
  if (q.text_or_none(20)) r.expiry_cause = store::enum_column<ExpiryCause>(q, 20);
  return r;
}

}  // namespace

void Ledger::insert(const Recommendation& r) {
  db_.run(kSupersede, r.created_at, r.binding_id);
  db_.run(kAdd, r.id, r.run_id, r.candidate_id, r.binding_id, r.line_id, r.problem_ir_hash,
          r.model_artifact_hash, enum_name(r.evidence), store::json_text(r.uq), r.no_change,
          enum_name(r.status), canonical(to_json_value(r.unverified_because)), r.valid_until,
          r.created_at);
}

Recommendation Ledger::recommendation(const std::string& id) {
  store::Statement q = db_.query(kOne, id);
  if (!q.step()) throw Error("RECOMMENDATION_MISSING", {{"id", id}});
  return read(q);
}

std::vector<Recommendation> Ledger::recommendations(const std::string& binding_id,
                                                    const std::string& line_id,
                                                    std::int64_t limit) {
  std::vector<Recommendation> out;
  for (store::Statement q = db_.query(kList, binding_id, line_id, limit); q.step();)
    out.push_back(read(q));
  return out;
}

std::vector<Recommendation> Ledger::open_recommendations() {
  std::vector<Recommendation> out;
  for (store::Statement q = db_.query(kOpen); q.step();) out.push_back(read(q));
  return out;
}

Recommendation Ledger::decide(const std::string& id, RecommendationStatus to, const std::string& by,
                              const std::string& reason, TimeUs now) {
  store::Savepoint transaction(db_);
  const Recommendation r = recommendation(id);
  if (r.status == RecommendationStatus::expired)
    throw Error("RECOMMENDATION_EXPIRED",
                {{"id", id}, {"cause", r.expiry_cause ? enum_name(*r.expiry_cause) : ""}});
  if (is_open(r.status) && now > r.valid_until) {
    throw Error("RECOMMENDATION_EXPIRED", {{"id", id}, {"cause", enum_name(ExpiryCause::time)}});
  }
  if (!may_move(r.status, to) || to == RecommendationStatus::expired)
    throw Error("RECOMMENDATION_STATUS",
                {{"id", id}, {"from", enum_name(r.status)}, {"to", enum_name(to)}});
  const std::int64_t changed =
      to == RecommendationStatus::applied
          ? db_.run(kApply, by, now, id)
          : db_.run(kDecide, enum_name(to), by, reason, now, id, enum_name(r.status));
  if (changed != 1)
    throw Error("RECOMMENDATION_STATUS",
                {{"id", id}, {"from", enum_name(r.status)}, {"to", enum_name(to)}});
  transaction.commit();
  return recommendation(id);
}

std::int64_t Ledger::expire(const std::string& id, ExpiryCause cause, TimeUs now) {
  return db_.run(kExpireOne, now, enum_name(cause), id);
}

std::int64_t Ledger::expire_binding(const std::string& binding_id, ExpiryCause cause, TimeUs now) {
  return db_.run(kExpireBinding, now, enum_name(cause), binding_id);
}

std::int64_t Ledger::expire_old(TimeUs now) {
  return db_.run(kExpireOld, now, enum_name(ExpiryCause::time));
}

void Ledger::add_outcome(const AdviceOutcome& o) {
  db_.run(kAddOutcome, o.id, o.recommendation_id, enum_name(o.verdict), canonical(to_json_value(o)),
          o.created_at);
}

std::vector<AdviceOutcome> Ledger::outcomes(const std::string& recommendation_id) {
  std::vector<AdviceOutcome> out;
  for (store::Statement q = db_.query(kOutcomes, recommendation_id); q.step();)
    out.push_back(*store::record_column<AdviceOutcome>(q, 0));
  return out;
}

}  // namespace flyball::advise
