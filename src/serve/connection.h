#pragma once
// One connection over any stream of Beast's; included by listener.cc and listener_tls.cc only.
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <set>

#include "serve/head.h"
#include "serve/listener.h"
#include "serve/wire.h"

namespace flyball::serve {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Errors = boost::system::error_code;

/// A connection as the listener sees it.
struct Peer {
  bool idle = true;
  std::function<void()> close;  ///< what it waits for ends
  std::function<void()> cut;    ///< the peer sees its end, whatever is still being answered
};

/// What the connections of a listener share; touched by its thread only, but for `open`.
struct Shared {
  ListenOptions options;
  Handlers handlers;
  bool stopping = false;
  std::set<Peer*> peers;
  std::atomic<std::int64_t> open{0};
  asio::io_context io{1};  ///< last: what it holds of connections goes before all else here

  void ended() {
    if (stopping && peers.empty()) io.stop();
  }
};

template <class Stream>
class Connection {
 public:
  Connection(Stream stream, std::string remote, bool secure, Shared& shared)
      : stream_(std::move(stream)), remote_(std::move(remote)), secure_(secure), shared_(shared) {
    peer_.close = [this] { beast::get_lowest_layer(stream_).cancel(); };
    peer_.cut = [this] { beast::get_lowest_layer(stream_).close(); };
    shared_.peers.insert(&peer_);
    ++shared_.open;
  }
  ~Connection() {
    beast::get_lowest_layer(stream_).close();
    shared_.peers.erase(&peer_);
    --shared_.open;
    shared_.ended();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Stream& stream() { return stream_; }

  asio::awaitable<void> run() {
    bool going = true;
    while (going && !shared_.stopping) going = co_await one_request();
    co_await linger();
  }

 private:
  using Parser = http::request_parser<http::buffer_body>;

  void give(std::chrono::milliseconds time) {
    beast::get_lowest_layer(stream_).expires_after(time);
  }

  /// False when the connection is to be closed.
  asio::awaitable<bool> one_request() {
    Response refusal;
    try {
      const std::size_t size = co_await read_head();
      if (size == 0) co_return false;
      const std::string_view head(static_cast<const char*>(buffer_.data().data()), size);
      check_head(head);
      Parser parser;
      parser.header_limit(kHeadLimit + 1);
      parser.body_limit(boost::none);
      Errors error;
      buffer_.consume(parser.put(asio::buffer(head), error));
      if (error || !parser.is_header_done()) refuse(error.message());
      const bool keep = co_await answer(parser);
      co_return keep;
    } catch (const Error& e) {
      refusal = problem(e);
    }
    shared_.handlers.finish(refusal);
    refusal.close = true;
    co_await write(refusal, false);
    co_return false;
  }

  [[noreturn]] static void refuse(const std::string& detail) {
    throw Refused(400, "HTTP_MALFORMED", {{"detail", detail}});
  }

  /// Bytes of the head, 0 when the peer went away.
  asio::awaitable<std::size_t> read_head() {
    std::size_t looked = 0;
    peer_.idle = buffer_.size() == 0;
    give(peer_.idle ? shared_.options.keep_alive : shared_.options.head_time);
    for (;;) {
      const std::string_view text(static_cast<const char*>(buffer_.data().data()), buffer_.size());
      for (; looked < text.size(); ++looked) {
        if (text[looked] != '\n') continue;
        if (looked == 0 || text[looked - 1] != '\r') refuse("a line ends with CR LF");
        if (looked >= 3 && text.substr(looked - 3, 4) == "\r\n\r\n") {
          peer_.idle = false;
          co_return looked + 1;
        }
      }
      if (text.size() > kHeadLimit)
        throw Refused(431, "HTTP_HEADER_TOO_LARGE",
                      {{"limit", kHeadLimit}, {"fields", kFieldLimit}});
      Errors error;
      const std::size_t got = co_await stream_.async_read_some(
          buffer_.prepare(4096), asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return 0;
      buffer_.commit(got);
      if (peer_.idle) give(shared_.options.head_time);
      peer_.idle = false;
    }
  }

  asio::awaitable<bool> answer(Parser& parser) {
    auto request = std::make_shared<Request>();
    request->remote = remote_;
    request->secure = secure_;
    take_head(parser.get(), *request);
    const BodyRule rule = shared_.handlers.body_rule(*request);
    if (!parser.is_done()) {
      if (parser.content_length().value_or(0) > rule.limit) too_large(rule);
      if (rule.ask_first) {
        Response verdict = co_await ask(shared_.handlers.admit, request);
        if (verdict.status != 200) {
          verdict.close = true;
          co_await write(verdict, false);
          co_return false;
        }
      }
      if (request->header("expect") != nullptr)
        co_await write_text("HTTP/1.1 100 Continue\r\n\r\n");
      co_await read_body(parser, rule, *request);
    }
    const bool keep = parser.get().keep_alive();
    beast::get_lowest_layer(stream_).expires_never();
    Response response = co_await ask(shared_.handlers.handle, request);
    if (!keep || shared_.stopping) response.close = true;
    if (response.feed) {
      co_await write_feed(response);
      co_return false;
    }
    const bool written = co_await write(response, request->method == "HEAD");
    co_return written && !response.close;
  }

  static void take_head(const http::request_header<>& head, Request& out) {
    out.method = std::string(head.method_string());
    out.target = std::string(head.target());
    for (const auto& field : head) {
      std::string name(field.name_string());
      for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      out.headers.push_back({std::move(name), std::string(field.value())});
    }
    Target target = parse_target(out.target);
    out.path = std::move(target.path);
    out.query = std::move(target.query);
  }

  [[noreturn]] static void too_large(const BodyRule& rule) {
    throw Refused(413, "HTTP_BODY_TOO_LARGE", {{"limit", static_cast<std::int64_t>(rule.limit)}});
  }

  asio::awaitable<void> read_body(Parser& parser, const BodyRule& rule, Request& request) {
    std::optional<store::Spool> spool;
    if (rule.spool) spool.emplace(shared_.options.spool_folder);
    auto no_extensions = [](std::uint64_t, beast::string_view extensions, Errors& error) {
      if (!extensions.empty()) error = http::error::bad_chunk_extension;
    };
    parser.on_chunk_header(no_extensions);
    std::vector<char> piece(rule.spool ? 1 << 18 : 1 << 14);
    std::uint64_t total = 0;
    while (!parser.is_done()) {
      parser.get().body().data = piece.data();
      parser.get().body().size = piece.size();
      give(shared_.options.piece_time);
      Errors error;
      co_await http::async_read(stream_, buffer_, parser,
                                asio::redirect_error(asio::use_awaitable, error));
      if (error && error != http::error::need_buffer) refuse(error.message());
      const std::string_view got(piece.data(), piece.size() - parser.get().body().size);
      total += got.size();
      if (total > rule.limit) too_large(rule);
      if (spool) {
        spool->append(got);
      } else {
        request.body += got;
      }
    }
    if (spool) request.upload = std::make_shared<store::MappedFile>(spool->map());
  }

  /// Hands the request to another thread and waits for its answer.
  asio::awaitable<Response> ask(const std::function<void(std::shared_ptr<Request>, Done)>& whom,
                                std::shared_ptr<Request> request) {
    return asio::async_initiate<const asio::use_awaitable_t<>&, void(Response)>(
        [this, &whom, request](auto handler) {
          auto waiting = std::make_shared<decltype(handler)>(std::move(handler));
          whom(request, [this, waiting](Response response) {
            asio::post(shared_.io, [waiting, answer = std::move(response)]() mutable {
              std::move (*waiting)(std::move(answer));
            });
          });
        },
        asio::use_awaitable);
  }

  asio::awaitable<bool> write_text(std::string_view text) {
    give(shared_.options.piece_time);
    Errors error;
    co_await asio::async_write(stream_, asio::buffer(text),
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  asio::awaitable<bool> write(const Response& response, bool head_only) {
    const std::string head = response_head(response);
    const std::string_view body = head_only ? std::string_view{} : response.body;
    give(shared_.options.piece_time);
    Errors error;
    co_await asio::async_write(stream_, std::array{asio::buffer(head), asio::buffer(body)},
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

  asio::awaitable<void> write_feed(const Response& response) {
    Feed& feed = *response.feed;
    asio::steady_timer bell(shared_.io);
    // The feed may call while this frame is being left: abandon() below ends that first.
    feed.on_ready([this, &bell, here = std::weak_ptr<bool>(alive_)] {
      asio::post(shared_.io, [&bell, here] {
        if (!here.expired()) bell.cancel();
      });
    });
    bool going = co_await write_text(response_head(response));
    while (going) {
      bool ended = false;
      if (const auto text = feed.take(ended)) {
        going = co_await write_text(chunk(*text));
      } else if (ended) {
        co_await write_text("0\r\n\r\n");
        break;
      } else {
        Errors error;
        bell.expires_after(feed.heartbeat_every);
        co_await bell.async_wait(asio::redirect_error(asio::use_awaitable, error));
        if (!error) going = co_await write_text(chunk(feed.heartbeat));
      }
    }
    feed.abandon();
    alive_.reset();
  }

  /// Sends what is written and hears the peer out for a moment, so that a refusal is not lost to a
  /// reset.
  asio::awaitable<void> linger() {
    Errors ignored;
    auto& socket = beast::get_lowest_layer(stream_).socket();
    socket.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    std::array<char, 4096> sink;
    give(std::chrono::milliseconds(500));
    for (int pieces = 0; pieces < 256 && !shared_.stopping; ++pieces) {
      Errors error;
      co_await stream_.async_read_some(asio::buffer(sink),
                                       asio::redirect_error(asio::use_awaitable, error));
      if (error) co_return;
    }
  }

  Stream stream_;
  std::string remote_;
  bool secure_;
  Shared& shared_;
  Peer peer_;
  beast::flat_buffer buffer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace flyball::serve
