#include "govern/approvals.h"
#include "govern/secret.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO approvals(id, kind, object, digest, line_id, requested_by, requested_at, reason, "
    "expires_at, status, comment) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', '')";
constexpr std::string_view kApprovals =
    "SELECT id, kind, object, digest, line_id, requested_by, requested_at, reason, expires_at, "
    "status, decided_by, decided_at, comment FROM approvals WHERE (?1 = '' OR id = ?1) "
    "AND (?2 = '' OR line_id = ?2) AND (?3 = '' OR object = ?3) ORDER BY number DESC";
constexpr std::string_view kPending =
    "SELECT id FROM approvals WHERE kind = ? AND object = ? AND status = 'pending'";
constexpr std::string_view kDecide =
    "UPDATE approvals SET status = ?2, decided_by = ?3, decided_at = ?4, comment = ?5 "
    "WHERE id = ?1 AND status = 'pending' AND expires_at > ?4";
constexpr std::string_view kSweep =
    "UPDATE approvals SET status = 'expired' WHERE status = 'pending' AND expires_at <= ?";

ApprovalStatus status_of(const store::Statement& q, TimeUs expires_at, TimeUs now) {
  const auto status = store::enum_column<ApprovalStatus>(q, 9);
  return status == ApprovalStatus::pending && expires_at <= now ? ApprovalStatus::expired : status;
}

std::vector<Approval> approvals(store::Database& db, const std::string& id,
                                const ApprovalFilter& filter, TimeUs now) {
  std::vector<Approval> out;
  for (store::Statement q = db.query(kApprovals, id, filter.line_id, filter.object); q.step();) {
    const ApprovalStatus status = status_of(q, q.integer(8), now);
    if (filter.status && status != *filter.status) continue;
    out.push_back({q.text(0), q.text(1), q.text(2), q.text(3), q.text(4), q.text(5), q.integer(6),
                   q.text(7), q.integer(8), status, q.text_or_none(10), q.integer_or_none(11),
                   q.text(12)});
  }
  return out;
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Who may decide on this one, whatever its state.
void check_approver(const Approval& a, Verdict verdict, const Principal& by) {
  if (by.kind != Kind::person || by.credential != Credential::session)
    throw Error("APPROVER_NOT_PERSON", {{"id", a.id}});
  require(authorise(by, {verdict == Verdict::approve ? "approvals.approve" : "approvals.reject",
                         Right::approve, a.line_id, a.id}));
  if (by.id == a.requested_by)
    throw Error("APPROVER_IS_REQUESTER", {{"id", a.id}, {"user", by.id}});
}

void check_open(const Approval& a, const std::string& digest) {
  if (a.status == ApprovalStatus::expired) {
    throw Error("APPROVAL_EXPIRED", {{"id", a.id}, {"at", format_time(a.expires_at)}});
  }
  if (a.status != ApprovalStatus::pending) {
    throw Error("APPROVAL_DECIDED",
                {{"id", a.id}, {"status", enum_name(a.status)}, {"by", a.decided_by.value_or("")}});
  }
  if (digest != a.digest) throw Error("APPROVAL_STALE", {{"id", a.id}, {"object", a.object}});
}

}  // namespace

Approval Approvals::request(const ApprovalRequest& r, TimeUs now) {
  const TimeUs expires_at = r.expires_at.value_or(now + kLasts);
  if (expires_at <= now)
    throw Error("APPROVAL_EXPIRY", {{"at", format_time(expires_at)}}, "/expiresAt");
  store::Savepoint part(db_);
  sweep(now);
  if (store::Statement q = db_.query(kPending, r.kind, r.object); q.step())
    throw Error("APPROVAL_PENDING", {{"object", r.object}, {"id", q.text(0)}});
  const std::string id = random_id("ap");
  db_.run(kAdd, id, r.kind, r.object, r.digest, r.line_id, r.requested_by, now, r.reason,
          expires_at);
  part.commit();
  return get(id, now);
}

Approval Approvals::decide(const std::string& id, Verdict verdict, const Principal& by,
                           const std::string& digest, const std::string& comment, TimeUs now) {
  store::Savepoint part(db_);
  const Approval a = get(id, now);
  check_approver(a, verdict, by);
  check_open(a, digest);
  if (verdict == Verdict::reject && is_blank(comment))
    throw Error("COMMENT_MISSING", {{"id", id}}, "/comment");
  const auto status =
      verdict == Verdict::approve ? ApprovalStatus::approved : ApprovalStatus::rejected;
  if (db_.run(kDecide, id, enum_name(status), by.id, now, comment) != 1)
    check_open(get(id, now), digest);
  part.commit();
  return get(id, now);
}

Approval Approvals::get(const std::string& id, TimeUs now) const {
  if (!id.empty()) {
    if (const auto found = approvals(db_, id, {}, now); !found.empty()) return found.front();
  }
  throw Error("NAME_MISSING",
              {{"what", "approval"}, {"name", id}, {"place", ""}, {"suggestion", ""}});
}

std::vector<Approval> Approvals::list(const ApprovalFilter& filter, TimeUs now) const {
  return approvals(db_, "", filter, now);
}

std::int64_t Approvals::sweep(TimeUs now) {
  return db_.run(kSweep, now);
}

}  // namespace flyball::govern
