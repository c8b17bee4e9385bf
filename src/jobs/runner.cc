#include "jobs/runner.h"

#include <atomic>

namespace flyball::jobs {
namespace {

double seconds(DurationUs d) {
  return static_cast<double>(d) / 1e6;
}

}  // namespace

/// A running attempt: shared by its thread and the watchdogs.
class Runner::Attempted final : public Work {
 public:
  Attempted(Runner& runner, Job job)
      : runner_(runner), job_(std::move(job)), started_(runner.clock_.now()), heard_(started_) {}

  const Job& job() const override { return job_; }
  std::stop_token stop() const override { return stop_.get_token(); }

  bool enter(State state) override {
    heard_ = runner_.clock_.now();
    if (job_.attempt.state == state) return true;
    if (!runner_.queue_.move({job_.id, job_.attempt.number, job_.attempt.state, state, heard_}))
      return false;
    job_.attempt.state = state;
    runner_.tell(job_.id);
    return true;
  }

  /// Best effort: what cannot be written now is overtaken by the next word.
  void say(std::string stage, double fraction, std::string note) override try {
    heard_ = runner_.clock_.now();
    if (runner_.queue_.note(job_.id, job_.attempt.number,
                            {std::move(stage), fraction, std::move(note), heard_}))
      runner_.tell(job_.id);
  } catch (const Error& e) {
    runner_.options_.trouble(e.what());
  }

  void ask_to_stop() { stop_.request_stop(); }
  [[nodiscard]] TimeUs started() const { return started_; }
  [[nodiscard]] TimeUs heard() const { return heard_; }
  std::atomic<bool> finished = false;

