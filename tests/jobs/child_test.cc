#include "jobs/child.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "store/files.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::jobs {
namespace {

class ChildTest : public ::testing::Test {
 protected:
  ChildOptions shell(const std::string& script) {
    ChildOptions o;
    o.command = {"/bin/sh", "-c", script};
    o.folder = folder.path();
    o.environment = {"PATH=/usr/bin:/bin", "COLOUR=grey"};
    o.log = folder.path() / "run.log";
    o.on_line = [this](std::string_view line) { lines.emplace_back(line); };
    return o;
  }
  static bool alive(pid_t pid) { return ::kill(pid, 0) == 0; }

  testing::TempFolder folder;
  std::vector<std::string> lines;
};

TEST_F(ChildTest, ItsLinesComeInOrderAndAllThatItWritesGoesToTheLog) {
  const ChildEnd end = run_child(shell("echo one; echo two >&2; printf three; exit 5"), {});
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "three"}));
  const std::string log = store::read_file(folder.path() / "run.log");
  for (const char* word : {"one", "two", "three"}) EXPECT_NE(log.find(word), std::string::npos);
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_EQ(end.signal, 0);
  EXPECT_FALSE(end.stopped);
}

TEST_F(ChildTest, ItInheritsNothingButWhatItIsGiven) {
  ::setenv("FLYBALL_SECRET", "hush", 1);
  run_child(shell("env; ls /proc/self/fd | wc -l; pwd"), {});
  for (const std::string& line : lines) EXPECT_EQ(line.find("hush"), std::string::npos) << line;
  EXPECT_NE(std::find(lines.begin(), lines.end(), "COLOUR=grey"), lines.end());
  EXPECT_EQ(lines.at(lines.size() - 2), "4");  // 0, 1, 2 and that of ls
  EXPECT_EQ(lines.back(), std::filesystem::canonical(folder.path()).string());
}

TEST_F(ChildTest, AStopEndsItAndWhatItStarted) {
  std::stop_source source;
  ChildOptions o = shell("sleep 300 & echo $!; wait");
  o.on_line = [&](std::string_view line) {
    lines.emplace_back(line);
    source.request_stop();
  };
  const ChildEnd end = run_child(o, source.get_token());
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.signal, SIGKILL);
  const pid_t grandchild = static_cast<pid_t>(std::stoi(lines.at(0)));
  for (int i = 0; i < 200 && alive(grandchild); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
  std::string text((std::istreambuf_iterator<char>(stat)), {});
  EXPECT_TRUE(text.empty() || text.find(") Z ") != std::string::npos) << text;
}

TEST_F(ChildTest, OneThatClosesItsOutputAndRunsOnCanBeStopped) {
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  EXPECT_TRUE(run_child(shell("exec >&-; sleep 300"), source.get_token()).stopped);
}

TEST_F(ChildTest, ASignalThatWeDidNotSendIsSaid) {
  const ChildEnd end = run_child(shell("kill -SEGV $$"), {});
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_FALSE(end.stopped);
}

TEST_F(ChildTest, ALongLineIsCut) {
  run_child(shell("head -c 200000 /dev/zero | tr '\\0' a; echo; echo end"), {});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].size(), 65'536u);
  EXPECT_EQ(lines[1], "end");
}

#ifndef FLYBALL_SANITIZED
TEST_F(ChildTest, ItsMemoryIsLimited) {
  ChildOptions o = shell("x=$(head -c 300000000 /dev/zero | tr '\\0' a) && echo kept");
  o.limits.memory_bytes = 100'000'000;
  run_child(o, {});
  EXPECT_TRUE(lines.empty());
}
#endif

TEST_F(ChildTest, AProgramThatIsNotThereSaysSo) {
  ChildOptions o = shell("");
  o.command = {"/nowhere/program"};
  EXPECT_EQ(run_child(o, {}).exit_code, 127);
}

}  // namespace
}  // namespace flyball::jobs
