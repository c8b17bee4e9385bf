// A worker that misbehaves as the op asks; given an argument, at its start.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "jobs/worker_frames.h"
#include "jobs/worker_loop.h"

namespace {

using namespace flyball;

void put(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(3, bytes.data() + at, bytes.size() - at);  // run_worker's own stdout
    if (n <= 0) ::_exit(3);
    at += static_cast<std::size_t>(n);
  }
}

void frame(std::int64_t version, std::int64_t pid, jobs::Saying type) {
  jobs::WorkerFrame f{.protocol_version = version, .type = type, .pid = pid, .req_id = "other"};
  put(jobs::seal_frame(to_json_value(f)));
}

[[noreturn]] void loop() {
  for (volatile bool on = true; on;) {
  }
  ::_exit(9);
}

Json work(const std::string& op, const Json& payload, const std::stop_token& stop) {
  if (op == "echo") return payload;
  if (op == "print") std::puts("this is no frame");
  if (op == "die") ::raise(SIGKILL);
  if (op == "exit") ::_exit(7);
  if (op == "loop") loop();
  if (op == "refuse") throw Error("NOT_FINITE", {{"where", "x"}});
  if (op == "throw") throw std::runtime_error("odd");
  if (op == "garbage") put("{\"half\": \n");
  if (op == "flood") {
    const std::string block(1U << 20U, 'x');
    for (;;) put(block);
  }
  if (op == "version") frame(2, ::getpid(), jobs::Saying::answer);
  if (op == "pid") frame(1, 1, jobs::Saying::answer);
  if (op == "twice") frame(1, ::getpid(), jobs::Saying::answer);
  if (op == "patient") {
    while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (op == "allocate") {
    char* bytes = static_cast<char*>(std::malloc(100'000'000'000));
    if (bytes == nullptr) throw std::bad_alloc();
    for (std::size_t at = 0; at < 100'000'000'000; at += 4096) bytes[at] = 1;
    return bytes[4096];
  }
  if (op == "leave") {  // a process that outlives us unless it is found
    const pid_t child = ::fork();
    if (child == 0) {
      ::setsid();
      for (;;) ::pause();
    }
    return child;
  }
  if (op == "fork") {
    int made = 0;
    for (pid_t child = 1; made < 200 && (child = ::fork()) >= 0; ++made) {
      while (child == 0) ::pause();
    }
    return made;
  }
  if (op == "connect") {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0) return "no socket";
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<std::uint16_t>(payload.get<int>()));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0 ? "connected"
                                                                           : std::strerror(errno);
  }
  if (op == "who") {
    Json environment = Json::array();
    for (char** e = environ; *e != nullptr; ++e) environment.push_back(*e);
    return {{"uid", ::getuid()}, {"pid", ::getpid()}, {"nice", ::getpriority(PRIO_PROCESS, 0)}, {"environment", environment}};
  }
  return Json();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string start = argc > 1 ? argv[1] : "";
  if (start == "silent") ::pause();
  if (start == "exit") return 5;
  if (start == "garbage") {
    std::puts("hello");
    std::fflush(stdout);
  }
  if (start == "flood") {
    for (;;) std::fputs("x", stdout);
  }
  if (start == "version" || start == "pid") {
    jobs::WorkerFrame f{.protocol_version = start == "version" ? 2 : 1,
                        .type = jobs::Saying::ready,
                        .pid = start == "pid" ? 1 : ::getpid()};
    std::fputs(jobs::seal_frame(to_json_value(f)).c_str(), stdout);
    std::fflush(stdout);
    ::pause();
  }
  return jobs::run_worker(work);
}
