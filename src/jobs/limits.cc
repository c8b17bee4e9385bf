#include "jobs/limits.h"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace flyball::jobs {
namespace {

namespace fs = std::filesystem;

constexpr uid_t kFirstUser = 61'500;  // given to nobody for good: the range of dynamic users
constexpr uid_t kUsers = 1'000;

uid_t next_user() {
  static std::atomic<unsigned> next{static_cast<unsigned>(::getpid())};
  return kFirstUser + next++ % kUsers;
}

/// Our control group of the pids controller, v1 or v2; empty when there is none.
fs::path own_group() {
  std::ifstream groups("/proc/self/cgroup");
  fs::path unified;
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 2);
    if (controllers == "pids") return fs::path("/sys/fs/cgroup/pids") / path;
    if (controllers.empty()) unified = fs::path("/sys/fs/cgroup") / path;
  }
  return unified;
}

/// Groups that processes left which were killed; one that still has members stays.
void sweep_groups(const fs::path& parent) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("flyball-")) continue;
    const auto owner = static_cast<pid_t>(std::atol(name.c_str() + 8));
    if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) ::rmdir(entry.path().c_str());
  }
}

bool write_text(const fs::path& file, const std::string& text) {
  const store::Descriptor fd(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return fd.ok() &&
         ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Processes and threads of our user.
std::uint64_t tasks_of_user() {
  std::uint64_t out = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    struct stat info {};
    if (::stat(entry.path().c_str(), &info) != 0 || info.st_uid != ::getuid()) continue;
    for ([[maybe_unused]] const auto& task : fs::directory_iterator(entry.path() / "task", ignored))
      ++out;
  }
  return out;
}

void own(const fs::path& folder, uid_t user) {
  (void)!::lchown(folder.c_str(), user, user);
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
    (void)!::lchown(entry.path().c_str(), user, user);
}

bool limit(__rlimit_resource what, std::uint64_t value) noexcept {
  const rlimit both{value, value};
  return ::setrlimit(what, &both) == 0;
}

}  // namespace

PreparedLimits::PreparedLimits(ChildLimits limits, const fs::path& program)
    : limits_(std::move(limits)), program_(program) {
  if (limits_.other_user && ::geteuid() == 0) {
    user_ = next_user();
    for (const fs::path& folder : limits_.owns) own(folder, user_);
  }
  if (limits_.processes > 0) make_group();
  if (limits_.processes > 0 && group_.empty()) user_tasks_ = tasks_of_user();
}

void PreparedLimits::make_group() {
  static std::atomic<unsigned> number{0};
  const fs::path parent = own_group();
  if (parent.empty()) return;
  sweep_groups(parent);
  const fs::path group =
      parent / ("flyball-" + std::to_string(::getpid()) + "-" + std::to_string(number++));
  if (::mkdir(group.c_str(), 0755) != 0) return;
  group_ = group;
  if (write_text(group / "pids.max", std::to_string(limits_.processes)))
    group_procs_ =
        store::Descriptor(::open((group / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
  if (group_procs_.ok()) return;
  ::rmdir(group.c_str());
  group_.clear();
}

PreparedLimits::~PreparedLimits() {
  if (!group_.empty()) ::rmdir(group_.c_str());
}

void PreparedLimits::kill_group() const {
  if (group_.empty()) return;
  if (write_text(group_ / "cgroup.kill", "1")) return;
  std::ifstream members(group_ / "cgroup.procs");
  for (pid_t pid = 0; members >> pid;) ::kill(pid, SIGKILL);
}

bool PreparedLimits::become_other_user() const noexcept {
  if (user_ == 0) return false;
  if (::setgroups(0, nullptr) != 0 || ::setegid(user_) != 0 || ::seteuid(user_) != 0) return false;
  bool able = ::faccessat(AT_FDCWD, program_.c_str(), X_OK, AT_EACCESS) == 0;
  for (const fs::path& folder : limits_.reads)
    able = able && ::faccessat(AT_FDCWD, folder.c_str(), R_OK | X_OK, AT_EACCESS) == 0;
  for (const fs::path& folder : limits_.owns)
    able = able && ::faccessat(AT_FDCWD, folder.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) == 0;
  if (::seteuid(0) != 0 || ::setegid(0) != 0) ::_exit(126);
  if (!able) return false;
  if (::setresgid(user_, user_, user_) != 0 || ::setresuid(user_, user_, user_) != 0) ::_exit(126);
  return true;
}

LimitsInForce PreparedLimits::apply() const noexcept {
  LimitsInForce out;
  if (group_procs_.ok() && ::write(group_procs_.get(), "0", 1) == 1)
    out.processes = ProcessLimit::cgroup;
  if (limits_.no_network) out.network = leave_network();
  out.other_user = become_other_user();
  if (limits_.processes > 0 && out.processes == ProcessLimit::none &&
      (out.other_user || ::geteuid() != 0) &&  // root is not counted
      limit(RLIMIT_NPROC, limits_.processes + (out.other_user ? 0 : user_tasks_)))
    out.processes = ProcessLimit::user;
#ifndef FLYBALL_SANITIZED
  if (limits_.memory_bytes > 0) out.memory = limit(RLIMIT_AS, limits_.memory_bytes);
#endif
  if (limits_.cpu_seconds > 0) limit(RLIMIT_CPU, limits_.cpu_seconds);
  if (limits_.file_bytes > 0) limit(RLIMIT_FSIZE, limits_.file_bytes);
  limit(RLIMIT_CORE, 0);
  if (limits_.niceness > 0) (void)::nice(limits_.niceness);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return out;
}

}  // namespace flyball::jobs
