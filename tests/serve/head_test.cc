#include "serve/head.h"

#include <gtest/gtest.h>

#include "serve/http.h"

namespace flyball::serve {
namespace {

/// Status that a head is refused with; 200 when it is taken.
int status_of(std::string_view head) {
  try {
    check_head(head);
    return 200;
  } catch (const Refused& e) {
    return e.status;
  }
}

int target_status(std::string_view target) {
  try {
    (void)parse_target(target);
    return 200;
  } catch (const Refused& e) {
    return e.status;
  }
}

std::string post(std::string_view fields) {
  return "POST /api/v1/x HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

TEST(Head, TakesWhatClientsSend) {
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), 200);
  EXPECT_EQ(status_of(post("Content-Length: 5\r\n")), 200);
  EXPECT_EQ(status_of(post("transfer-encoding: Chunked\r\n")), 200);
  EXPECT_EQ(status_of(post("X-Empty:\r\nX-Text:  two words\t\r\n")), 200);
  EXPECT_EQ(status_of(post("Content-Length: 5\r\nExpect: 100-continue\r\n")), 200);
}

/// Each is read in two ways by servers that exist: that is how one request hides in another.
TEST(Head, RefusesWhatTwoServersReadDifferently) {
  const std::pair<const char*, std::string> corpus[]{
      {"a length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n")},
      {"chunks and a length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n")},
      {"two lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n")},
      {"two equal lengths", post("Content-Length: 5\r\nContent-Length: 5\r\n")},
      {"a list of lengths", post("Content-Length: 5, 5\r\n")},
      {"a signed length", post("Content-Length: +5\r\n")},
      {"a negative length", post("Content-Length: -1\r\n")},
      {"a hexadecimal length", post("Content-Length: 0x5\r\n")},
      {"an empty length", post("Content-Length:\r\n")},
      {"a length beyond all numbers", post("Content-Length: 99999999999999999999\r\n")},
      {"another coding", post("Transfer-Encoding: gzip, chunked\r\n")},
      {"a hidden coding", post("Transfer-Encoding: xchunked\r\n")},
      {"a coding twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n")},
      {"a coding with a tab before its colon", post("Transfer-Encoding\t: chunked\r\n")},
      {"a blank before a colon", post("Content-Length : 5\r\n")},
      {"a folded field", post("X-A: b\r\n c\r\n")},
      {"a field that begins with a blank", post(" X-A: b\r\n")},
      {"a name with a blank", post("X A: b\r\n")},
      {"no name", post(": b\r\n")},
      {"no colon", post("nonsense\r\n")},
      {"a bare LF", "GET / HTTP/1.1\nHost: a\r\n\r\n"},
      {"a bare LF in a field", post("X-A: b\nContent-Length: 5\r\n")},
      {"a bare CR", post("X-A: b\rContent-Length: 5\r\n")},
      {"NUL in a field", post(std::string("X-A: b\0c\r\n", 10))},
      {"another control byte", post("X-A: b\x01\r\n")},
      {"no Host", "GET / HTTP/1.1\r\n\r\n"},
      {"two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
      {"an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"},
      {"another server's address", "GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"every resource", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"a blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"a backslash", "GET /a\\..\\b HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"a small method", "get / HTTP/1.1\r\nHost: a\r\n\r\n"},
      {"no version", "GET /\r\nHost: a\r\n\r\n"},
      {"a made-up protocol", "GET / HTCPCP/1.1\r\nHost: a\r\n\r\n"},
      {"lines behind the empty one", "GET / HTTP/1.1\r\nHost: a\r\n\r\nX: y\r\n"},
  };
  for (const auto& [what, head] : corpus) EXPECT_EQ(status_of(head), 400) << what;
}

TEST(Head, HasStatusesOfItsOwnForSizeVersionAndExpectation) {
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 505);
  EXPECT_EQ(status_of(post("Expect: a-miracle\r\n")), 417);
  EXPECT_EQ(status_of(post("X: " + std::string(kHeadLimit, 'x') + "\r\n")), 431);
  std::string many;
  for (std::size_t i = 0; i <= kFieldLimit; ++i) many += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(status_of(post(many)), 431);
}

TEST(Target, IsDecodedOnce) {
  const Target t = parse_target("/api/v1/tags/T%201?limit=5&name=a%2Bb+c&empty=&x=%2525");
  EXPECT_EQ(t.path, (std::vector<std::string>{"api", "v1", "tags", "T 1"}));
  const std::vector<std::pair<std::string, std::string>> query{
      {"limit", "5"}, {"name", "a+b c"}, {"empty", ""}, {"x", "%25"}};
  EXPECT_EQ(t.query, query);
  EXPECT_TRUE(parse_target("/").path.empty());
}

TEST(Target, IsAPlainPath) {
  for (const char* target :
       {"/..",   "/a/../b",  "/a/./b", "/%2e%2e/b", "/a/%2E%2E",      "/.%2e/", "/a//b",
        "//a",   "/a/",      "/a%2fb", "/a%2Fb",    "/a%5cb",         "/a%00",  "/a%0d%0ab",
        "/a%7f", "/a%",      "/a%2",   "/a%zz",     "/%c0%ae%c0%ae/", "/%ff",   "/a?b",
        "/a?=b", "/a?b=%00", "/a?b=%", "/a?b=%ff"})
    EXPECT_EQ(target_status(target), 400) << target;
  // Decoded once only: what is still an escape afterwards is a name.
  EXPECT_EQ(parse_target("/%252e%252e").path, (std::vector<std::string>{"%2e%2e"}));
}

}  // namespace
}  // namespace flyball::serve
