#pragma once
// A job and one attempt as columns, in the order that read_job() takes them.
#include "jobs/job.h"
#include "store/columns.h"

namespace flyball::jobs {

/// Of jobs j and job_attempts a.
inline constexpr std::string_view kJobColumns =
    "a.number, a.state, a.owner, a.progress_json, a.started_at, a.ended_at, a.lease_until, "
    "a.outcome_json, j.id, j.kind, j.line_id, j.submitted_by, j.title, j.request_json, "
    "j.submitted_at, j.sequence";
inline constexpr int kJobSequence = 15;  ///< column of j.sequence

inline Attempt read_attempt(const store::Statement& q) {
  return {q.integer(0),
          store::enum_column<State>(q, 1),
          q.text(2),
          store::record_column<ProgressNote>(q, 3),
          q.integer_or_none(4),
          q.integer_or_none(5),
          q.integer_or_none(6),
          store::record_column<Outcome>(q, 7)};
}

inline Job read_job(const store::Statement& q) {
  return {q.text(8),
          {store::enum_column<Kind>(q, 9), q.text(10), q.text(11), q.text(12),
           store::json_column(q, 13)},
          q.integer(14),
          read_attempt(q)};
}

}  // namespace flyball::jobs
