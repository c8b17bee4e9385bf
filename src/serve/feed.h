#pragma once
// Pieces of an answer that is written as it comes about: filled from any thread, emptied by the
// connection. Bounded: a reader that does not keep up is told so and dropped.
#include <chrono>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace flyball::serve {

class Feed {
 public:
  explicit Feed(std::size_t limit_bytes = 256 * 1024) : limit_(limit_bytes) {}

  /// False when the reader is too slow: the piece was not taken.
  bool push(std::string piece);
  /// `last` is taken even when there is no room. Nothing is taken afterwards.
  void close(std::string last = {});

  /// All that waits, as one text; nullopt when there is nothing. `ended` says that nothing follows.
  std::optional<std::string> take(bool& ended);
  /// Called whenever there is something to take, from the thread that put it there.
  void on_ready(std::function<void()> wake);
  /// The reader went away: push() says so from now on.
  void abandon();
  [[nodiscard]] bool closed() const;

  std::string heartbeat = ": \n\n";  ///< written when nothing else was for a while
  std::chrono::milliseconds heartbeat_every{15'000};

 private:
  mutable std::mutex mutex_;
  std::deque<std::string> pieces_;
  std::size_t bytes_ = 0, limit_;
  bool closed_ = false;
  std::function<void()> wake_;
};

}  // namespace flyball::serve
