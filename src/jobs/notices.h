#pragma once
// What came of the jobs that a person asked for. A notice is the one outcome record of a job's
// newest attempt, once it has ended, and whether the submitter has seen it: nothing is written
// twice, and what a crash ended is told like all else. A new attempt is a new notice.
#include <optional>
#include <string>
#include <vector>

#include "jobs/job.h"
#include "store/sqlite.h"

namespace flyball::jobs {

struct Notice {
  Job job;  ///< ended
  std::optional<TimeUs> read_at;
};

struct NoticePage {
  std::vector<Notice> notices;  ///< newest first
  std::optional<std::string> next_cursor;
};

/// On a connection of flyball.db.
class Notices {
 public:
  explicit Notices(store::Database& db) : db_(db) {}

  /// Of what `user` asked for, by the time of the end. Throws CURSOR_INVALID.
  [[nodiscard]] NoticePage list(const std::string& user, bool unread_only, std::int64_t limit,
                                const std::optional<std::string>& cursor);
  [[nodiscard]] std::int64_t unread(const std::string& user);
  /// Those of the jobs named, or all; how many were unread. Jobs of others are left alone.
  std::int64_t mark_read(const std::string& user, const std::vector<std::string>& jobs, TimeUs now);

 private:
  store::Database& db_;
};

}  // namespace flyball::jobs
