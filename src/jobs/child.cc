#include "jobs/child.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "store/descriptor.h"

namespace flyball::jobs {
namespace {

using store::Descriptor;

constexpr std::size_t kLongestLine = 65'536;

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
void wait_or_stop(const Process& child, int stop_event) {
  while (!child.ended()) {
    pollfd wait{stop_event, POLLIN, 0};
    if (::poll(&wait, 1, 20) > 0) return;
  }
}

}  // namespace

ChildEnd run_child(const ChildOptions& o, std::stop_token stop) {
  const Descriptor stop_event(::eventfd(0, EFD_CLOEXEC));
  if (!stop_event.ok())
    throw Error("JOB_PROCESS_START", {{"reason", std::string("eventfd: ") + std::strerror(errno)}});
  Process child({.command = o.command,
                 .folder = o.folder,
                 .environment = o.environment,
                 .log = o.log,
                 .limits = o.limits});
  const std::stop_callback wake(stop, [&] {
    const std::uint64_t one = 1;
    (void)!::write(stop_event.get(), &one, sizeof one);
  });
  Lines lines(o.on_line, child.log());
  if (read_lines(child.out(), stop_event.get(), lines)) wait_or_stop(child, stop_event.get());
  const bool stopped = stop.stop_requested();
  if (stopped) child.kill_tree();
  while (!child.wait(std::chrono::seconds(60))) {
  }
  ChildEnd end = child.reap();
  end.stopped = stopped;
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
