#include <charconv>

#include "jobs/job_row.h"
#include "jobs/notices.h"
#include "store/savepoint.h"

namespace flyball::jobs {
namespace {

const std::string kOf =
    " FROM jobs j JOIN job_attempts a ON a.job_id = j.id AND a.newest = 1 "
    "WHERE j.submitted_by = ?1 AND a.ended_at IS NOT NULL ";
// The sequence tells apart what ended at the same time.
const std::string kPage = "SELECT " + std::string(kJobColumns) + ", a.noticed_at, a.sequence" +
                          kOf +
                          "AND (?2 OR a.noticed_at IS NULL) "
                          "AND (a.ended_at, a.sequence) < (?3, ?4) "
                          "ORDER BY a.ended_at DESC, a.sequence DESC LIMIT ?5";
const std::string kUnread = "SELECT COUNT(*)" + kOf + "AND a.noticed_at IS NULL";
constexpr std::string_view kMark =
    "UPDATE job_attempts SET noticed_at = ?3 WHERE newest = 1 AND ended_at IS NOT NULL "
    "AND noticed_at IS NULL AND job_id IN (SELECT id FROM jobs WHERE submitted_by = ?1 "
    "AND (?2 = '' OR id = ?2))";

struct Place {
  TimeUs at = INT64_MAX;
  std::int64_t sequence = INT64_MAX;
};

/// "n<end>-<sequence>" of the last row of a page.
Place place_of(const std::optional<std::string>& cursor) {
  Place out;
  if (!cursor) return out;
  const char* const end = cursor->data() + cursor->size();
  if (cursor->starts_with('n')) {
    const auto [at, first] = std::from_chars(cursor->data() + 1, end, out.at);
    if (first == std::errc() && at != end && *at == '-') {
      const auto [rest, second] = std::from_chars(at + 1, end, out.sequence);
      if (second == std::errc() && rest == end) return out;
    }
  }
  throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
}

}  // namespace

NoticePage Notices::list(const std::string& user, bool unread_only, std::int64_t limit,
                         const std::optional<std::string>& cursor) {
  const Place from = place_of(cursor);
  NoticePage out;
  Place last;
  for (store::Statement q = db_.query(kPage, user, !unread_only, from.at, from.sequence, limit + 1);
       q.step();) {
    if (static_cast<std::int64_t>(out.notices.size()) == limit) {
      out.next_cursor = "n" + std::to_string(last.at) + "-" + std::to_string(last.sequence);
      break;
    }
    last = {q.integer(5), q.integer(kJobSequence + 2)};
    out.notices.push_back({read_job(q), q.integer_or_none(kJobSequence + 1)});
  }
  return out;
}

std::int64_t Notices::unread(const std::string& user) {
  store::Statement q = db_.query(kUnread, user);
  q.step();
  return q.integer(0);
}

std::int64_t Notices::mark_read(const std::string& user, const std::vector<std::string>& jobs,
                                TimeUs now) {
  if (jobs.empty()) return db_.run(kMark, user, "", now);
  store::Savepoint part(db_);
  std::int64_t marked = 0;
  for (const std::string& job : jobs) marked += db_.run(kMark, user, job, now);
  part.commit();
  return marked;
}

}  // namespace flyball::jobs
