#pragma once
// A child process in a process group of its own, with a pipe at its stdout and, where asked for, a
// socket at its stdin. It inherits nothing but its environment as given, and never outlives the
// thread that started it (PR_SET_PDEATHSIG).
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "jobs/limits.h"
#include "store/descriptor.h"

namespace flyball::jobs {

struct ChildEnd {
  int exit_code = 0;     ///< when `signal` is 0
  int signal = 0;        ///< that ended it
  bool stopped = false;  ///< we ended it, because a stop was asked for
};

struct ProcessOptions {
  std::vector<std::string> command;      ///< program (an absolute path) and arguments
  std::filesystem::path folder;          ///< where it works
  std::vector<std::string> environment;  ///< "NAME=value"
  std::filesystem::path log;             ///< its stderr
  bool keep_log = true;                  ///< append to what is there
  bool talks = false;                    ///< has a stdin; else that is empty
  ChildLimits limits = {};
};

class Process {
 public:
  /// Throws JOB_PROCESS_START. A program that cannot be run ends with exit code 127.
  explicit Process(const ProcessOptions& options);
  /// Ends it and waits for its end.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int out() const { return out_.get(); }  ///< to read what it says
  [[nodiscard]] int in() const { return in_.get(); }    ///< a socket: send with MSG_NOSIGNAL
  [[nodiscard]] int log() const { return log_.get(); }
  [[nodiscard]] const LimitsInForce& in_force() const { return in_force_; }

  /// True once it has ended; it stays a zombie, so that its number remains ours.
  [[nodiscard]] bool ended() const;
  /// SIGKILL to it and all that it started.
  void kill_tree();
  /// Waits until it has ended, at most so long.
  bool wait(std::chrono::milliseconds most);
  /// Kills what it left behind and reaps it; it must have ended.
  ChildEnd reap();
  /// Processor time that it may use from now on.
  void allow_cpu(std::chrono::milliseconds more) const;

 private:
  [[noreturn]] void become(const ProcessOptions& o, char* const* argv, char* const* envp, int in,
                           int out, int said, pid_t parent) const;

  PreparedLimits limits_;
  store::Descriptor out_{-1}, in_{-1}, log_{-1};
  LimitsInForce in_force_;
  pid_t pid_ = -1;
  bool reaped_ = false;
};

}  // namespace flyball::jobs
