#include <sys/file.h>

#include <cerrno>
#include <thread>

#include "core/checks.h"
#include "core/error.h"
#include "store/descriptor.h"
#include "store/files.h"
#include "store/system_error.h"

namespace flyball::store {
namespace {

constexpr std::chrono::milliseconds kPoll{20};

[[noreturn]] void throw_in_use(const fs::path& data_folder, const fs::path& lock) {
  std::string pid = read_file(lock), command = "unknown";
  if (const auto end = pid.find('\n'); end != std::string::npos) {
    command = pid.substr(end + 1, pid.find('\n', end + 1) - end - 1);
    pid.resize(end);
  }
  if (pid.empty()) pid = "unknown";
  throw Error("DATA_IN_USE", {{"path", data_folder.string()}, {"pid", pid}, {"command", command}});
}

}  // namespace

DataLock::DataLock(const fs::path& data_folder, std::string_view command,
                   std::chrono::milliseconds wait, std::stop_token stop) {
  const fs::path lock = data_folder / "runtime" / "lock";
  make_folder(lock.parent_path());
  Descriptor fd(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.ok()) throw_write_error(errno, lock);
  const auto give_up = std::chrono::steady_clock::now() + wait;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) throw_write_error(errno, lock);
    if (std::chrono::steady_clock::now() >= give_up) throw_in_use(data_folder, lock);
    check_stop(stop);
    std::this_thread::sleep_for(kPoll);
  }
  const std::string text = std::to_string(::getpid()) + "\n" + std::string(command) + "\n";
  if (::ftruncate(fd.get(), 0) != 0) throw_write_error(errno, lock);
  if (::pwrite(fd.get(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    throw_write_error(errno == 0 ? ENOSPC : errno, lock);
  }
  fd_ = fd.release();
}

DataLock::~DataLock() {
  // An empty file says that nobody holds it; closing lets go even when that fails.
  [[maybe_unused]] const int ignored = ::ftruncate(fd_, 0);
  ::close(fd_);
}

}  // namespace flyball::store
