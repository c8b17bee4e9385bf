// Checks for which nobody has to be known.
#include <nlohmann/json.hpp>

#include "app/operations.h"
#include "serve/self_test.h"

namespace flyball::serve {
namespace {

using Failures = std::vector<std::string>;

void expect(Failures& failures, bool holds, const std::string& what) {
  if (!holds && failures.size() < 20) failures.push_back(what);
}

std::string path_of(const app::Operation& o) {
  std::string path = "/api/v1" + std::string(o.path);
  for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
    path.replace(open, path.find('}') - open + 1, "x");
  return path;
}

void deny_by_default(const Target& t, Failures& failures) {
  for (const app::Operation& o : app::operations()) {
    const int status = t.ask(std::string(o.method), path_of(o)).status;
    expect(failures, status == 401, std::string(o.name) + " answers " + std::to_string(status));
  }
  for (const char* place : {"/metrics", "/readyz", "/api/v1/events", "/api/v1/openapi.json"})
    expect(failures, t.ask("GET", place).status == 401, std::string(place) + " is open");
}

void no_default_credentials(const Target& t, Failures& failures) {
  constexpr std::pair<const char*, const char*> kGuesses[]{
      {"admin", "admin"},    {"admin", "password"},   {"admin", "flyball"},
      {"root", "root"},      {"flyball", "flyball"},  {"user", "user"},
      {"admin", "changeme"}, {"operator", "operator"}};
  for (const auto& [user, password] : kGuesses) {
    const int status =
        t.ask("POST", "/api/v1/session", "", canonical({{"user", user}, {"password", password}}))
            .status;
    expect(failures, status == 401 || status == 429,
           std::string(user) + " with a usual password: " + std::to_string(status));
  }
  for (const char* token : {"", "0", "setup", "admin"}) {
    const int status =
        t.ask(
             "POST", "/api/v1/setup", "",
             canonical({{"token", token}, {"user", "intruder"}, {"password", "a long enough one"}}))
            .status;
    expect(failures, status >= 400 && status < 500, "setup without its token");
  }
}

void foreign_hosts(const Target& t, Failures& failures) {
  for (const char* method : {"GET", "HEAD", "POST", "PATCH", "DELETE"}) {
    for (const char* host : {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example",
                             "evil.example:8080", "169.254.169.254"}) {
      RawClient client(t.port);
      const int status =
          client.ask(std::string(method) + " /api/v1/models HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
              .status;
      expect(failures, status == 421, std::string(method) + " as " + host);
    }
  }
}

void foreign_origins(const Target& t, Failures& failures) {
  for (const char* method : {"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"}) {
    for (const char* origin : {"null", "http://evil.example", "https://evil.example",
                               "http://127.0.0.1.evil.example", "file://"}) {
      const RawAnswer a =
          t.ask(method, "/api/v1/session", "Origin: " + std::string(origin) + "\r\n");
      expect(failures, a.status == 403, std::string(method) + " from " + origin);
      expect(failures, a.field("Access-Control-Allow-Origin").empty(), "a page elsewhere may read");
    }
  }
}

void browser_headers(const Target& t, Failures& failures) {
  for (const char* place : {"/", "/healthz", "/api/v1/models", "/no.such", "/a%00"}) {
    const RawAnswer a = t.ask("GET", place);
    const std::string csp = a.field("Content-Security-Policy");
    expect(failures,
           csp.find("default-src 'self'") != std::string::npos &&
               csp.find("unsafe") == std::string::npos &&
               csp.find("frame-ancestors 'none'") != std::string::npos,
           std::string(place) + ": Content-Security-Policy");
    expect(failures, a.field("X-Content-Type-Options") == "nosniff",
           std::string(place) + ": nosniff");
    expect(failures, a.field("Referrer-Policy") == "no-referrer",
           std::string(place) + ": referrer");
  }
}

void smuggling(const Target& t, Failures& failures) {
  const std::string host = "Host: " + t.host + "\r\n";
  const std::string post =
      "POST /api/v1/session HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  const std::string hidden = "GET /healthz HTTP/1.1\r\n" + host + "\r\n";
  const std::pair<const char*, std::string> corpus[]{
      {"length and chunks",
       post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden},
      {"two lengths", post + "Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + hidden},
      {"two equal lengths", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}" + hidden},
      {"another coding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden},
      {"a blank before a colon", post + "Content-Length : 2\r\n\r\n{}" + hidden},
      {"a bare LF", "GET / HTTP/1.1\n" + host + "\n"},
      {"a folded field", "GET / HTTP/1.1\r\n" + host + "X: a\r\n b\r\n\r\n"},
      {"a chunk extension", chunked + "2;x=y\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a bad chunk size", chunked + "zz\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a negative chunk size", chunked + "-2\r\n{}\r\n0\r\n\r\n" + hidden},
      {"a chunk size beyond all numbers", chunked + "ffffffffffffffffff\r\n{}\r\n" + hidden},
      {"a chunk longer than its size", chunked + "1\r\n{}\r\n0\r\n\r\n" + hidden},
      {"another host's address", "GET http://evil.example/ HTTP/1.1\r\n" + host + "\r\n"},
      {"NUL in a field", "GET / HTTP/1.1\r\n" + host + std::string("X: a\0b\r\n\r\n", 10)},
      {"two Hosts", "GET / HTTP/1.1\r\n" + host + "Host: evil.example\r\n\r\n"},
  };
  for (const auto& [what, bytes] : corpus) {
    RawClient client(t.port);
    client.send(bytes);
    expect(failures, client.answer().status == 400, std::string(what) + " is taken");
    expect(failures, client.closed(), std::string(what) + ": the connection goes on");
  }
}

void odd_targets(const Target& t, Failures& failures) {
  for (const char* place :
       {"/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2fetc/passwd", "/assets/../../etc/passwd",
        "/assets/%2e%2e/%2e%2e/etc/passwd", "/a%00.html", "//etc/passwd", "/.%2e/",
        "/%c0%ae%c0%ae/etc/passwd", "/%5c..%5cetc%5cpasswd"}) {
    const RawAnswer a = t.ask("GET", place);
    expect(failures, a.status == 400, std::string(place) + " answers " + std::to_string(a.status));
    expect(failures, a.body.find("root:") == std::string::npos,
           std::string(place) + " shows a file");
  }
}

void brute_force(const Target& t, Failures& failures) {
  int last = 0;
  for (int i = 0; i < 12 && last != 429; ++i) {
    last = t.ask("POST", "/api/v1/session", "",
                 canonical({{"user", "self-test-nobody"}, {"password", std::to_string(i)}}))
               .status;
    expect(failures, last == 401 || last == 429,
           "a wrong password answers " + std::to_string(last));
  }
  expect(failures, last == 429, "twelve wrong passwords in a row are never slowed down");
}

void large_bodies(const Target& t, Failures& failures) {
  RawClient client(t.port);
  client.send("POST /api/v1/session HTTP/1.1\r\nHost: " + t.host +
              "\r\nContent-Type: application/json\r\nContent-Length: 900000000000\r\n\r\n");
  expect(failures, client.answer().status == 413, "a body of 900 GB is awaited");
  RawClient head(t.port);
  head.send("GET / HTTP/1.1\r\nHost: " + t.host + "\r\nX: " + std::string(40'000, 'x') +
            "\r\n\r\n");
  expect(failures, head.answer().status == 431, "a head of 40 kB is taken");
}

}  // namespace

std::vector<Check> open_checks() {
  return {
      {"deny-by-default", "every operation without credentials is 401", Check::nothing,
       deny_by_default},
      {"host-rebinding", "another name in Host is refused on every method", Check::nothing,
       foreign_hosts},
      {"foreign-origin", "another site's page is refused on every method", Check::nothing,
       foreign_origins},
      {"browser-headers", "no inline script, no sniffing, no frames", Check::nothing,
       browser_headers},
      {"smuggling", "what two servers could read differently is 400 and the end", Check::nothing,
       smuggling},
      {"path-traversal-target", "no path leads out of the page", Check::nothing, odd_targets},
      {"size-limits", "heads and bodies beyond their limits are refused", Check::nothing,
       large_bodies},
      {"default-credentials", "no usual password and no setup without its token", Check::nothing,
       no_default_credentials},
      {"brute-force", "wrong passwords are slowed down", Check::nothing, brute_force},
  };
}

}  // namespace flyball::serve
