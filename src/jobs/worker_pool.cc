#include "jobs/worker_pool.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "core/json.h"

namespace flyball::jobs {
namespace {

/// A descriptor that becomes readable when one of two stops is asked for.
class Wake {
 public:
  Wake(std::stop_token a, std::stop_token b)
      : event_(::eventfd(0, EFD_CLOEXEC)),
        first_(std::move(a), Ring{event_.get()}),
        second_(std::move(b), Ring{event_.get()}) {}
  [[nodiscard]] int get() const { return event_.get(); }

 private:
  struct Ring {
    int fd;
    void operator()() const noexcept {
      const std::uint64_t one = 1;
      (void)!::write(fd, &one, sizeof one);
    }
  };
  store::Descriptor event_;
  std::stop_callback<Ring> first_, second_;
};

}  // namespace

/// A slot for as long as one call takes, whatever ends it.
class WorkerPool::Held {
 public:
  Held(WorkerPool& pool, const std::stop_token& stop) : pool_(pool), slot_(pool.take(stop)) {}
  ~Held() { pool_.release(slot_, retire_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Slot& slot() { return slot_; }
  void retire() { retire_ = true; }

 private:
  WorkerPool& pool_;
  Slot& slot_;
  bool retire_ = false;
};

WorkerPool::WorkerPool(PoolOptions options, const Clock& clock)
    : options_(std::move(options)), clock_(clock), slots_(std::max<std::size_t>(1, options_.size)) {
  options_.worker.process.talks = true;
  options_.worker.process.keep_log = false;
}

WorkerPool::~WorkerPool() {
  ending_.request_stop();
  std::unique_lock lock(mutex_);
  freed_.notify_all();
  freed_.wait(lock, [this] { return inside_ == 0; });
}

void WorkerPool::free_quarantined() {
  for (Slot& slot : slots_) {
    if (!slot.quarantined || !slot.worker->gone()) continue;
    slot.worker.reset();
    slot.quarantined = false;
  }
}

void WorkerPool::check_health(const Slot& slot) {
  if (slot.worker && slot.worker->usable() && !health_.degraded()) return;
  switch (health_.ask(clock_.now())) {
    case WorkerHealth::Answer::go:
      return;
    case WorkerHealth::Answer::restarting:
      throw Error("SOLVER_RESTARTING", {{"failures", health_.failures()}});
    case WorkerHealth::Answer::degraded:
      throw Error("SOLVER_UNAVAILABLE", {{"failures", health_.failures()}});
  }
}

WorkerPool::Slot& WorkerPool::take(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto find = [this]() -> Slot* {
    free_quarantined();
    Slot* best = nullptr;
    for (Slot& slot : slots_) {
      if (slot.taken || slot.quarantined) continue;
      if (best == nullptr || (slot.worker && !best->worker)) best = &slot;
    }
    return best;
  };
  Slot* slot = find();
  if (slot == nullptr) {
    if (std::ranges::all_of(slots_, &Slot::quarantined))
      throw Error("SOLVER_UNAVAILABLE", {{"failures", health_.failures()}});
    if (waiting_ >= options_.queue_limit)
      throw Error("SOLVER_QUEUE_FULL", {{"limit", options_.queue_limit}});
    ++waiting_;
    ++inside_;
    const std::stop_callback ring(ending_.get_token(), [this] { freed_.notify_all(); });
    const bool free = freed_.wait_for(lock, stop, options_.slot_wait, [&] {
      return ending_.stop_requested() || (slot = find()) != nullptr;
    });
    --waiting_;
    --inside_;
    if (ending_.stop_requested()) freed_.notify_all();
    if (stop.stop_requested()) throw Error("CANCELLED");
    if (!free) throw Error("SOLVER_QUEUE_FULL", {{"limit", options_.queue_limit}});
  }
  if (ending_.stop_requested()) throw Error("WORKER_RETIRING");
  check_health(*slot);
  slot->taken = true;
  ++inside_;
  return *slot;
}

void WorkerPool::release(Slot& slot, bool retire) {
  std::unique_ptr<Worker> worker;
  if (retire) worker = std::move(slot.worker);
  const bool gone = !worker || worker->retire();
  if (gone) worker.reset();
  const std::lock_guard lock(mutex_);
  if (!gone) {
    slot.worker = std::move(worker);
    slot.quarantined = true;
  }
  slot.taken = false;
  health_.gave_up();  // unless it was told how the attempt went
  --inside_;
  freed_.notify_all();
}

Json WorkerPool::concluded(Slot& slot, Worker::Answer answer) {
  {
    const std::lock_guard lock(mutex_);
    in_force_ = slot.worker->in_force();
    if (answer.failure) {
      health_.failed(clock_.now());
    } else if (!answer.broken) {
      health_.succeeded();
    }
  }
  if (answer.broken) throw Error(answer.broken->code, answer.broken->params);
  if (answer.error) throw_worker_error(*answer.error);
  return std::move(answer.result);
}

std::unique_ptr<Worker> WorkerPool::start(const Slot& slot, int wake) {
  WorkerOptions options = options_.worker;
  options.process.log += "-" + std::to_string(&slot - slots_.data()) + ".log";
  std::unique_ptr<Process> process;
  starter_.run([&] { process = std::make_unique<Process>(options.process); });
  return std::make_unique<Worker>(options, std::move(process), wake);
}

Json WorkerPool::ask(const std::string& op, const Json& payload, std::chrono::milliseconds deadline,
                     std::stop_token stop) {
  Held held(*this, stop);
  Slot& slot = held.slot();
  const Wake wake(stop, ending_.get_token());
  if (slot.worker && !slot.worker->usable()) slot.worker.reset();
  try {
    if (!slot.worker) slot.worker = start(slot, wake.get());
  } catch (const Error& e) {
    const std::lock_guard lock(mutex_);
    if (e.code() == "WORKER_RETIRING") {
      if (stop.stop_requested()) throw Error("CANCELLED");
    } else {
      health_.failed(clock_.now());
    }
    throw;
  }
  Worker::Answer answer = slot.worker->ask(op, payload, deadline, wake.get());
  if (answer.fate == Worker::Fate::retired) held.retire();
  if (answer.broken && answer.broken->code == "CANCELLED" && !stop.stop_requested())
    answer.broken = Message{"WORKER_RETIRING", {}};
  return concluded(slot, std::move(answer));
}

PoolStats WorkerPool::stats() const {
  const std::lock_guard lock(mutex_);
  PoolStats out;
  out.size = static_cast<std::int64_t>(slots_.size());
  for (const Slot& slot : slots_) {
    out.busy += slot.taken ? 1 : 0;
    out.quarantined += slot.quarantined ? 1 : 0;
    out.ready += !slot.taken && !slot.quarantined && slot.worker ? 1 : 0;
  }
  out.waiting = static_cast<std::int64_t>(waiting_);
  out.failures = health_.failures();
  out.degraded = health_.degraded();
  out.network = in_force_.network;
  out.processes = in_force_.processes;
  out.other_user = in_force_.other_user;
  out.memory = in_force_.memory;
  return out;
}

}  // namespace flyball::jobs
