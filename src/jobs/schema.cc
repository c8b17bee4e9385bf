#include "jobs/schema.h"

namespace flyball::jobs {
namespace {

constexpr std::string_view kTables = R"sql(
CREATE TABLE jobs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  priority INTEGER NOT NULL,
  line_id TEXT NOT NULL,
  submitted_by TEXT NOT NULL,
  title TEXT NOT NULL,
  request_json TEXT NOT NULL,
  submitted_at INTEGER NOT NULL
);
CREATE TABLE job_attempts (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id TEXT NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  newest INTEGER NOT NULL CHECK (newest IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN ('queued', 'provisioning', 'training', 'evaluating', 'done',
                                       'failed', 'cancelled', 'timeout', 'interrupted')),
  owner TEXT NOT NULL DEFAULT '',
  progress_json TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  lease_until INTEGER,
  outcome_json TEXT,
  UNIQUE (job_id, number)
);
CREATE UNIQUE INDEX job_newest_attempt ON job_attempts(job_id) WHERE newest = 1;
CREATE INDEX job_attempts_open ON job_attempts(state)
  WHERE state IN ('queued', 'provisioning', 'training', 'evaluating');
)sql";

/// What ended before anybody was told counts as told.
constexpr std::string_view kNotices = R"sql(
ALTER TABLE job_attempts ADD COLUMN noticed_at INTEGER;
UPDATE job_attempts SET noticed_at = ended_at;
CREATE INDEX jobs_by_submitter ON jobs(submitted_by);
)sql";

}  // namespace

store::Migration notice_migration(int number) {
  return {number, "notices to those who asked for jobs", kNotices};
}

store::Migration migration(int number) {
  return {number, "jobs and their attempts", kTables};
}

}  // namespace flyball::jobs
