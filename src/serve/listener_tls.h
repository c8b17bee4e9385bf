#pragma once
// TLS of the listener.
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "serve/listener.h"

namespace flyball::serve {

struct Shared;
struct Tls;
struct TlsDeleter {
  void operator()(Tls* tls) const;
};

/// TLS 1.2 and later. Throws TLS_FILES.
std::unique_ptr<Tls, TlsDeleter> make_tls(const ListenOptions& options);

boost::asio::awaitable<void> converse_tls(Tls& tls, boost::asio::ip::tcp::socket socket,
                                          std::string remote, Shared& shared);

}  // namespace flyball::serve
