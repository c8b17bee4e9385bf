#pragma once
// Ctrl-C and SIGTERM become a stop request; a second one ends the process at once.
#include <stop_token>
#include <thread>

namespace flyball::cli {

/// Blocks SIGINT and SIGTERM in this and later threads and waits for them in one of its own.
/// Build it before any other thread.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::jthread thread_;
};

}  // namespace flyball::cli
