#include "serve/head.h"

#include <algorithm>

#include "plant/names.h"
#include "serve/http.h"

namespace flyball::serve {
namespace {

[[noreturn]] void refuse(std::string_view detail) {
  throw Refused(400, "HTTP_MALFORMED", {{"detail", detail}});
}

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

void check_request_line(std::string_view line) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) refuse("the first line has three parts");
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (method.size() > 16 ||
      !std::ranges::all_of(method, [](char c) { return c >= 'A' && c <= 'Z'; }))
    refuse("a method is a word of capitals");
  if (!target.starts_with('/')) refuse("a target is a path that begins with /");
  for (const char c : target) {
    if (c <= ' ' || c > '~' || c == '#' || c == '\\' || c == '"' || c == '<' || c == '>')
      refuse("the target holds a character that must be escaped");
  }
  if (version == "HTTP/1.1") return;
  if (version.starts_with("HTTP/")) throw Refused(505, "HTTP_VERSION");
  refuse("the first line ends with HTTP/1.1");
}

/// The few fields on which the border of a request hangs.
struct Framing {
  int hosts = 0, lengths = 0, codings = 0;

  void field(std::string_view name, std::string_view value) {
    if (name == "host") {
      ++hosts;
      if (value.empty()) refuse("Host is empty");
    } else if (name == "content-length") {
      ++lengths;
      const bool digits = !value.empty() && value.size() <= 15 &&
                          std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
      if (!digits) refuse("Content-Length is a number of at most 15 digits");
    } else if (name == "transfer-encoding") {
      ++codings;
      if (lower(value) != "chunked") refuse("Transfer-Encoding may only be chunked");
    } else if (name == "expect" && lower(value) != "100-continue") {
      throw Refused(417, "HTTP_EXPECTATION");
    }
  }

  void check() const {
    if (hosts != 1) refuse("there must be one Host");
    if (lengths > 1) refuse("Content-Length is given twice");
    if (codings > 1) refuse("Transfer-Encoding is given twice");
    if (lengths + codings > 1) refuse("Content-Length and Transfer-Encoding exclude each other");
  }
};

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text, bool in_query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex(text[i + 2]) : -1;
      if (high < 0 || low < 0) refuse("an escape is % and two hexadecimal digits");
      c = static_cast<char>(high * 16 + low);
      i += 2;
      const auto byte = static_cast<unsigned char>(c);
      if (!in_query && (c == '/' || c == '\\')) refuse("a path may not hold an escaped slash");
      const bool text_control = in_query && (c == '\n' || c == '\r' || c == '\t');
      if ((byte < ' ' && !text_control) || byte == 127) refuse("an escaped control character");
    } else if (c == '+' && in_query) {
      c = ' ';
    }
    out += c;
  }
  if (!plant::is_utf8(out)) refuse("the target is not UTF-8");
  return out;
}

}  // namespace

void check_head(std::string_view head) {
  if (head.size() > kHeadLimit)
    throw Refused(431, "HTTP_HEADER_TOO_LARGE", {{"limit", kHeadLimit}, {"fields", kFieldLimit}});
  Framing framing;
  std::size_t fields = 0;
  for (std::size_t at = 0; at < head.size();) {
    const auto end = head.find('\n', at);
    if (end == std::string_view::npos || end == at || head[end - 1] != '\r')
      refuse("a line ends with CR LF");
    const std::string_view line = head.substr(at, end - 1 - at);
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte < ' ' && c != '\t') || byte == 127) refuse("a control character in the head");
    }
    if (at == 0) {
      check_request_line(line);
    } else if (line.empty()) {
      if (end + 1 != head.size()) refuse("the head goes on after its empty line");
    } else {
      if (++fields > kFieldLimit)
        throw Refused(431, "HTTP_HEADER_TOO_LARGE",
                      {{"limit", kHeadLimit}, {"fields", kFieldLimit}});
      const auto colon = line.find(':');
      if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
        refuse("a field is a name, a colon and a value on one line");
      framing.field(lower(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    at = end + 1;
  }
  framing.check();
}

Target parse_target(std::string_view target) {
  Target out;
  const auto mark = target.find('?');
  std::string_view path = target.substr(0, mark);
  if (!path.starts_with('/')) refuse("a target is a path that begins with /");
  path.remove_prefix(1);
  while (!path.empty()) {
    const auto slash = path.find('/');
    std::string segment = decoded(path.substr(0, slash), false);
    if (segment.empty() || segment == "." || segment == "..")
      refuse("a path has no empty, . or .. segment");
    out.path.push_back(std::move(segment));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
    if (path.empty()) refuse("a path does not end with /");
  }
  if (mark == std::string_view::npos) return out;
  std::string_view query = target.substr(mark + 1);
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const auto equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) refuse("a query is name=value&name=value");
    out.query.emplace_back(decoded(pair.substr(0, equals), true),
                           decoded(pair.substr(equals + 1), true));
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace flyball::serve
