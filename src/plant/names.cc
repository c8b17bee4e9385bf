#include "plant/names.h"

#include <algorithm>

#include "core/error.h"

namespace flyball::plant {
namespace {

bool control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool slug_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const int more = lead >= 0xC2 && lead < 0xE0   ? 1
                     : lead >= 0xE0 && lead < 0xF0 ? 2
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                                                   : 0;
    if (more == 0 || text.size() - i < static_cast<std::size_t>(more)) return false;
    const auto next = static_cast<unsigned char>(text[i]);
    // Overlong forms, surrogates and what lies beyond U+10FFFF are told by the second byte.
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (next < low || next > high) return false;
    for (int k = 1; k < more; ++k) {
      if ((static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0xC0) != 0x80)
        return false;
    }
    i += static_cast<std::size_t>(more);
  }
  return true;
}

bool is_slug(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() != '.' &&
         std::ranges::all_of(name, slug_byte) && is_utf8(name);
}

void check_slug(std::string_view what, std::string_view name) {
  if (!is_slug(name))
    throw Error("NAME_INVALID", {{"what", what}, {"name", is_utf8(name) ? name : "?"}});
}

bool is_tag_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 && name.front() != ' ' && name.back() != ' ' &&
         std::ranges::none_of(name, control) && is_utf8(name);
}

}  // namespace flyball::plant
