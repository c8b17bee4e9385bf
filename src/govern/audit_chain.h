#pragma once
// How the hash of an audit row is computed; whoever wants to check a trail without this program
// needs no more than this.
#include <cstdint>
#include <string>

namespace flyball::govern {

/// The columns as they stand in the table.
struct StoredAuditRow {
  std::int64_t number = 0, at = 0;
  std::string actor, actor_kind, action, target_kind, target_id, line_id, outcome, before, after,
      reason, hash;
};

/// One line for each column but the hash, in the order above: NAME LENGTH:BYTES, the length in
/// bytes; so that no two rows have the same text.
std::string audit_text(const StoredAuditRow& row);

/// sha256(previous + audit_text(row)) as hexadecimal digits.
std::string audit_hash(const std::string& previous, const StoredAuditRow& row);

}  // namespace flyball::govern
