#include "jobs/job_row.h"
#include "jobs/queue_rules.h"
#include "jobs/sqlite_queue.h"
#include "store/row_page.h"
#include "store/savepoint.h"

namespace flyball::jobs {
namespace {

constexpr std::string_view kAddJob =
    "INSERT INTO jobs(id, kind, priority, line_id, submitted_by, title, request_json, "
    "submitted_at) "
    "SELECT ?, ?, ?, ?, ?, ?, ?, ? "
    "WHERE (SELECT COUNT(*) FROM job_attempts WHERE state = 'queued') < ?";
constexpr std::string_view kAddAttempt =
    "INSERT INTO job_attempts(job_id, number, newest, state) "
    "SELECT ?, ?, 1, 'queued' "
    "WHERE (SELECT COUNT(*) FROM job_attempts WHERE state = 'queued') < ?";
constexpr std::string_view kNoLongerNewest =
    "UPDATE job_attempts SET newest = 0 WHERE job_id = ? AND newest = 1";
constexpr std::string_view kClaim =
    "UPDATE job_attempts SET state = 'provisioning', owner = ?, started_at = ?, lease_until = ? "
    "WHERE sequence = (SELECT a.sequence FROM job_attempts a JOIN jobs j ON j.id = a.job_id "
    "  WHERE a.state = 'queued' ORDER BY j.priority, a.sequence LIMIT 1) "
    "AND (SELECT COUNT(*) FROM job_attempts "
    "  WHERE state IN ('provisioning', 'training', 'evaluating')) < ? RETURNING job_id";
constexpr std::string_view kStep =
    "UPDATE job_attempts SET state = ? WHERE job_id = ? AND number = ? AND state = ?";
constexpr std::string_view kEnd =
    "UPDATE job_attempts SET state = ?, ended_at = ?, outcome_json = ?, lease_until = NULL "
    "WHERE job_id = ? AND number = ? AND state = ?";
constexpr std::string_view kNote =
    "UPDATE job_attempts SET progress_json = ? WHERE job_id = ? AND number = ? "
    "AND state IN ('provisioning', 'training', 'evaluating')";
constexpr std::string_view kRenew =
    "UPDATE job_attempts SET lease_until = ? WHERE owner = ? "
    "AND state IN ('provisioning', 'training', 'evaluating')";
constexpr std::string_view kCount =
    "SELECT state, COUNT(*) FROM job_attempts WHERE newest = 1 GROUP BY state";
constexpr std::string_view kRemove = "DELETE FROM jobs WHERE id = ?";

constexpr std::string_view kAttemptColumns =
    "SELECT number, state, owner, progress_json, started_at, ended_at, lease_until, outcome_json "
    "FROM job_attempts WHERE job_id = ? ORDER BY number";
const std::string kColumns = "SELECT " + std::string(kJobColumns) +
                             " FROM jobs j JOIN job_attempts a ON a.job_id = j.id AND a.newest = 1";
const std::string kById = " WHERE j.id = ?";
const std::string kAbandoned =
    " WHERE a.state IN ('provisioning', 'training', 'evaluating') "
    "AND (a.lease_until < ?1 OR (?2 AND a.owner <> ?3)) ORDER BY j.sequence";
const std::string kPage =
    " WHERE j.sequence < ?1 AND (?2 = '' OR a.state = ?2) AND (?3 = '' OR j.kind = ?3) "
    "AND (?4 = '' OR j.line_id = ?4) ORDER BY j.sequence DESC LIMIT ?5";

}  // namespace

Job SqliteQueue::submit(const Submission& asked, TimeUs now) {
  const std::lock_guard lock(guard_);
  store::Savepoint part(db_);
  const std::string id = new_job_id();
  if (db_.run(kAddJob, id, enum_name(asked.kind), priority(asked.kind), asked.line_id,
              asked.submitted_by, asked.title, canonical(asked.request), now, limits_.waiting) == 0)
    throw_queue_full(limits_);
  db_.run(kAddAttempt, id, 1, limits_.waiting);
  Job out = job(id);
  part.commit();
  return out;
}

Job SqliteQueue::retry(const std::string& id, TimeUs) {
  const std::lock_guard lock(guard_);
  store::Savepoint part(db_);
  db_.run(kNoLongerNewest, id);
  const std::vector<Attempt> all = attempts(id);
  Job last;
  last.id = id;
  last.attempt = all.back();
  check_retry(last, limits_);
  if (db_.run(kAddAttempt, id, last.attempt.number + 1, limits_.waiting) == 0)
    throw_queue_full(limits_);
  Job out = job(id);
  part.commit();
  return out;
}

std::optional<Job> SqliteQueue::claim(const std::string& owner, std::int64_t slots, TimeUs now,
                                      TimeUs lease_until) {
  const std::lock_guard lock(guard_);
  std::optional<std::string> id;
  {
    store::Statement q = db_.query(kClaim, owner, now, lease_until, slots);
    while (q.step()) id = q.text(0);
  }
  if (!id) return std::nullopt;
  return job(*id);
}

bool SqliteQueue::move(const Move& step, const std::function<void()>& with) {
  if (!may_follow(step.from, step.to)) return false;
  const std::lock_guard lock(guard_);
  store::Savepoint part(db_);
  const std::string_view to = enum_name(step.to), from = enum_name(step.from);
  const std::int64_t moved = terminal(step.to)
                                 ? db_.run(kEnd, to, step.at, store::record_text(step.outcome),
                                           step.job_id, step.attempt, from)
                                 : db_.run(kStep, to, step.job_id, step.attempt, from);
  if (moved != 1) return false;
  if (with) with();
  part.commit();
  return true;
}

bool SqliteQueue::note(const std::string& id, std::int64_t attempt, const ProgressNote& progress) {
  const std::lock_guard lock(guard_);
  return db_.run(kNote, canonical(to_json_value(progress)), id, attempt) == 1;
}

void SqliteQueue::renew(const std::string& owner, TimeUs lease_until) {
  const std::lock_guard lock(guard_);
  db_.run(kRenew, lease_until, owner);
}

std::vector<Job> SqliteQueue::abandoned(const std::string& survivor, bool owner_is_gone,
                                        TimeUs now) {
  const std::lock_guard lock(guard_);
  std::vector<Job> out;
  for (store::Statement q = db_.query(kColumns + kAbandoned, now, owner_is_gone, survivor);
       q.step();)
    out.push_back(read_job(q));
  return out;
}

Job SqliteQueue::job(const std::string& id) {
  const std::lock_guard lock(guard_);
  store::Statement q = db_.query(kColumns + kById, id);
  if (!q.step()) throw_missing(id);
  return read_job(q);
}

std::vector<Attempt> SqliteQueue::attempts(const std::string& id) {
  const std::lock_guard lock(guard_);
  std::vector<Attempt> out;
  for (store::Statement q = db_.query(kAttemptColumns, id); q.step();)
    out.push_back(read_attempt(q));
  if (out.empty()) throw_missing(id);
  return out;
}

JobPage SqliteQueue::list(const JobFilter& filter, std::int64_t limit,
                          const std::optional<std::string>& cursor) {
  const std::lock_guard lock(guard_);
  auto page = store::read_page<Job>(
      db_.query(kColumns + kPage, store::cursor_number(kJobList, cursor),
                filter.state ? enum_name(*filter.state) : "",
                filter.kind ? enum_name(*filter.kind) : "", filter.line_id, limit + 1),
      kJobList, kJobSequence, limit, read_job);
  return {std::move(page.rows), std::move(page.next_cursor)};
}

std::vector<std::int64_t> SqliteQueue::count() {
  const std::lock_guard lock(guard_);
  std::vector<std::int64_t> out(kStates, 0);
  for (store::Statement q = db_.query(kCount); q.step();)
    out[static_cast<std::size_t>(store::enum_column<State>(q, 0))] = q.integer(1);
  return out;
}

void SqliteQueue::remove(const std::string& id) {
  const std::lock_guard lock(guard_);
  store::Savepoint part(db_);
  const Job found = job(id);
  if (!terminal(found.attempt.state)) throw_active(found);
  db_.run(kRemove, id);
  part.commit();
}

}  // namespace flyball::jobs
