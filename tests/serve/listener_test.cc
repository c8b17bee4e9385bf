// The listener alone: patience, crowds, endings, TLS.
#include "serve/listener.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <future>
#include <thread>

#include "serve/raw_client.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::serve {
namespace {

using std::chrono::milliseconds;

/// Answers each request with its own body; "/wait" when told so.
class Echo {
 public:
  explicit Echo(ListenOptions options) {
    options.port = 0;
    options.spool_folder = folder_.path();
    Handlers handlers;
    handlers.body_rule = [this](const Request&) { return rule; };
    handlers.admit = [this](const std::shared_ptr<Request>&, const Done& done) {
      Response verdict;
      verdict.status = admitted;
      done(verdict);
    };
    handlers.handle = [this](const std::shared_ptr<Request>& request, Done done) {
      if (request->target == "/wait") {
        waiting.set_value(std::move(done));
        return;
      }
      Response out;
      out.body = request->content();
      done(std::move(out));
    };
    handlers.finish = [](Response&) {};
    listener = std::make_unique<Listener>(options, handlers);
    port = listener->port();
    thread_ = std::thread([this] { listener->run(); });
  }
  ~Echo() {
    listener->stop();
    thread_.join();
  }

  BodyRule rule;
  int admitted = 200;
  std::promise<Done> waiting;
  std::unique_ptr<Listener> listener;
  std::uint16_t port = 0;

