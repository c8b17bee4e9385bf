#include "jobs/limits.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "jobs/worker_pool.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::jobs {
namespace {

class LimitsTest : public ::testing::Test {
 protected:
  Json ask(const ChildLimits& limits, const std::string& op, const Json& payload = Json()) {
    PoolOptions o;
    o.worker.process.command = {MADE_UP_WORKER};
    o.worker.process.folder = "/";
    o.worker.process.log = folder.path() / "worker";
    o.worker.process.limits = limits;
    WorkerPool pool(o, clock);
    Json out = pool.ask(op, payload, std::chrono::milliseconds(30'000));
    stats = pool.stats();
    return out;
  }
  static bool alive(std::int64_t pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0; }

  testing::TempFolder folder;
  SystemClock clock;
  PoolStats stats;
};

#ifndef FLYBALL_SANITIZED
TEST_F(LimitsTest, AHundredGigabytesAreARefusedSolve) {
  EXPECT_ERROR(ask({.memory_bytes = 2'000'000'000}, "allocate"), "SOLVER_ERROR");
  (void)ask({.memory_bytes = 2'000'000'000}, "echo");
  EXPECT_TRUE(stats.memory);
}
#endif

TEST_F(LimitsTest, ThereIsNoWayToTheNetwork) {
  const int server = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&at), size), 0);
  ASSERT_EQ(::listen(server, 1), 0);
  ASSERT_EQ(::getsockname(server, reinterpret_cast<sockaddr*>(&at), &size), 0);
  const int port = ntohs(at.sin_port);
  EXPECT_EQ(ask({}, "connect", port), Json("connected")) << "or this test could not fail";
  EXPECT_NE(ask({.no_network = true}, "connect", port), Json("connected"));
  EXPECT_NE(stats.network, NetworkLimit::open);
  ::close(server);
}

TEST_F(LimitsTest, ProcessesAreCounted) {
  const Json made = ask({.processes = 20, .other_user = true}, "fork");
  if (stats.processes == ProcessLimit::none) GTEST_SKIP() << "nothing here counts processes";
  EXPECT_LT(made.get<int>(), 20);
}

TEST_F(LimitsTest, WhereWeAreRootItIsAnother) {
  if (::geteuid() != 0) GTEST_SKIP() << "we are not root";
  EXPECT_EQ(ask({}, "who")["uid"], 0);
  const Json one = ask({.other_user = true}, "who"), two = ask({.other_user = true}, "who");
  ASSERT_TRUE(stats.other_user) << "the program of the test is readable for all";
  EXPECT_NE(one["uid"], 0);
  EXPECT_NE(one["uid"], two["uid"]) << "each child is a user of its own";
}

TEST_F(LimitsTest, WorkThatNobodyWaitsForYields) {
  const int before = ask({}, "who")["nice"].get<int>();
  EXPECT_EQ(ask({.niceness = 3}, "who")["nice"], before + 3);
}

TEST_F(LimitsTest, WhoCouldNotReadWhatItMustStaysWhoItIs) {
  if (::geteuid() != 0) GTEST_SKIP() << "we are not root";
  const auto secret = folder.path() / "closed";
  ASSERT_EQ(::mkdir(secret.c_str(), 0700), 0);
  EXPECT_EQ(ask({.other_user = true, .reads = {secret}}, "who")["uid"], 0);
  EXPECT_FALSE(stats.other_user);
}

TEST_F(LimitsTest, WhatItLeftBehindEndsWithItWhereThereIsAGroup) {
  const auto pid = ask({.processes = 20}, "leave").get<std::int64_t>();
  if (stats.processes != ProcessLimit::cgroup) {
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    GTEST_SKIP() << "no control group of processes can be written here";
  }
  for (int i = 0; i < 500 && alive(pid); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(alive(pid));
}

TEST_F(LimitsTest, GroupsOfKilledProcessesAreSwept) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  const std::string left = "/sys/fs/cgroup/pids/flyball-" + std::to_string(gone) + "-0";
  if (::mkdir(left.c_str(), 0755) != 0) GTEST_SKIP() << "no control group can be made here";
  (void)ask({.processes = 20}, "echo");
  if (stats.processes != ProcessLimit::cgroup) {
    ::rmdir(left.c_str());
    GTEST_SKIP() << "our groups stand elsewhere";
  }
  struct stat info {};
  EXPECT_NE(::stat(left.c_str(), &info), 0);
}

}  // namespace
}  // namespace flyball::jobs
