#include "serve/http.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/words.h"

namespace flyball::serve {
namespace {

struct StatusText {
  int status;
  std::string_view text;
};

constexpr StatusText kStatusTexts[]{
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {499, "Client Closed Request"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

}  // namespace

const std::string* Request::header(std::string_view name) const {
  const auto it = std::ranges::find(headers, name, &Header::name);
  return it == headers.end() ? nullptr : &it->value;
}

std::string_view Request::cookie(std::string_view name) const {
  const std::string* all = header("cookie");
  std::string_view rest = all == nullptr ? std::string_view{} : *all;
  while (!rest.empty()) {
    const auto end = rest.find(';');
    std::string_view one = rest.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

std::string_view Request::place() const {
  return std::string_view(target).substr(0, target.find('?'));
}

std::string Request::content_type() const {
  const std::string* type = header("content-type");
  if (type == nullptr) return {};
  std::string out = type->substr(0, type->find(';'));
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view status_text(int status) {
  const auto* it = std::ranges::find(kStatusTexts, status, &StatusText::status);
  return it == std::end(kStatusTexts) ? "" : it->text;
}

Response json_response(const Json& body, int status) {
  Response out;
  out.status = status;
  out.body = canonical(body);
  out.with("Content-Type", "application/json");
  return out;
}

Response problem(const Error& error) {
  const auto* refused = dynamic_cast<const Refused*>(&error);
  return problem(error, refused != nullptr ? refused->status : info(error.errc()).http_status);
}

Response problem(const Error& error, int status) {
  Json errors = Json::array();
  for (const Problem& p : error.problems())
    errors.push_back(
        {{"pointer", p.pointer}, {"code", p.message.code}, {"detail", p.message.text()}});
  if (errors.empty() && !error.pointer().empty())
    errors.push_back(
        {{"pointer", error.pointer()}, {"code", error.code()}, {"detail", error.message().text()}});
  const Words said = words(error.message());
  const Json body = {{"type", "urn:flyball:" + error.code()},
                     {"title", status_text(status)},
                     {"status", status},
                     {"detail", said.text},
                     {"code", said.code},
                     {"params", said.params},
                     {"errors", errors},
                     {"retryable", info(error.errc()).retryable}};
  Response out;
  out.status = status;
  // It may quote what the request held: bytes that are no text become U+FFFD.
  out.body = body.dump(-1, ' ', false, Json::error_handler_t::replace);
  out.with("Content-Type", "application/problem+json");
  if (status == 429 || status == 503) out.with("Retry-After", "1");
  if (status == 401) out.with("WWW-Authenticate", "Bearer");
  return out;
}

}  // namespace flyball::serve
