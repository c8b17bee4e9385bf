#include "serve/listener_tls.h"

#include <boost/asio/ssl.hpp>
#include <boost/beast/ssl.hpp>

#include "serve/connection.h"

namespace flyball::serve {

struct Tls {
  asio::ssl::context context{asio::ssl::context::tls_server};
};

void TlsDeleter::operator()(Tls* tls) const {
  delete tls;
}

std::unique_ptr<Tls, TlsDeleter> make_tls(const ListenOptions& options) {
  std::unique_ptr<Tls, TlsDeleter> out(new Tls);
  using Context = asio::ssl::context;
  out->context.set_options(Context::default_workarounds | Context::no_sslv2 | Context::no_sslv3 |
                           Context::no_tlsv1 | Context::no_tlsv1_1);
  Errors error;
  out->context.use_certificate_chain_file(options.tls_cert, error);
  if (error) throw Error("TLS_FILES", {{"file", options.tls_cert}, {"reason", error.message()}});
  out->context.use_private_key_file(options.tls_key, Context::pem, error);
  if (error) throw Error("TLS_FILES", {{"file", options.tls_key}, {"reason", error.message()}});
  return out;
}

asio::awaitable<void> converse_tls(Tls& tls, asio::ip::tcp::socket socket, std::string remote,
                                   Shared& shared) {
  using Stream = beast::ssl_stream<beast::tcp_stream>;
  Connection<Stream> connection(Stream(beast::tcp_stream(std::move(socket)), tls.context),
                                std::move(remote), true, shared);
  Errors error;
  beast::get_lowest_layer(connection.stream()).expires_after(shared.options.head_time);
  co_await connection.stream().async_handshake(asio::ssl::stream_base::server,
                                               asio::redirect_error(asio::use_awaitable, error));
  if (!error) co_await connection.run();
}

}  // namespace flyball::serve
