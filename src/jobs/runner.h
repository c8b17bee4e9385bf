#pragma once
// Takes jobs from the queue and runs them, each on its own thread, at most `slots` at a time.
//
// A body does the work of a kind. It says how far it is (which keeps the stall watchdog quiet),
// enters the states of the table, and returns how it ended; only the runner ends an attempt, in one
// place for success, refusal, error, cancel, stall, timeout and interruption. What must be atomic
// with the end (experiment, model) travels in Ending::keep and is part of the same transaction.
#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "jobs/queue.h"

namespace flyball::jobs {

struct Ending {
  State state = State::done;  ///< terminal
  Outcome outcome;
  std::function<void()> keep = {};     ///< in the transaction of the end; may be empty
  std::function<void()> discard = {};  ///< when the attempt had ended already; may be empty
  bool try_again = false;              ///< a new attempt is queued when retries are left
};

/// One attempt as its body sees it. Safe from the body's thread only.
class Work {
 public:
  virtual ~Work() = default;
  [[nodiscard]] virtual const Job& job() const = 0;
  [[nodiscard]] virtual std::stop_token stop() const = 0;
  /// provisioning → training → evaluating; false when the attempt has ended meanwhile.
  virtual bool enter(State state) = 0;
  virtual void say(std::string stage, double fraction, std::string note) = 0;
};

struct Body {
  /// Throws what went wrong: the attempt fails with its code and text.
  std::function<Ending(Work&)> run;
  /// What is kept of an attempt that did not end by itself (cancel, stall, timeout, interruption,
  /// error): may fill in outcome and keep. May be empty.
  std::function<void(const Job&, Ending&)> abandon = {};
};

struct RunnerOptions {
  std::string owner;  ///< names this process; other owners are dead when it starts
  std::int64_t slots = 2;
  DurationUs stall = 600 * kSecond;      ///< without a word
  DurationUs timeout = 1'800 * kSecond;  ///< in all
  DurationUs lease = 30 * kSecond;       ///< renewed at a third of it
  std::chrono::milliseconds tick{1'000};
  /// Told what went wrong between the jobs (a database that somebody else writes for long); it is
  /// tried again at the next tick.
  std::function<void(const std::string&)> trouble = [](const std::string&) {};
};

class Runner {
 public:
  /// Called after every change of a job, from the thread that made it; must not call back.
  using Watch = std::function<void(const Job&)>;

  Runner(Queue& queue, std::map<Kind, Body> bodies, const Clock& clock, RunnerOptions options,
         Watch watch = {});
  /// Interrupts what runs.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Ends what a dead owner left running, then starts to take jobs.
  void start();
  /// Look for work now.
  void wake();
  /// Ends a waiting or running job at once: its slot is free when this returns. Throws JOB_MISSING,
  /// JOB_ENDED.
  Job cancel(const std::string& id, const std::string& by, const std::string& reason);

 private:
  class Attempted;
  struct Running {
    std::shared_ptr<Attempted> attempted;
    std::jthread thread;
  };

  void loop(const std::stop_token& stop);
  void tick(TimeUs& renewed);
  /// Joins the threads of those that ended.
  std::vector<std::shared_ptr<Attempted>> unfinished();
  void watch_over(const std::vector<std::shared_ptr<Attempted>>& running, TimeUs now);
  bool start_next();
  void run(const std::shared_ptr<Attempted>& attempted);
  void interrupt(const Attempted& attempted);
  void try_again(const std::string& id);
  /// end() again until it can be written, or the runner is stopped.
  void end_surely(const Job& job, const Ending& ending);
  /// False when the attempt had ended already.
  bool end(const Job& job, Ending ending);
  Ending abandoned(const Job& job, State state, const Message& why);
  void tell(const std::string& id);

  Queue& queue_;
  std::map<Kind, Body> bodies_;
  const Clock& clock_;
  RunnerOptions options_;
  Watch watch_;

  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool work_ahead_ = false;
  std::list<Running> running_;
  std::atomic<bool> stopping_ = false;
  std::jthread loop_;
};

}  // namespace flyball::jobs
