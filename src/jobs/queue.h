#pragma once
// The port through which jobs wait, run and end. Every change of state is compare-and-set on
// (attempt, state): false means that somebody else was first, and nothing was changed.
//
// Implementations: MemoryQueue, SqliteQueue; tests/contract runs the same tests on both. Calls are
// safe from several threads.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jobs/job.h"

namespace flyball::jobs {

struct QueueLimits {
  std::int64_t waiting = 20;  ///< QUEUE_FULL beyond
  std::int64_t retries = 2;   ///< RETRY_EXHAUSTED beyond
};

struct JobFilter {
  std::optional<State> state;
  std::optional<Kind> kind;
  std::string line_id;  ///< "" = every line
};

struct JobPage {
  std::vector<Job> jobs;  ///< newest first
  std::optional<std::string> next_cursor;
};

/// One step of one attempt.
struct Move {
  std::string job_id;
  std::int64_t attempt = 1;
  State from = State::queued, to = State::queued;
  TimeUs at = 0;
  std::optional<Outcome> outcome = std::nullopt;  ///< with a terminal state
};

class Queue {
 public:
  virtual ~Queue() = default;

  /// Throws QUEUE_FULL.
  virtual Job submit(const Submission& asked, TimeUs now) = 0;
  /// A new attempt at a job that ended as failed, timeout, interrupted or cancelled. Throws
  /// JOB_MISSING, JOB_NOT_RETRYABLE, RETRY_EXHAUSTED, QUEUE_FULL.
  virtual Job retry(const std::string& id, TimeUs now) = 0;

  /// Gives the oldest waiting job of the best priority to `owner` until `lease_until`, in
  /// `provisioning`, when fewer than `slots` run; none otherwise.
  virtual std::optional<Job> claim(const std::string& owner, std::int64_t slots, TimeUs now,
                                   TimeUs lease_until) = 0;
  /// Compare-and-set; false when the attempt is not in `from` or `to` may not follow it. `with` is
  /// part of the step: it runs only when the step is taken, and when it throws nothing is changed.
  [[nodiscard]] virtual bool move(const Move& step, const std::function<void()>& with) = 0;
  [[nodiscard]] bool move(const Move& step) { return move(step, {}); }
  /// Replaces the newest word of a running attempt; false when it does not run.
  virtual bool note(const std::string& id, std::int64_t attempt, const ProgressNote& progress) = 0;
  /// Heartbeat of everything that `owner` runs.
  virtual void renew(const std::string& owner, TimeUs lease_until) = 0;
  /// Running attempts whose lease ended before `now` or, when `owner_is_gone`, whose owner is not
  /// `survivor`. They are not changed: who asks decides how each ends.
  virtual std::vector<Job> abandoned(const std::string& survivor, bool owner_is_gone,
                                     TimeUs now) = 0;

  virtual Job job(const std::string& id) = 0;                        ///< throws JOB_MISSING
  virtual std::vector<Attempt> attempts(const std::string& id) = 0;  ///< oldest first
  /// Throws CURSOR_INVALID.
  virtual JobPage list(const JobFilter& filter, std::int64_t limit,
                       const std::optional<std::string>& cursor) = 0;
  /// Jobs by state of their newest attempt.
  virtual std::vector<std::int64_t> count() = 0;
  /// Forgets an ended job. Throws JOB_MISSING, JOB_ACTIVE.
  virtual void remove(const std::string& id) = 0;
};

/// Every id, sorted.
std::vector<std::string> job_ids(Queue& queue);

}  // namespace flyball::jobs
