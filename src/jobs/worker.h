#pragma once
// One worker as the pool sees it: started, asked, ended. Belongs to one thread at a time.
#include <memory>

#include "jobs/process.h"
#include "jobs/worker_frames.h"

namespace flyball::jobs {

struct WorkerOptions {
  ProcessOptions process;                    ///< talks
  std::chrono::milliseconds ready{20'000};   ///< until it says ready
  std::chrono::milliseconds grace{200};      ///< to answer a cancel before it is killed
  std::chrono::milliseconds confirm{5'000};  ///< until its end is confirmed
};

class Worker {
 public:
  /// Waits until the process is ready; `wake` ends that wait. Throws WORKER_START_TIMEOUT,
  /// WORKER_EXITED, WORKER_PROTOCOL, WORKER_RETIRING (woken).
  Worker(const WorkerOptions& options, std::unique_ptr<Process> process, int wake);

  enum class Fate { idle, retired };  ///< what may become of it after an answer
  struct Answer {
    Fate fate = Fate::idle;
    bool failure = false;        ///< of the worker, not of what was asked
    Json result;                 ///< when there is no `error`
    std::optional<Words> error;  ///< that the body threw
    std::optional<Message>
        broken;  ///< SOLVE_TIMEOUT, WORKER_INTERRUPTED, WORKER_PROTOCOL, CANCELLED
  };
  /// `wake` becomes readable when the caller goes away. Never throws for what the worker does.
  Answer ask(const std::string& op, const Json& payload, std::chrono::milliseconds deadline,
             int wake);

  /// True while nothing is to be read from it and it runs: it can be asked.
  [[nodiscard]] bool usable() const;
  /// Kills it with all that it started; false when its end could not be confirmed in time.
  bool retire();
  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  [[nodiscard]] const LimitsInForce& in_force() const { return process_->in_force(); }
  [[nodiscard]] bool gone() const { return process_->ended(); }

 private:
  Answer wait_for(const std::string& id, std::chrono::steady_clock::time_point until, int wake);
  Answer broken(Message why) const;
  /// The work was given up: a cancel frame, then a little time to answer it.
  Answer give_up(const std::string& id, Message why);

  WorkerOptions options_;
  std::unique_ptr<Process> process_;
  FrameReader reader_;
  std::int64_t asked_ = 0;
};

}  // namespace flyball::jobs
