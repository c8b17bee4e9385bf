#pragma once
// The encoding of a text file, found from its first bytes.
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace flyball::historian {

/// UTF-8 (or Latin-1 in names and units, see to_utf8()) without byte-order mark.
struct DecodedText {
  std::string_view text;  ///< into the bytes given, or into `converted`
  std::string converted;
  std::vector<Message> notes;

  DecodedText() = default;
  DecodedText(const DecodedText&) = delete;
  DecodedText& operator=(const DecodedText&) = delete;
};

/// UTF-16 with a byte-order mark is converted, and without one when zeros stand at every other of
/// the first bytes; anything else is taken as it is, in place. Throws IMPORT_NOT_TEXT for other
/// bytes of zero in the first 64 KiB, and for UTF-16 that breaks off or has half a character.
void decode_text(std::string_view bytes, DecodedText& out);

}  // namespace flyball::historian
