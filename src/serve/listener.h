#pragma once
// HTTP/1.1 on a socket: reads whole requests strictly, hands them on, writes the answers. One
// thread; answers may come from any. The only files that know Beast are listener*.cc.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "serve/http.h"

namespace flyball::serve {

struct ListenOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;           ///< 0: any free one
  std::string tls_cert, tls_key;       ///< PEM files; both or none
  std::filesystem::path spool_folder;  ///< for large bodies
  std::size_t max_connections = 512;
  std::chrono::milliseconds keep_alive{60'000};  ///< of a connection without a request
  std::chrono::milliseconds head_time{10'000};   ///< for a head, from its first byte
  std::chrono::milliseconds piece_time{30'000};  ///< between pieces of a body or an answer
  std::chrono::milliseconds stop_time{10'000};   ///< for what runs when stop() comes
};

/// What the body of a request may be, told from its head.
struct BodyRule {
  std::uint64_t limit = 16 << 20;  ///< bytes
  bool spool = false;              ///< to a nameless file instead of memory
  bool ask_first = false;          ///< admit() before a byte of it is read
};

using Done = std::function<void(Response)>;

struct Handlers {
  /// Quick; throws Refused.
  std::function<BodyRule(const Request&)> body_rule;
  /// Answers with a status of 200 to go on, with anything else to refuse.
  std::function<void(std::shared_ptr<Request>, Done)> admit;
  std::function<void(std::shared_ptr<Request>, Done)> handle;
  /// A request that was refused before it became one.
  std::function<void(Response&)> finish;
};

class Listener {
 public:
  /// Listens from now on; answers from run() on. Throws LISTEN_FAILED, TLS_FILES.
  Listener(ListenOptions options, Handlers handlers);
  ~Listener();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::int64_t open_connections() const;

  /// Until stop() and all that ran has ended, or its time is over.
  void run();
  /// From any thread: accepts nothing more, closes what is idle, lets what runs end.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flyball::serve
