#pragma once
// Threads that do what requests ask. Each has an App and a gate of its own, since neither is
// shared: several for what only reads, one for what writes, so that a long write never holds up a
// read. What computes for long between short transactions (app::Special) has threads beside these:
// two for questions about advice, one for trying a profile.
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/app.h"
#include "app/job_service.h"
#include "serve/gate.h"

namespace flyball::serve {

struct Worker {
  Worker(const app::DataFolder& data, const Clock& clock, app::JobService& jobs)
      : app(data, clock), gate(data.path, clock) {
    app.use(jobs);
  }
  app::App app;
  Gate gate;
};

enum class Lane { read, write, ask, attempt };

class Pool {
 public:
  /// The data folder is complete (App::create) already.
  Pool(const app::DataFolder& data, const Clock& clock, app::JobService& jobs, int readers,
       std::size_t queue_limit);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// False when too many wait already, or finish() was called. `work` does not throw.
  bool post(Lane lane, std::function<void(Worker&)> work);

  [[nodiscard]] std::size_t limit() const { return limit_; }

  /// Takes nothing more, ends what was taken, and waits for it.
  void finish();

 private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable bell;
    std::deque<std::function<void(Worker&)>> waiting;
    bool ended = false;
  };
  void work(Queue& queue, Worker& worker);

  std::size_t limit_;
  std::array<Queue, 4> queues_;  ///< by Lane
  std::vector<std::thread> threads_;
};

}  // namespace flyball::serve
