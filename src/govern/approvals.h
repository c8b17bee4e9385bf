#pragma once
// What one person asks for and another decides, bound to the digest of what is decided on.
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "govern/authorise.h"
#include "store/sqlite.h"

namespace flyball::govern {

enum class ApprovalStatus { pending, approved, rejected, expired };
constexpr auto enum_names(ApprovalStatus) {
  return std::array<std::string_view, 4>{"pending", "approved", "rejected", "expired"};
}

struct Approval {
  std::string id, kind, object, digest, line_id, requested_by;
  TimeUs requested_at = 0;
  std::string reason;
  TimeUs expires_at = 0;
  ApprovalStatus status = ApprovalStatus::pending;
  std::optional<std::string> decided_by;
  std::optional<TimeUs> decided_at;
  std::string comment;
  static constexpr auto fields() {
    using A = Approval;
    return FieldList{field("id", &A::id, "ap-…"),
                      field("kind", &A::kind, "what is asked for: models.promote"),
                      field("object", &A::object, "of what: the id of a model"),
                      field("digest", &A::digest, "sha256 over all that is decided on"),
                      field("lineId", &A::line_id, "of which line"),
                      field("requestedBy", &A::requested_by, "who asks"),
                      field("requestedAt", &A::requested_at, "when").unit("us"),
                      field("reason", &A::reason, "why"),
                      field("expiresAt", &A::expires_at, "nobody decides from here on").unit("us"),
                      field("status", &A::status, "pending, approved, rejected or expired"),
                      field("decidedBy", &A::decided_by, "another person"),
                      field("decidedAt", &A::decided_at, "when").unit("us"),
                      field("comment", &A::comment, "of who decided")};
  }
};

/// `reason` and `expires_at` may be left out.
struct ApprovalRequest {
  std::string kind, object, digest, line_id, requested_by;
  std::string reason = {};
  std::optional<TimeUs> expires_at = {};
};

enum class Verdict { approve, reject };

struct ApprovalFilter {
  std::optional<ApprovalStatus> status = {};
  std::string line_id = {}, object = {};  ///< empty texts do not filter
};

/// Each call is atomic by itself and takes part in a transaction that is open already: so what was
/// approved is carried out in the transaction of the decision, or neither happens.
class Approvals {
 public:
  static constexpr DurationUs kLasts = 7 * kDay;

  explicit Approvals(store::Database& db) : db_(db) {}

  /// Throws APPROVAL_PENDING (one for this kind and object waits already), APPROVAL_EXPIRY (an
  /// expiry that is not after now).
  Approval request(const ApprovalRequest& request, TimeUs now);

  /// `digest` is that of the object as it is now. Throws what authorise() refuses for the right
  /// approve on its line, APPROVER_NOT_PERSON (the local user too: two people are needed, and the
  /// operating system vouches for one), APPROVER_IS_REQUESTER, APPROVAL_DECIDED, APPROVAL_EXPIRED,
  /// APPROVAL_STALE, COMMENT_MISSING (of a rejection), NAME_MISSING.
  Approval decide(const std::string& id, Verdict verdict, const Principal& by,
                  const std::string& digest, const std::string& comment, TimeUs now);

  /// As it stands now: one whose time is over is expired. Throws NAME_MISSING.
  [[nodiscard]] Approval get(const std::string& id, TimeUs now) const;
  [[nodiscard]] std::vector<Approval> list(const ApprovalFilter& filter,
                                           TimeUs now) const;  ///< newest first

  /// Writes down which are expired; how many.
  std::int64_t sweep(TimeUs now);

 private:
  store::Database& db_;
};

}  // namespace flyball::govern
