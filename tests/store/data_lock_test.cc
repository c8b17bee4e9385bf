#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "store/files.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::store {
namespace {

using namespace std::chrono_literals;
using testing::TempFolder;

/// A second process that holds the lock until it is killed.
class Holder {
 public:
  Holder(const fs::path& data, std::string_view command) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("pipe failed");
    pid_ = ::fork();
    if (pid_ == 0) {
      const DataLock lock(data, command);
      [[maybe_unused]] const auto told = ::write(ready[1], "x", 1);
      for (;;) ::pause();
    }
    char byte = 0;
    ::close(ready[1]);
    [[maybe_unused]] const auto heard = ::read(ready[0], &byte, 1);
    ::close(ready[0]);
  }
  ~Holder() { kill(); }
  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(DataLock, RefusesASecondProcessAndNamesTheFirst) {
  const TempFolder data;
  const Holder holder(data.path(), "flyball study dryer.dat");
  try {
    const DataLock lock(data.path(), "flyball import", 60ms);
    FAIL() << "the folder is held by another process";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "DATA_IN_USE");
    EXPECT_EQ(info(error.errc()).exit_code, 5);
    EXPECT_NE(std::string(error.what()).find(std::to_string(holder.pid())), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("flyball study dryer.dat"), std::string::npos);
  }
}

TEST(DataLock, IsFreeAfterItsHolderWasKilled) {
  const TempFolder data;
  Holder holder(data.path(), "flyball study");
  holder.kill();
  const DataLock lock(data.path(), "flyball import", 0ms);
  EXPECT_EQ(read_file(data / "runtime/lock"), std::to_string(::getpid()) + "\nflyball import\n");
}

TEST(DataLock, WaitsForAHolderThatLetsGo) {
  const TempFolder data;
  auto first = std::make_unique<DataLock>(data.path(), "first");
  std::jthread later([&] {
    std::this_thread::sleep_for(50ms);
    first.reset();
  });
  const DataLock second(data.path(), "second", 30s);
  EXPECT_EQ(read_file(data / "runtime/lock"), std::to_string(::getpid()) + "\nsecond\n");
}

TEST(DataLock, StopsWaitingWhenAskedTo) {
  const TempFolder data;
  const DataLock first(data.path(), "first");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_ERROR(DataLock(data.path(), "second", 30s, stop.get_token()), "CANCELLED");
}

}  // namespace
}  // namespace flyball::store
