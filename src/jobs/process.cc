#include "jobs/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "core/error.h"
#include "store/files.h"

namespace flyball::jobs {
namespace {

using store::Descriptor;

[[noreturn]] void fail(const char* what) {
  throw Error("JOB_PROCESS_START", {{"reason", std::string(what) + ": " + std::strerror(errno)}});
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

/// Both ends of a pipe or of a socket.
struct Ends {
  Descriptor ours{-1}, theirs{-1};
};

Ends pipe_from_child() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Ends socket_to_child() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

/// Between fork and exec: only what is safe there.
void Process::become(const ProcessOptions& o, char* const* argv, char* const* envp, int in, int out,
                     int said, pid_t parent) const {
  ::setpgid(0, 0);
  const LimitsInForce in_force = limits_.apply();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // after the change of user, which forgets it
  if (::getppid() != parent) ::_exit(127);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  if (::chdir(o.folder.c_str()) != 0 || ::write(said, &in_force, sizeof in_force) < 0 ||
      ::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(log_.get(), 2) < 0)
    ::_exit(126);
  ::close_range(3, ~0U, 0);
  ::execve(argv[0], argv, envp);
  ::_exit(127);
}

Process::Process(const ProcessOptions& o) : limits_(o.limits, o.command.front()) {
  const std::vector<char*> argv = pointers(o.command), envp = pointers(o.environment);
  store::make_folder(o.log.parent_path());
  log_ = Descriptor(::open(
      o.log.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (o.keep_log ? 0 : O_TRUNC), 0640));
  Ends said = pipe_from_child(), out = pipe_from_child();
  Ends in = o.talks ? socket_to_child()
                    : Ends{Descriptor(-1), Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC))};
  if (!log_.ok() || !in.theirs.ok()) fail("open");
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0)
    become(o, argv.data(), envp.data(), in.theirs.get(), out.theirs.get(), said.theirs.get(),
           parent);
  ::setpgid(pid_, pid_);
  said.theirs = Descriptor(-1);
  out_ = std::move(out.ours);
  in_ = std::move(in.ours);
  while (::read(said.ours.get(), &in_force_, sizeof in_force_) < 0 && errno == EINTR) {
  }
}

Process::~Process() {
  if (reaped_) return;
  kill_tree();
  while (!ended()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  reap();
}

bool Process::ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid_;
}

void Process::kill_tree() {
  if (reaped_) return;
  ::kill(-pid_, SIGKILL);
  limits_.kill_group();
}

bool Process::wait(std::chrono::milliseconds most) {
  const Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  if (handle.ok()) {
    pollfd wait{handle.get(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(most.count()));
    return ended();
  }
  for (auto left = most; left.count() > 0 && !ended(); left -= std::chrono::milliseconds(5))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return ended();
}

ChildEnd Process::reap() {
  kill_tree();
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  ChildEnd out;
  if (WIFSIGNALED(status)) {
    out.signal = WTERMSIG(status);
  } else {
    out.exit_code = WEXITSTATUS(status);
  }
  return out;
}

void Process::allow_cpu(std::chrono::milliseconds more) const {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return;
  rlimit now{};
  if (::prlimit(pid_, RLIMIT_CPU, nullptr, &now) != 0) return;
  now.rlim_cur = static_cast<rlim_t>(used.tv_sec + (more.count() + 1999) / 1000 + 1);
  ::prlimit(pid_, RLIMIT_CPU, &now, nullptr);
}

}  // namespace flyball::jobs
