#include "jobs/worker_loop.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "jobs/worker_frames.h"

namespace flyball::jobs {
namespace {

constexpr auto kBeat = std::chrono::seconds(1);

class Loop {
 public:
  Loop(const WorkerBody& body, int out) : body_(body), out_(out) {}

  int serve() {
    say({.type = Saying::ready});
    std::jthread worker([this](const std::stop_token& stop) { work(stop); });
    FrameReader reader(STDIN_FILENO);
    int code = 0;
    for (bool open = true; open && code == 0;) {
      switch (reader.next(std::chrono::steady_clock::now() + std::chrono::hours(1))) {
        case FrameReader::Got::line:
          code = hear(reader.line()) ? 0 : 1;
          break;
        case FrameReader::Got::nothing:
        case FrameReader::Got::woken:
          break;
        default:
          open = false;
      }
    }
    ::_exit(code);  // nobody hears what is being worked on
  }

 private:
  bool hear(const std::string& line) try {
    const auto request = parse_record<WorkerRequest>(open_frame(line));
    const std::lock_guard lock(mutex_);
    if (request.protocol_version != kProtocolVersion) return false;
    if (request.op == "cancel") {
      if (current_ && current_->req_id == request.req_id) stop_.request_stop();
    } else if (current_) {
      refuse(request.req_id, {"SOLVER_BUSY", {}});
    } else {
      stop_ = std::stop_source();
      current_ = request;
      bell_.notify_all();
    }
    return true;
  } catch (const Error&) {
    return false;
  }

  void work(const std::stop_token& ending) {
    for (;;) {
      WorkerRequest request;
      std::stop_token stop;
      {
        std::unique_lock lock(mutex_);
        if (!bell_.wait(lock, ending, [this] { return current_.has_value(); })) return;
        request = *current_;
        stop = stop_.get_token();
      }
      const std::jthread beat([&](const std::stop_token& done) { watch(request, done); });
      answer(request, stop);
    }
  }

  /// Beats while the work goes on, and ends it when its time is over.
  void watch(const WorkerRequest& request, const std::stop_token& done) {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(request.deadline_ms);
    std::mutex mutex;
    std::condition_variable_any bell;
    for (std::unique_lock lock(mutex);;) {
      const auto next = std::min(end, std::chrono::steady_clock::now() + kBeat);
      bell.wait_until(lock, done, next, [] { return false; });
      if (done.stop_requested()) return;
      const std::lock_guard guard(mutex_);
      if (!current_ || current_->req_id != request.req_id) return;
      if (std::chrono::steady_clock::now() >= end) {
        stop_.request_stop();
        return;
      }
      say({.type = Saying::heartbeat, .req_id = request.req_id});
    }
  }

  void answer(const WorkerRequest& request, const std::stop_token& stop) {
    WorkerFrame frame{.req_id = request.req_id};
    try {
      frame.result = body_(request.op, request.payload, stop);
    } catch (const Error& e) {
      frame.error = words(e.message());
    } catch (const std::exception& e) {
      frame.error = words({"SOLVER_ERROR", {{"code", "exception"}, {"detail", e.what()}}});
    }
    const std::lock_guard lock(mutex_);
    current_.reset();
    say(frame);
  }

  void refuse(const std::string& id, const Message& why) {
    WorkerFrame frame{.req_id = id};
    frame.error = words(why);
    say(frame);
  }

  void say(WorkerFrame frame) const {
    frame.pid = ::getpid();
    const std::string line = seal_frame(to_json_value(frame));
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t n = ::write(out_, line.data() + at, line.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) ::_exit(1);
      at += static_cast<std::size_t>(n);
    }
  }

  const WorkerBody& body_;
  int out_;
  std::mutex mutex_;
  std::condition_variable_any bell_;
  std::optional<WorkerRequest> current_;
  std::stop_source stop_;
};

}  // namespace

int run_worker(const WorkerBody& body) {
  const int out = ::dup(STDOUT_FILENO);
  if (out < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  return Loop(body, out).serve();
}

}  // namespace flyball::jobs
