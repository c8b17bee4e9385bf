#include "jobs/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "store/descriptor.h"
#include "store/files.h"

namespace flyball::jobs {
namespace {

using store::Descriptor;

constexpr std::size_t kLongestLine = 65'536;

[[noreturn]] void fail(const char* what) {
  throw Error("JOB_PROCESS_START", {{"reason", std::string(what) + ": " + std::strerror(errno)}});
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

/// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become(const ChildOptions& o, char* const* argv, char* const* envp, int in,
                         int out, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
#ifndef FLYBALL_SANITIZED
  if (o.memory_bytes > 0) {
    const rlimit limit{o.memory_bytes, o.memory_bytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
#endif
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (::chdir(o.folder.c_str()) != 0 || ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 ||
      ::dup2(log, 2) < 0)
    ::_exit(126);
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv, envp);
  ::_exit(127);
}

/// Whole lines of a stream, long ones cut.
class Lines {
 public:
  Lines(const std::function<void(std::string_view)>& each, int log) : each_(each), log_(log) {}
  void add(std::string_view bytes) {
    for (const char c : bytes) {
      if (c == '\n') {
        end();
      } else if (line_.size() < kLongestLine) {
        line_ += c;
      }
    }
  }
  void end() {
    if (each_) each_(line_);
    line_ += '\n';
    (void)!::write(log_, line_.data(), line_.size());  // the log is a help, not a promise
    line_.clear();
  }
  [[nodiscard]] bool open() const { return !line_.empty(); }

 private:
  const std::function<void(std::string_view)>& each_;
  int log_;
  std::string line_;
};

/// Until the child closes its stdout; false when a stop came first.
bool read_lines(int from, int stop_event, Lines& lines) {
  char buffer[16'384];
  for (;;) {
    pollfd waits[] = {{from, POLLIN, 0}, {stop_event, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (waits[1].revents != 0) return false;
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    lines.add({buffer, static_cast<std::size_t>(n)});
  }
  if (lines.open()) lines.end();
  return true;
}

/// The child closed its stdout but may still run: waits for its end or for a stop.
void wait_or_stop(pid_t pid, int stop_event) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == pid)
      return;
    pollfd wait{stop_event, POLLIN, 0};
    if (::poll(&wait, 1, 20) > 0) return;
  }
}

}  // namespace

ChildEnd run_child(const ChildOptions& o, std::stop_token stop) {
  const std::vector<char*> argv = pointers(o.command), envp = pointers(o.environment);
  store::make_folder(o.log.parent_path());
  const Descriptor log(::open(o.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640));
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Descriptor stop_event(::eventfd(0, EFD_CLOEXEC));
  int ends[2];
  if (log.get() < 0 || nothing.get() < 0 || stop_event.get() < 0 || ::pipe2(ends, O_CLOEXEC) != 0)
    fail("pipe");
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail("fork");
  if (pid == 0)
    become(o, argv.data(), envp.data(), nothing.get(), write_end.get(), log.get(), parent);
  ::setpgid(pid, pid);
  ::close(write_end.release());
  const std::stop_callback wake(stop, [&] {
    const std::uint64_t one = 1;
    (void)!::write(stop_event.get(), &one, sizeof one);
  });
  Lines lines(o.on_line, log.get());
  ChildEnd end;
  try {
    if (read_lines(read_end.get(), stop_event.get(), lines)) wait_or_stop(pid, stop_event.get());
  } catch (...) {
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw;
  }
  end.stopped = stop.stop_requested();
  siginfo_t info{};
  if (end.stopped) ::kill(-pid, SIGKILL);
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  ::kill(-pid, SIGKILL);  // what it left behind in its group, while the pid is still ours
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

std::vector<std::string> safe_environment() {
  std::vector<std::string> out;
  for (const char* name : {"PATH", "TMPDIR", "LANG", "LC_ALL"}) {
    if (const char* value = std::getenv(name)) out.push_back(std::string(name) + "=" + value);
  }
  return out;
}

}  // namespace flyball::jobs
