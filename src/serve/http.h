#pragma once
// A request and its answer as plain structs: everything but the listener sees only these.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "serve/feed.h"
#include "store/files.h"

namespace flyball::serve {

struct Header {
  std::string name, value;  ///< names of a request are lower-case
};

struct Request {
  std::string method, target;                              ///< as they came
  std::vector<std::string> path;                           ///< decoded segments
  std::vector<std::pair<std::string, std::string>> query;  ///< decoded, in order
  std::vector<Header> headers;
  std::string body;
  std::shared_ptr<const store::MappedFile> upload;  ///< a large body, instead of `body`
  std::string remote;                               ///< address of the peer, without port
  bool secure = false;                              ///< came over TLS

  /// nullptr when there is none; the name in lower case.
  [[nodiscard]] const std::string* header(std::string_view name) const;
  [[nodiscard]] std::string_view content() const { return upload ? upload->text() : body; }
  /// Value of a cookie; "" when there is none.
  [[nodiscard]] std::string_view cookie(std::string_view name) const;
  /// Target without its query.
  [[nodiscard]] std::string_view place() const;
  /// "application/json" of "application/json; charset=utf-8", in lower case; "" without a body.
  [[nodiscard]] std::string content_type() const;
};

struct Response {
  int status = 200;
  std::vector<Header> headers;
  std::string body;
  std::shared_ptr<Feed> feed;  ///< instead of a body: pieces as they come, until it is closed
  bool close = false;          ///< no further request on this connection

  Response& with(std::string name, std::string value) {
    headers.push_back({std::move(name), std::move(value)});
    return *this;
  }
};

/// An error whose status is HTTP's own and not that of its Errc: 400, 405, 406, 412, 413, ...
struct Refused : Error {
  Refused(int http_status, std::string code, std::vector<Param> params = {},
          std::string pointer = {})
      : Error(std::move(code), std::move(params), std::move(pointer)), status(http_status) {}
  int status;
};

/// application/problem+json (RFC 9457): type, title, status, detail, code, errors[], retryable.
Response problem(const Error& error);
Response problem(const Error& error, int status);

Response json_response(const Json& body, int status = 200);

std::string_view status_text(int status);

}  // namespace flyball::serve
