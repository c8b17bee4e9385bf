#pragma once
// A few workers, child processes that each do one thing at a time. Whatever a worker does, the
// caller sees an answer or one of the errors below within its deadline, and no slot stays taken.
//
// A slot is reserved before its worker is started. A worker that ran out of time, crashed, or said
// what cannot be read is ended with all that it started, and nothing is asked again by itself. When
// its end cannot be confirmed its slot is in quarantine until it is gone.
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "jobs/one_thread.h"
#include "jobs/worker.h"
#include "jobs/worker_health.h"

namespace flyball::jobs {

struct PoolOptions {
  WorkerOptions worker;
  std::size_t size = 1;         ///< 1..4
  std::size_t queue_limit = 8;  ///< callers that may wait for a slot
  std::chrono::milliseconds slot_wait{30'000};
};

/// `ready` and `busy` are workers; `network`, `processes`, `otherUser` and `memory` say what holds
/// of the newest.
struct PoolStats {
  std::int64_t size = 0, ready = 0, busy = 0, waiting = 0, quarantined = 0, failures = 0;
  bool degraded = false;
  NetworkLimit network = NetworkLimit::open;
  ProcessLimit processes = ProcessLimit::none;
  bool other_user = false, memory = false;
  static constexpr auto fields() {
    using P = PoolStats;
    return FieldList{
        field("size", &P::size, "workers at most"),
        field("ready", &P::ready, "that wait for work"),
        field("busy", &P::busy, "that work"),
        field("waiting", &P::waiting, "callers that wait for a worker"),
        field("quarantined", &P::quarantined, "slots whose worker would not end"),
        field("failures", &P::failures, "in a row"),
        field("degraded", &P::degraded, "too many failures: one attempt a minute"),
        field("network", &P::network, "open, or taken away by a filter or a namespace"),
        field("processes", &P::processes, "counted by a control group, by the user, or not"),
        field("otherUser", &P::other_user, "a worker is a user of its own"),
        field("memory", &P::memory, "its address space is limited")};
  }
};

class WorkerPool {
 public:
  /// `clock` times back-off and recovery.
  WorkerPool(PoolOptions options, const Clock& clock);
  /// Ends every worker; callers inside get WORKER_RETIRING.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// One op of one worker. Throws what the worker's body threw, and SOLVER_QUEUE_FULL,
  /// SOLVER_RESTARTING, SOLVER_UNAVAILABLE, SOLVE_TIMEOUT, WORKER_INTERRUPTED, WORKER_PROTOCOL,
  /// WORKER_START_TIMEOUT, WORKER_EXITED, WORKER_RETIRING, CANCELLED, JOB_PROCESS_START.
  Json ask(const std::string& op, const Json& payload, std::chrono::milliseconds deadline,
           std::stop_token stop = {});

  [[nodiscard]] PoolStats stats() const;

 private:
  struct Slot {
    std::unique_ptr<Worker> worker;
    bool taken = false, quarantined = false;
  };
  class Held;

  Slot& take(const std::stop_token& stop);
  /// Throws SOLVER_RESTARTING, SOLVER_UNAVAILABLE.
  void check_health(const Slot& slot);
  std::unique_ptr<Worker> start(const Slot& slot, int wake);
  void free_quarantined();
  void release(Slot& slot, bool retire);
  Json concluded(Slot& slot, Worker::Answer answer);

  PoolOptions options_;
  const Clock& clock_;
  OneThread starter_;  ///< what starts a process must live as long as it
  std::stop_source ending_;
  mutable std::mutex mutex_;
  std::condition_variable_any freed_;
  std::vector<Slot> slots_;
  WorkerHealth health_;
  LimitsInForce in_force_;
  std::size_t waiting_ = 0, inside_ = 0;
};

}  // namespace flyball::jobs
