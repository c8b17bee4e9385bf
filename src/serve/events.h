#pragma once
// What happens, told to whoever listens (server-sent events). The newest thousand are kept, so that
// a reader that lost its connection goes on where it was (Last-Event-ID).
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/json.h"
#include "serve/feed.h"

namespace flyball::serve {

struct Event {
  std::string type;       ///< "dataset.built", "job", "model", "change", ...
  std::string line;       ///< that it belongs to; "" = no one line
  std::string data;       ///< JSON text
  std::string user = {};  ///< whom alone it concerns; "" = everybody
};

class Hub {
 public:
  explicit Hub(std::size_t ring = 1000) : ring_(ring) {}

  /// From any thread. Its id: 1, 2, 3, ...
  std::int64_t publish(Event event);

  /// Whether the reader may read of the line ("": of no one line) now; nullopt: he is no longer
  /// who he was (signed out, revoked, disabled). Asked at every event, from the thread that tells.
  using MayRead = std::function<std::optional<bool>(const std::string& line)>;

  /// What follows `after` (absent: from now on), of the lines that `may_read` lets through and of
  /// what concerns `user`. When `after` is no longer in the ring the first event is "gap": read
  /// everything anew. A reader that is too slow gets "dropped" and the end, one that is no longer
  /// who he was "closing".
  std::shared_ptr<Feed> subscribe(MayRead may_read,
                                  std::optional<std::int64_t> after = std::nullopt,
                                  std::string user = {});

  /// Ends every feed with the event "closing".
  void close();

  [[nodiscard]] std::size_t readers() const;

 private:
  struct Kept {
    std::int64_t id;
    std::string line, user, text;
  };
  struct Reader {
    std::shared_ptr<Feed> feed;
    MayRead may_read;
    std::string user;
    [[nodiscard]] std::optional<bool> gets(const Kept& event) const {
      const std::optional<bool> may = may_read(event.line);
      if (!may) return std::nullopt;
      return (event.line.empty() || *may) && (event.user.empty() || event.user == user);
    }
  };
  std::size_t ring_;
  mutable std::mutex mutex_;
  std::int64_t last_ = 0;
  std::deque<Kept> kept_;
  std::list<Reader> readers_;
  bool closed_ = false;
};

}  // namespace flyball::serve
