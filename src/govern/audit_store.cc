#include <algorithm>

#include "govern/audit.h"
#include "govern/audit_chain.h"
#include "store/files.h"
#include "store/savepoint.h"

namespace flyball::govern {
namespace {

constexpr std::string_view kHead = "SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1";
constexpr std::string_view kAdd =
    "INSERT INTO audit(number, at, actor, actor_kind, action, target_kind, target_id, line_id, "
    "outcome, before_json, after_json, reason, hash) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kAll =
    "SELECT number, at, actor, actor_kind, action, target_kind, target_id, line_id, outcome, "
    "before_json, after_json, reason, hash FROM audit ORDER BY number";
constexpr std::string_view kList =
    "SELECT number, at, actor, actor_kind, action, target_kind, target_id, line_id, outcome, "
    "before_json, after_json, reason, hash FROM audit WHERE (?1 = '' OR actor = ?1) "
    "AND (?2 = '' OR action = ?2) AND (?3 = '' OR target_id = ?3) AND (?4 = '' OR line_id = ?4) "
    "AND (?5 IS NULL OR at >= ?5) AND (?6 IS NULL OR at < ?6) AND (?7 IS NULL OR number < ?7) "
    "ORDER BY number DESC LIMIT ?8";

constexpr std::string_view kBegin =
    "INSERT INTO audit_intents(owner, at, entry_json) VALUES(?, ?, ?)";
constexpr std::string_view kEnded = "DELETE FROM audit_intents WHERE id = ?";
constexpr std::string_view kLeft =
    "SELECT id, at, entry_json FROM audit_intents WHERE owner <> ? ORDER BY id";

StoredAuditRow stored_row(const store::Statement& q) {
  return {q.integer(0), q.integer(1), q.text(2), q.text(3),  q.text(4),  q.text(5), q.text(6),
          q.text(7),    q.text(8),    q.text(9), q.text(10), q.text(11), q.text(12)};
}

AuditRow audit_row(const StoredAuditRow& s) {
  AuditRow out;
  out.number = s.number;
  out.at = s.at;
  out.hash = s.hash;
  out.actor = s.actor;
  for (const Kind kind : {Kind::person, Kind::agent, Kind::system}) {
    if (s.actor_kind == enum_name(kind)) out.actor_kind = kind;
  }
  out.action = s.action;
  out.target_kind = s.target_kind;
  out.target_id = s.target_id;
  out.line_id = s.line_id;
  out.outcome = s.outcome;
  out.before = parse_json(s.before, "flyball.db");
  out.after = parse_json(s.after, "flyball.db");
  out.reason = s.reason;
  return out;
}

/// What a kept head says of the chain; `found` is the hash of its row, if there is one.
std::optional<Message> against(const AuditHead& kept, const std::optional<std::string>& found,
                               std::int64_t rows) {
  if (!found) return Message{"AUDIT_CUT_OFF", {{"row", kept.number}, {"rows", rows}}};
  if (*found != kept.hash) return Message{"AUDIT_REWRITTEN", {{"row", kept.number}}};
  return {};
}

}  // namespace

AuditHead Audit::head() const {
  store::Statement q = db_.query(kHead);
  return q.step() ? AuditHead{q.integer(0), q.text(1)} : AuditHead{};
}

AuditHead Audit::append(const AuditEntry& e, TimeUs at) {
  store::Savepoint part(db_);
  const AuditHead last = head();
  StoredAuditRow row{last.number + 1,
                     at,
                     e.actor,
                     std::string(enum_name(e.actor_kind)),
                     e.action,
                     e.target_kind,
                     e.target_id,
                     e.line_id,
                     e.outcome,
                     canonical(e.before),
                     canonical(e.after),
                     e.reason,
                     ""};
  row.hash = audit_hash(last.hash, row);
  db_.run(kAdd, row.number, row.at, row.actor, row.actor_kind, row.action, row.target_kind,
          row.target_id, row.line_id, row.outcome, row.before, row.after, row.reason, row.hash);
  part.commit();
  if (part.outermost()) seal();
  return {row.number, row.hash};
}

std::int64_t Audit::begin(const AuditEntry& entry, const std::string& owner, TimeUs at) {
  db_.run(kBegin, owner, at, canonical(to_json_value(entry)));
  return db_.last_row_id();
}

AuditHead Audit::end(std::int64_t intent, const AuditEntry& entry, TimeUs at) {
  store::Savepoint part(db_);
  const AuditHead out = append(entry, at);
  db_.run(kEnded, intent);
  part.commit();
  if (part.outermost()) seal();
  return out;
}

std::int64_t Audit::settle(const std::string& owner, TimeUs at) {
  struct Left {
    std::int64_t id = 0, at = 0;
    std::string entry;
  };
  std::vector<Left> all;
  for (store::Statement q = db_.query(kLeft, owner); q.step();)
    all.push_back({q.integer(0), q.integer(1), q.text(2)});
  for (const Left& left : all) {
    auto entry = parse_record<AuditEntry>(parse_json(left.entry, "flyball.db"));
    entry.outcome = "interrupted";
    entry.after["begunAt"] = left.at;
    end(left.id, entry, at);
  }
  return std::ssize(all);
}

void Audit::seal() const {
  if (head_file_.empty()) return;
  // Undone at once: it only keeps other writers of the file away.
  const store::Savepoint alone(db_);
  store::write_file(head_file_, canonical(to_json_value(head())) + "\n");
}

std::optional<AuditHead> Audit::sealed_head() const {
  if (head_file_.empty() || !std::filesystem::exists(head_file_)) return {};
  return parse_record<AuditHead>(
      parse_json(store::read_file(head_file_), head_file_.filename().string()));
}

AuditPage Audit::list(const AuditFilter& f, std::int64_t limit,
                      std::optional<std::int64_t> before) const {
  AuditPage out;
  for (store::Statement q = db_.query(kList, f.actor, f.action, f.target_id, f.line_id, f.from,
                                      f.to, before, limit + 1);
       q.step();)
    out.rows.push_back(audit_row(stored_row(q)));
  if (static_cast<std::int64_t>(out.rows.size()) > limit) {
    out.rows.pop_back();
    out.next = out.rows.back().number;
  }
  return out;
}

AuditVerdict Audit::verify(const std::optional<AuditHead>& noted) const {
  AuditVerdict out;
  std::vector<std::pair<AuditHead, std::optional<std::string>>> kept;
  if (noted) kept.push_back({*noted, {}});
  if (const auto sealed = sealed_head()) kept.push_back({*sealed, {}});
  const auto broken = [&](std::int64_t row, Message problem) {
    if (out.problem) return;
    out.first_broken = row;
    out.problem = std::move(problem);
  };
  std::string previous;
  for (store::Statement q = db_.query(kAll); q.step();) {
    const StoredAuditRow row = stored_row(q);
    if (row.number != out.rows + 1) {
      broken(out.rows + 1, {"AUDIT_ROW_MISSING", {{"row", out.rows + 1}, {"found", row.number}}});
      break;
    }
    ++out.rows;
    if (row.hash != audit_hash(previous, row))
      broken(row.number, {"AUDIT_ROW_CHANGED", {{"row", row.number}}});
    for (auto& [head, found] : kept) {
      if (head.number == row.number) found = row.hash;
    }
    previous = row.hash;
    out.head = {row.number, row.hash};
  }
  for (const auto& [head, found] : kept) {
    if (head.number == 0) continue;
    if (const auto problem = against(head, found, out.rows)) broken(head.number, *problem);
  }
  return out;
}

}  // namespace flyball::govern
