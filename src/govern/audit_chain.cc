#include "govern/audit_chain.h"

#include "core/digest.h"

namespace flyball::govern {

std::string audit_text(const StoredAuditRow& row) {
  std::string out;
  const auto add = [&](const char* name, const std::string& value) {
    out += std::string(name) + " " + std::to_string(value.size()) + ":" + value + "\n";
  };
  add("number", std::to_string(row.number));
  add("at", std::to_string(row.at));
  add("actor", row.actor);
  add("actorKind", row.actor_kind);
  add("action", row.action);
  add("targetKind", row.target_kind);
  add("targetId", row.target_id);
  add("lineId", row.line_id);
  add("outcome", row.outcome);
  add("before", row.before);
  add("after", row.after);
  add("reason", row.reason);
  return out;
}

std::string audit_hash(const std::string& previous, const StoredAuditRow& row) {
  return sha256(previous + audit_text(row));
}

}  // namespace flyball::govern
