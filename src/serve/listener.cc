#include "serve/listener.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "serve/connection.h"
#include "serve/listener_tls.h"

namespace flyball::serve {
namespace {

using asio::ip::tcp;

asio::awaitable<void> plain(tcp::socket socket, std::string remote, Shared& shared) {
  Connection<beast::tcp_stream> connection(beast::tcp_stream(std::move(socket)), std::move(remote),
                                           false, shared);
  co_await connection.run();
}

/// What is said to a connection too many, without waiting for its request.
void turn_away(tcp::socket socket) {
  constexpr std::string_view kText =
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: "
      "close\r\n\r\n";
  Errors ignored;
  socket.non_blocking(true, ignored);
  socket.write_some(asio::buffer(kText), ignored);
}

}  // namespace

struct Listener::Impl {
  Shared shared;
  tcp::acceptor acceptor{shared.io};
  std::unique_ptr<Tls, TlsDeleter> tls;
  asio::steady_timer deadline{shared.io};

  void listen() {
    const ListenOptions& o = shared.options;
    const std::string place = o.address + ":" + std::to_string(o.port);
    const auto check = [&](const Errors& error) {
      if (error) throw Error("LISTEN_FAILED", {{"address", place}, {"reason", error.message()}});
    };
    Errors error;
    const auto address = asio::ip::make_address(o.address, error);
    if (error) throw Error("LISTEN_INVALID", {{"address", place}});
    const tcp::endpoint endpoint(address, o.port);
    acceptor.open(endpoint.protocol(), error);
    check(error);
    acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    check(error);
    acceptor.bind(endpoint, error);
    check(error);
    acceptor.listen(asio::socket_base::max_listen_connections, error);
    check(error);
    if (!o.tls_cert.empty()) tls = make_tls(o);
  }

  asio::awaitable<void> accept() {
    for (;;) {
      Errors error;
      tcp::socket socket =
          co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (!acceptor.is_open()) co_return;
      if (error) {
        // Out of descriptors or memory: wait instead of turning in circles.
        asio::steady_timer pause(shared.io, std::chrono::milliseconds(50));
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        continue;
      }
      if (shared.peers.size() >= shared.options.max_connections) {
        turn_away(std::move(socket));
        continue;
      }
      const auto remote = socket.remote_endpoint(error);
      if (error) continue;
      socket.set_option(tcp::no_delay(true), error);
      std::string from = remote.address().to_string();
      if (tls) {
        asio::co_spawn(shared.io, converse_tls(*tls, std::move(socket), std::move(from), shared),
                       asio::detached);
      } else {
        asio::co_spawn(shared.io, plain(std::move(socket), std::move(from), shared),
                       asio::detached);
      }
    }
  }

  void stop() {
    if (shared.stopping) return;
    shared.stopping = true;
    Errors ignored;
    acceptor.close(ignored);
    const std::set<Peer*> peers = shared.peers;
    for (Peer* peer : peers) {
      if (peer->idle) peer->close();
    }
    deadline.expires_after(shared.options.stop_time);
    deadline.async_wait([this](const Errors& error) {
      if (error) return;
      for (Peer* peer : shared.peers) peer->cut();
      shared.io.stop();
    });
    shared.ended();
  }
};

Listener::Listener(ListenOptions options, Handlers handlers) : impl_(std::make_unique<Impl>()) {
  impl_->shared.options = std::move(options);
  impl_->shared.handlers = std::move(handlers);
  impl_->listen();
}

Listener::~Listener() = default;

std::uint16_t Listener::port() const {
  return impl_->acceptor.local_endpoint().port();
}

std::int64_t Listener::open_connections() const {
  return impl_->shared.open;
}

void Listener::run() {
  asio::co_spawn(impl_->shared.io, impl_->accept(), asio::detached);
  const auto keep = asio::make_work_guard(impl_->shared.io);
  impl_->shared.io.run();
}

void Listener::stop() {
  asio::post(impl_->shared.io, [this] { impl_->stop(); });
}

}  // namespace flyball::serve