 private:
  testing::TempFolder folder_;
  std::thread thread_;
};

std::string post(const std::string& fields, const std::string& body = "") {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n" + body;
}

TEST(Listener, ReadsLengthsAndChunksIntoMemoryAndFiles) {
  Echo echo({});
  for (const bool spool : {false, true}) {
    echo.rule.spool = spool;
    RawClient client(echo.port);
    EXPECT_EQ(client.ask(post("Content-Length: 5\r\n", "hello")).body, "hello");
    EXPECT_EQ(client.ask(post("Transfer-Encoding: chunked\r\n",
                              "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")).body,
              "hello");
    const std::string big(3'000'000, 'x');
    EXPECT_EQ(client.ask(post("Content-Length: 3000000\r\n", big)).body, big);
  }
}

TEST(Listener, SaysContinueToWhoAsks) {
  Echo echo({});
  RawClient client(echo.port);
  client.send(post("Content-Length: 5\r\nExpect: 100-continue\r\n"));
  EXPECT_EQ(client.answer().status, 100);
  EXPECT_EQ(client.ask("hello").body, "hello");
}

TEST(Listener, AsksBeforeItReadsWhenTold) {
  Echo echo({});
  echo.rule.ask_first = true;
  echo.admitted = 401;
  RawClient client(echo.port);
  client.send(post("Content-Length: 1000000\r\n"));
  EXPECT_EQ(client.answer().status, 401);
  EXPECT_TRUE(client.closed());
}

TEST(Listener, ABodyEndsAtItsLimit) {
  Echo echo({});
  echo.rule.limit = 4;
  EXPECT_EQ(RawClient(echo.port).ask(post("Content-Length: 5\r\n", "hello")).status, 413);
  EXPECT_EQ(RawClient(echo.port)
                .ask(post("Transfer-Encoding: chunked\r\n", "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"))
                .status,
            413);
  EXPECT_EQ(RawClient(echo.port).ask(post("Content-Length: 4\r\n", "hell")).status, 200);
}

TEST(Listener, HasLittlePatienceWithHalfRequests) {
  ListenOptions options;
  options.head_time = options.piece_time = milliseconds(200);
  options.keep_alive = milliseconds(400);
  Echo echo(options);
  RawClient head(echo.port), body(echo.port), silent(echo.port);
  head.send("GET / HTTP/1.1\r\nHost");
  body.send(post("Content-Length: 5\r\n", "he"));
  EXPECT_TRUE(head.closed());
  EXPECT_TRUE(body.closed());
  EXPECT_TRUE(silent.closed());
  EXPECT_EQ(silent.answer().status, 0);
}

TEST(Listener, AConnectionTooManyIsTurnedAway) {
  ListenOptions options;
  options.max_connections = 2;
  Echo echo(options);
  RawClient a(echo.port), b(echo.port);
  EXPECT_EQ(a.ask(post("")).status, 200);
  EXPECT_EQ(b.ask(post("")).status, 200);
  EXPECT_EQ(RawClient(echo.port).answer().status, 503);
  EXPECT_EQ(a.ask(post("")).status, 200) << "who was there is served on";
}

TEST(Listener, StopWaitsForAnAnswerButNotForever) {
  ListenOptions options;
  options.stop_time = milliseconds(300);
  Echo echo(options);
  RawClient client(echo.port);
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  const Done done = echo.waiting.get_future().get();
  echo.listener->stop();
  EXPECT_TRUE(client.closed(milliseconds(5000))) << "while its answer is still being made";
}

TEST(Listener, AFeedIsWrittenAsItComes) {
  auto feed = std::make_shared<Feed>();
  feed->heartbeat_every = milliseconds(50);
  feed->heartbeat = ": beat\n";
  Echo echo({});
  RawClient client(echo.port);
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  Response response;
  response.feed = feed;
  echo.waiting.get_future().get()(response);
  EXPECT_NE(client.until(": beat").find(": beat"), std::string::npos);
  feed->push("one\n");
  EXPECT_NE(client.until("one").find("one"), std::string::npos);
  feed->close("last\n");
  EXPECT_NE(client.until("0\r\n\r\n").find("last"), std::string::npos);
  EXPECT_TRUE(client.closed());
}

TEST(Listener, SaysWhyItCannotListen) {
  Echo echo({});
  ListenOptions same;
  same.port = echo.port;
  EXPECT_ERROR(Listener(same, {}), "LISTEN_FAILED");
  ListenOptions tls;
  tls.port = 0;
  tls.tls_cert = tls.tls_key = "/no/such.pem";
  EXPECT_ERROR(Listener(tls, {}), "TLS_FILES");
}

/// A self-signed certificate and its key.
void write_certificate(const std::filesystem::path& cert, const std::filesystem::path& key) {
  EVP_PKEY* pair = EVP_EC_gen("P-256");
  X509* x = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), 0);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, pair);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(x, X509_get_subject_name(x));
  X509_sign(x, pair, EVP_sha256());
  FILE* f = std::fopen(cert.c_str(), "w");
  PEM_write_X509(f, x);
  std::fclose(f);
  f = std::fopen(key.c_str(), "w");
  PEM_write_PrivateKey(f, pair, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(f);
  X509_free(x);
  EVP_PKEY_free(pair);
}

TEST(Listener, SpeaksTls) {
  const testing::TempFolder folder;
  ListenOptions options;
  options.tls_cert = (folder / "cert.pem").string();
  options.tls_key = (folder / "key.pem").string();
  write_certificate(options.tls_cert, options.tls_key);
  Echo echo(options);
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION, TLS1_1_VERSION}) {
    SSL_CTX_set_max_proto_version(context, newest);
    RawClient wire(echo.port);
    SSL* ssl = SSL_new(context);
    SSL_set_fd(ssl, wire.descriptor());
    if (newest == TLS1_1_VERSION) {
      EXPECT_NE(SSL_connect(ssl), 1) << "too old";
    } else {
      ASSERT_EQ(SSL_connect(ssl), 1);
      const std::string text = post("Content-Length: 5\r\n", "hello");
      SSL_write(ssl, text.data(), static_cast<int>(text.size()));
      std::string got(4096, '\0');
      const int n = SSL_read(ssl, got.data(), static_cast<int>(got.size()));
      got.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
      EXPECT_EQ(got.find("HTTP/1.1 200"), 0u) << got;
    }
    SSL_free(ssl);
  }
  SSL_CTX_free(context);
}

}  // namespace
}  // namespace flyball::serve
