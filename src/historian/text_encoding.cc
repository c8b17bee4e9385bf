#include "historian/text_encoding.h"

#include <algorithm>
#include <cstdint>

namespace flyball::historian {
namespace {

constexpr std::size_t kLookedAt = 1 << 16;

enum class Utf16 { none, little, big };

/// Text of one alphabet has zeros at the even places (big endian) or the odd ones, hardly at both.
Utf16 by_zeros(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kLookedAt);
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0' ? 1 : 0;
  const std::size_t pairs = head.size() / 2;
  if (pairs < 2 || bytes.size() % 2 != 0) return Utf16::none;
  if (zeros[0] == 0 && 2 * zeros[1] > pairs) return Utf16::little;
  if (zeros[1] == 0 && 2 * zeros[0] > pairs) return Utf16::big;
  return Utf16::none;
}

[[noreturn]] void refuse(const char* finding) {
  throw Error("IMPORT_NOT_TEXT", {{"finding", finding}});
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::string from_utf16(std::string_view bytes, Utf16 order) {
  if (bytes.size() % 2 != 0) refuse("UTF-16 that breaks off in the middle of a character");
  const std::size_t high = order == Utf16::big ? 0 : 1;
  const auto unit = [&](std::size_t i) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]));
    };
    return byte(i + high) << 8 | byte(i + 1 - high);
  };
  std::string out;
  out.reserve(bytes.size() / 2 + bytes.size() / 16);
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xE000) {
      const std::uint32_t low = i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (c >= 0xDC00 || low < 0xDC00 || low >= 0xE000) refuse("UTF-16 with half a character");
      c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    }
    append_utf8(out, c);
  }
  return out;
}

}  // namespace

void decode_text(std::string_view bytes, DecodedText& out) {
  out.text = bytes;
  Utf16 order = Utf16::none;
  const char* evidence = "its byte-order mark";
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    out.text.remove_prefix(3);
  } else if (bytes.starts_with("\xFF\xFE")) {
    order = Utf16::little;
  } else if (bytes.starts_with("\xFE\xFF")) {
    order = Utf16::big;
  } else {
    order = by_zeros(bytes);
    evidence = "a zero at every other byte";
    if (order == Utf16::none && bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos)
      refuse("bytes of zero");
  }
  if (order == Utf16::none) return;
  if (*evidence == 'i') out.text.remove_prefix(2);
  out.converted = from_utf16(out.text, order);
  out.text = out.converted;
  out.notes.push_back(
      {"IMPORT_UTF16",
       {{"order", order == Utf16::little ? "little" : "big"}, {"evidence", evidence}}});
}

}  // namespace flyball::historian