 private:
  Runner& runner_;
  Job job_;
  std::stop_source stop_;
  const TimeUs started_;
  std::atomic<TimeUs> heard_;
};

Runner::Runner(Queue& queue, std::map<Kind, Body> bodies, const Clock& clock, RunnerOptions options,
               Watch watch)
    : queue_(queue),
      bodies_(std::move(bodies)),
      clock_(clock),
      options_(std::move(options)),
      watch_(std::move(watch)) {}

Runner::~Runner() {
  stopping_ = true;
  loop_ = {};
  for (const auto& attempted : unfinished()) {
    try {
      interrupt(*attempted);
    } catch (const std::exception& e) {
      options_.trouble(e.what());  // its lease runs out, and the next start interrupts it
    }
    attempted->ask_to_stop();
  }
}

void Runner::interrupt(const Attempted& attempted) {
  const Job job = queue_.job(attempted.job().id);
  if (job.attempt.number != attempted.job().attempt.number) return;
  const Message why{"JOB_INTERRUPTED", {{"id", job.id}, {"state", enum_name(job.attempt.state)}}};
  end(job, abandoned(job, State::interrupted, why));
}

std::vector<std::shared_ptr<Runner::Attempted>> Runner::unfinished() {
  std::list<Running> ended;  // joined after the lock is let go
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Attempted>> out;
  for (auto it = running_.begin(); it != running_.end();) {
    const auto next = std::next(it);
    if (it->attempted->finished) {
      ended.splice(ended.end(), running_, it);
    } else {
      out.push_back(it->attempted);
    }
    it = next;
  }
  return out;
}

void Runner::start() {
  for (const Job& job : queue_.abandoned(options_.owner, true, clock_.now())) {
    const Message why{"JOB_INTERRUPTED", {{"id", job.id}, {"state", enum_name(job.attempt.state)}}};
    end(job, abandoned(job, State::interrupted, why));
  }
  loop_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

void Runner::wake() {
  {
    const std::lock_guard lock(mutex_);
    work_ahead_ = true;
  }
  changed_.notify_all();
}

void Runner::loop(const std::stop_token& stop) {
  TimeUs renewed = 0;
  while (!stop.stop_requested()) {
    try {
      tick(renewed);
    } catch (const std::exception& e) {
      options_.trouble(e.what());
    }
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, options_.tick, [this] { return work_ahead_; });
    work_ahead_ = false;
  }
}

void Runner::tick(TimeUs& renewed) {
  const TimeUs now = clock_.now();
  const auto running = unfinished();
  if (!running.empty() && now - renewed > options_.lease / 3) {
    queue_.renew(options_.owner, now + options_.lease);
    renewed = now;
  }
  watch_over(running, now);
  while (start_next()) {
  }
}

void Runner::watch_over(const std::vector<std::shared_ptr<Attempted>>& running, TimeUs now) {
  for (const auto& attempted : running) {
    const bool stalled = now - attempted->heard() > options_.stall;
    const bool late = now - attempted->started() > options_.timeout;
    if (!stalled && !late) continue;
    const Message why = late ? Message{"JOB_TIMEOUT", {{"seconds", seconds(options_.timeout), "s"}}}
                             : Message{"JOB_STALLED", {{"seconds", seconds(options_.stall), "s"}}};
    const Job job = queue_.job(attempted->job().id);
    if (job.attempt.number != attempted->job().attempt.number) continue;
    end(job, abandoned(job, late ? State::timeout : State::failed, why));
    attempted->ask_to_stop();
  }
}

bool Runner::start_next() {
  const TimeUs now = clock_.now();
  std::optional<Job> job = queue_.claim(options_.owner, options_.slots, now, now + options_.lease);
  if (!job) return false;
  tell(job->id);
  auto attempted = std::make_shared<Attempted>(*this, *job);
  const std::lock_guard lock(mutex_);
  running_.push_back({attempted, std::jthread([this, attempted] { run(attempted); })});
  return true;
}

void Runner::run(const std::shared_ptr<Attempted>& attempted) {
  Ending ending;
  const auto refuse = [&](const Message& why) {
    ending = abandoned(attempted->job(), State::failed, why);
  };
  try {
    const auto body = bodies_.find(attempted->job().asked.kind);
    if (body == bodies_.end())
      throw Error("JOB_KIND_UNKNOWN", {{"kind", enum_name(attempted->job().asked.kind)}});
    ending = body->second.run(*attempted);
  } catch (const Error& e) {
    refuse(e.message());
  } catch (const std::exception& e) {
    refuse({"JOB_UNEXPECTED", {{"detail", e.what()}}});
  }
  end_surely(attempted->job(), ending);
  wake();
  attempted->finished = true;
}

void Runner::end_surely(const Job& job, const Ending& ending) {
  for (;;) {
    try {
      end(job, ending);
      return;
    } catch (const std::exception& e) {
      options_.trouble(e.what());
      if (stopping_) return;
      std::this_thread::sleep_for(options_.tick);
    }
  }
}

Ending Runner::abandoned(const Job& job, State state, const Message& why) {
  Ending out;
  out.state = state;
  out.outcome.code = why.code;
  out.outcome.reason = why.text();
  const auto body = bodies_.find(job.asked.kind);
  if (body != bodies_.end() && body->second.abandon) body->second.abandon(job, out);
  return out;
}

/// Part of the end of the attempt before, so that nobody takes that for the end of the job.
void Runner::try_again(const std::string& id) {
  try {
    queue_.retry(id, clock_.now());
  } catch (const Error& e) {
    if (e.errc() != Errc::resource_exhausted) throw;  // no retry or no room is left: it stays ended
  }
}

bool Runner::end(const Job& job, Ending ending) {
  Job now = job;
  for (;;) {
    Move step{now.id,       now.attempt.number, now.attempt.state,
              ending.state, clock_.now(),       ending.outcome};
    bool ended = false;
    try {
      ended = queue_.move(step, [&] {
        if (ending.keep) ending.keep();
        if (ending.try_again) try_again(job.id);
      });
    } catch (const Error& e) {
      // What had to be kept could not be: the attempt fails and says so, unless time may help.
      if (!ending.keep || e.errc() == Errc::unavailable) throw;
      ending = {State::failed, {}, {}, {}, false};
      ending.outcome.code = e.code();
      ending.outcome.reason = e.what();
      continue;
    }
    if (ended) break;
    now = queue_.job(job.id);
    if (now.attempt.number != job.attempt.number || terminal(now.attempt.state) ||
        !may_follow(now.attempt.state, ending.state)) {
      if (ending.discard) ending.discard();
      return false;
    }
  }
  tell(job.id);
  if (ending.try_again) wake();
  return true;
}

Job Runner::cancel(const std::string& id, const std::string& by, const std::string& reason) {
  const Job job = queue_.job(id);
  const Message why{"JOB_CANCELLED", {{"by", by}, {"reason", reason.empty() ? "" : ": " + reason}}};
  if (terminal(job.attempt.state) || !end(job, abandoned(job, State::cancelled, why)))
    throw Error("JOB_ENDED", {{"id", id}, {"state", enum_name(queue_.job(id).attempt.state)}});
  for (const auto& attempted : unfinished()) {
    if (attempted->job().id == id) attempted->ask_to_stop();
  }
  wake();
  return queue_.job(id);
}

void Runner::tell(const std::string& id) {
  if (watch_) watch_(queue_.job(id));
}

}  // namespace flyball::jobs
