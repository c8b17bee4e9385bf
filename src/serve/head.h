#pragma once
// What is looked at before a byte is believed: the head of a request (all up to the empty line) and
// its target. Stricter than RFC 9112 where leniency is how two servers come to disagree on where a
// request ends. Pure functions of the bytes.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flyball::serve {

inline constexpr std::size_t kHeadLimit = 16 * 1024;  ///< bytes
inline constexpr std::size_t kFieldLimit = 100;

/// `head` ends with the empty line. Throws Refused: 400 HTTP_MALFORMED naming what is wrong (bare
/// CR or LF, NUL and other control bytes, folded fields, blanks around a name, no or two Hosts, two
/// lengths, a length beside chunks, a coding other than chunked, a target that is not a path), 431,
/// 417, 505.
void check_head(std::string_view head);

struct Target {
  std::vector<std::string> path;  ///< decoded; "/" has none
  std::vector<std::pair<std::string, std::string>> query;
};

/// "/api/v1/tags/T%201?limit=5". Throws Refused 400 for what is not a plain path: an empty, "." or
/// ".." segment, an encoded slash, backslash or control byte, a broken escape, text that is not
/// UTF-8.
Target parse_target(std::string_view target);

}  // namespace flyball::serve
