#pragma once
// The service as a whole: folder, lock, threads, socket. What `flyball serve` runs.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "core/record.h"

namespace flyball::serve {

struct ServeRequest {
  std::string listen = "127.0.0.1:8080";
  std::vector<std::string> allow_host;
  std::optional<std::string> tls_cert, tls_key;
  bool behind_proxy = false;
  std::int64_t workers = 3;
  std::int64_t body_limit = 16, upload_limit = 2048;
  static constexpr auto fields() {
    using S = ServeRequest;
    return FieldList{
        field("listen", &S::listen, "address and port; port 0 takes any free one"),
        field("allowHost", &S::allow_host,
              "a name by which browsers reach this server, with port where it is not any; repeat"),
        field("tlsCert", &S::tls_cert, "certificate chain (PEM)"),
        field("tlsKey", &S::tls_key, "its key (PEM)"),
        field("behindProxy", &S::behind_proxy,
              "a proxy in front does TLS: its X-Forwarded-For and -Proto are believed"),
        field("workers", &S::workers, "threads that answer what only reads").range(1, 64),
        field("bodyLimit", &S::body_limit, "of a JSON body").range(1, 1024).unit("MB"),
        field("uploadLimit", &S::upload_limit, "of an upload").range(1, 1'000'000).unit("MB")};
  }
};

/// "127.0.0.1:8080", "[::1]:0". Throws LISTEN_INVALID.
struct Address {
  std::string host;
  std::uint16_t port = 0;
  [[nodiscard]] bool is_loopback() const;
};
Address parse_address(const std::string& text);

class Server {
 public:
  /// Creates the folder, takes its lock, listens. Throws LISTEN_UNSAFE, LISTEN_FAILED, DATA_IN_USE.
  Server(const ServeRequest& request, const app::DataFolder& data, const Clock& clock);
  ~Server();

  /// Where a browser goes; with the token of the first start while there is no user.
  [[nodiscard]] std::string link();
  [[nodiscard]] std::uint16_t port() const;

  /// Until stop(), which may come from any thread.
  void run();
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flyball::serve
