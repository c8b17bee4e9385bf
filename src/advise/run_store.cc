#include <nlohmann/json.hpp>

#include "advise/ledger.h"
#include "jobs/process_mark.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::advise {
namespace {

constexpr std::string_view kStart =
    "INSERT INTO optimizer_runs(id, binding_id, binding_revision, profile_id, profile_version, "
    "line_id, problem_hash, context_json, problem_json, status, started_at, process, until) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?, ?)";
constexpr std::string_view kFinish =
    "UPDATE optimizer_runs SET status = ?, result_json = ?, code = ?, reason = ?, "
    "independent_cost = ?, finished_at = ? WHERE id = ? AND status = 'running'";
constexpr std::string_view kAbandoned =
    "UPDATE optimizer_runs SET status = 'error', code = 'WORKER_INTERRUPTED', reason = ?, "
    "finished_at = ? WHERE status = 'running' AND id = ?";
constexpr std::string_view kRevision = "SELECT revision FROM optimizer_bindings WHERE id = ?";
constexpr std::string_view kAddCandidate =
    "INSERT INTO optimizer_candidates(id, run_id, seq, model_id, candidate_json, verified, "
    "report_json) VALUES(?, ?, ?, ?, ?, ?, ?)";
const std::string kColumns =
    "SELECT id, binding_id, binding_revision, profile_id, profile_version, line_id, problem_hash, "
    "context_json, problem_json, status, result_json, code, reason, independent_cost, started_at, "
    "finished_at FROM optimizer_runs ";
const std::string kOne = kColumns + "WHERE id = ?";
const std::string kRunning = kColumns + "WHERE status = 'running'";
constexpr std::string_view kOwner = "SELECT process, until FROM optimizer_runs WHERE id = ?";
const std::string kOfBinding =
    kColumns + "WHERE ?1 = '' OR binding_id = ?1 ORDER BY rowid DESC LIMIT ?2";
const std::string kCandidateColumns =
    "SELECT id, run_id, model_id, candidate_json, verified, report_json FROM optimizer_candidates ";
const std::string kOneCandidate = kCandidateColumns + "WHERE id = ?";
const std::string kCandidatesOf = kCandidateColumns + "WHERE run_id = ? ORDER BY seq";

AdviceRun read(const store::Statement& q) {
  AdviceRun r;
  r.id = q.text(0);
  r.binding_id = q.text(1);
  r.binding_revision = q.integer(2);
  r.profile_id = q.text(3);
  r.profile_version = q.integer(4);
  r.line_id = q.text(5);
  r.problem_ir_hash = q.text(6);
  r.context = store::json_column(q, 7);
  r.problem = store::json_column(q, 8);
  r.status = store::enum_column<RunStatus>(q, 9);
  r.result = store::json_column(q, 10);
  r.code = q.text(11);
  r.reason = q.text(12);
  r.independent_cost = q.real_or_none(13);
  r.started_at = q.integer(14);
  r.finished_at = q.integer_or_none(15);
  return r;
}

CandidateRow read_candidate(const store::Statement& q) {
  return {q.text(0),         q.text(1),
          q.text(2),         *store::record_column<optimise::Candidate>(q, 3),
          q.integer(4) != 0, *store::record_column<VerifyReport>(q, 5)};
}

}  // namespace

void Ledger::start(const AdviceRun& r, TimeUs until) {
  db_.run(kStart, r.id, r.binding_id, r.binding_revision, r.profile_id, r.profile_version,
          r.line_id, r.problem_ir_hash, canonical(r.context), canonical(r.problem), r.started_at,
          jobs::process_mark(), until);
}

void Ledger::insert(const CandidateRow& row) {
  db_.run(kAddCandidate, row.id, row.run_id, row.candidate.seq, row.model_id,
          canonical(to_json_value(row.candidate)), row.verified,
          canonical(to_json_value(row.report)));
}

void Ledger::conclude(const Concluded& c) {
  store::Savepoint transaction(db_);
  const AdviceRun& r = c.run;
  const std::int64_t changed = db_.run(kFinish, enum_name(r.status), store::json_text(r.result),
                                       r.code, r.reason, r.independent_cost, r.finished_at, r.id);
  if (changed != 1 || !may_move(RunStatus::running, r.status))
    throw Error("ADVICE_RUN_RACE", {{"id", r.id}});
  for (const CandidateRow& row : c.candidates) insert(row);
  if (c.recommendation) {
    store::Statement q = db_.query(kRevision, r.binding_id);
    q.step();
    if (q.integer(0) != r.binding_revision)
      throw Error(
          "BINDING_REVISION_CHANGED",
          {{"id", r.binding_id}, {"expected", r.binding_revision}, {"revision", q.integer(0)}});
    q.finish();
    insert(*c.recommendation);
  }
  transaction.commit();
}

AdviceRun Ledger::run(const std::string& id) {
  store::Statement q = db_.query(kOne, id);
  if (!q.step()) throw Error("ADVICE_RUN_MISSING", {{"id", id}});
  return read(q);
}

std::vector<AdviceRun> Ledger::runs(const std::string& binding_id, std::int64_t limit) {
  std::vector<AdviceRun> out;
  for (store::Statement q = db_.query(kOfBinding, binding_id, limit); q.step();)
    out.push_back(read(q));
  return out;
}

std::vector<CandidateRow> Ledger::candidates(const std::string& run_id) {
  std::vector<CandidateRow> out;
  for (store::Statement q = db_.query(kCandidatesOf, run_id); q.step();)
    out.push_back(read_candidate(q));
  return out;
}

CandidateRow Ledger::candidate(const std::string& id) {
  store::Statement q = db_.query(kOneCandidate, id);
  if (!q.step()) throw Error("ADVICE_RUN_MISSING", {{"id", id}});
  return read_candidate(q);
}

std::optional<Message> Ledger::abandoned(const AdviceRun& run, TimeUs now) {
  if (run.status != RunStatus::running) return std::nullopt;
  store::Statement q = db_.query(kOwner, run.id);
  if (!q.step()) return std::nullopt;
  if (!jobs::may_live(q.text(0)))
    return Message{"WORKER_INTERRUPTED", {{"reason", "it ended before it had an answer"}}};
  if (now <= q.integer(1)) return std::nullopt;
  return Message{"WORKER_INTERRUPTED",
                 {{"reason", "it had until " + format_time(q.integer(1)) + " and gave no answer"}}};
}

std::int64_t Ledger::end_abandoned(TimeUs now) {
  std::vector<AdviceRun> running;
  for (store::Statement q = db_.query(kRunning); q.step();) running.push_back(read(q));
  std::int64_t ended = 0;
  for (const AdviceRun& run : running) {
    if (const auto why = abandoned(run, now))
      ended += db_.run(kAbandoned, why->text(), now, run.id);
  }
  return ended;
}

}  // namespace flyball::advise
