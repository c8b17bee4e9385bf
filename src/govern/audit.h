#pragma once
// The audit trail: rows that are only added, each chained to the one before, so that a row that was
// changed, put in, taken out or moved is found. hash = sha256(hash of the row before, "" for the
// first, + the row's fields as audit_text() writes them).
//
// A chain cannot tell that its newest rows were cut off, nor that somebody who can write the file
// computed it anew; a head kept elsewhere can: after each commit the newest one is written to a
// file beside the database, and whoever notes one in a place of his own can check against that.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "govern/rights.h"
#include "store/sqlite.h"

namespace flyball::govern {

struct AuditEntry {
  std::string actor;
  Kind actor_kind = Kind::system;
  std::string action;       ///< name of the operation, "models.promote"
  std::string target_kind;  ///< "models"
  std::string target_id;
  std::string line_id;
  std::string outcome = "done";  ///< done, or the code of the refusal
  Json before, after;            ///< null where there is nothing to say
  std::string reason;
  static constexpr auto fields() {
    using A = AuditEntry;
    return FieldList{field("actor", &A::actor, "who"),
                      field("actorKind", &A::actor_kind, "person, agent or system"),
                      field("action", &A::action, "operation"),
                      field("targetKind", &A::target_kind, "what kind of thing it was done to"),
                      field("targetId", &A::target_id, "to which"),
                      field("lineId", &A::line_id, "of which line"),
                      field("outcome", &A::outcome, "done, or the code of the refusal"),
                      field("before", &A::before, "how it was, or null"),
                      field("after", &A::after, "what was asked for and how it became"),
                      field("reason", &A::reason, "why, as the actor said")};
  }
};

struct AuditRow : AuditEntry {
  using Extends = AuditEntry;
  std::int64_t number = 0;  ///< 1, 2, 3, ...
  TimeUs at = 0;
  std::string hash;
  static constexpr auto fields() {
    using A = AuditRow;
    return join(FieldList{field("number", &A::number, "counts the rows"),
                                     field("at", &A::at, "when").unit("us"),
                                     field("hash", &A::hash, "over this row and the one before")},
                          AuditEntry::fields());
  }
};

struct AuditHead {
  std::int64_t number = 0;
  std::string hash;
  bool operator==(const AuditHead&) const = default;
  static constexpr auto fields() {
    return FieldList{field("number", &AuditHead::number, "of the newest row").required(),
                      field("hash", &AuditHead::hash, "of the newest row").required()};
  }
};

/// Empty texts do not filter.
struct AuditFilter {
  std::string actor = {}, action = {}, target_id = {}, line_id = {};
  std::optional<TimeUs> from = {}, to = {};
};

struct AuditPage {
  std::vector<AuditRow> rows;  ///< newest first
  std::optional<std::int64_t> next;
};

struct AuditVerdict {
  std::int64_t rows = 0;
  AuditHead head;                            ///< number 0 for an empty trail
  std::optional<std::int64_t> first_broken;  ///< row from which on nothing is proved
  std::optional<Message> problem;
};

class Audit {
 public:
  /// `head_file`: where the newest head is written; empty: nowhere.
  explicit Audit(store::Database& db, std::filesystem::path head_file = {})
      : db_(db), head_file_(std::move(head_file)) {}

  /// Takes part in a transaction that is open already; then seal() is for its owner to call. Else
  /// it is durable and sealed on return.
  AuditHead append(const AuditEntry& entry, TimeUs at);

  /// Keeps what is about to be done, durable on return; its number. `owner` is this process.
  std::int64_t begin(const AuditEntry& entry, const std::string& owner, TimeUs at);
  /// How it ended: the row is added and the intent gone, in one transaction.
  AuditHead end(std::int64_t intent, const AuditEntry& entry, TimeUs at);
  /// What other owners began and never ended, because they were killed: each becomes a row with the
  /// outcome "interrupted", since nobody knows how far it came. How many. The caller owns the data.
  std::int64_t settle(const std::string& owner, TimeUs at);

  /// Writes the newest head to the file. After a commit, with no transaction open.
  void seal() const;

  /// `before`: rows with a smaller number only.
  [[nodiscard]] AuditPage list(const AuditFilter& filter, std::int64_t limit,
                               std::optional<std::int64_t> before = {}) const;

  /// Reads every row. `noted`: a head that somebody kept; the one in the file counts too.
  [[nodiscard]] AuditVerdict verify(const std::optional<AuditHead>& noted = {}) const;

  [[nodiscard]] AuditHead head() const;

 private:
  [[nodiscard]] std::optional<AuditHead> sealed_head() const;

  store::Database& db_;
  std::filesystem::path head_file_;
};

}  // namespace flyball::govern
