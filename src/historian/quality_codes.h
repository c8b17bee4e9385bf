#pragma once
// Quality as others write it, in the codes of OPC UA.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/quality.h"

namespace flyball::historian {

/// What the numbers of a quality column mean.
enum class QualityCodes {
  ua,       ///< OPC UA status codes of 32 bits: 0 is good
  classic,  ///< OPC classic: the top two bits of a byte; 192 is good, 0 bad
  flag      ///< 1 is good, 0 bad
};
constexpr auto enum_names(QualityCodes) {
  return std::array<std::string_view, 3>{"ua", "classic", "flag"};
}

/// A word for a quality: names of OPC UA (BadNoCommunication, Uncertain), true and false of a
/// column "good", states of a historian's system (I/O Timeout, Pt Created); nothing for any other.
std::optional<Quality> quality_of_word(std::string_view text);

/// A text in a column of numbers: the quality of the state it names; BadTypeMismatch when unknown.
Quality quality_of_state(std::string_view text);

/// A word with which a historian says that there is no value, in a column of texts too.
bool is_system_state(std::string_view text);

/// A word that says so among numbers, but may be a state of the plant among texts: Shutdown, Error.
bool is_state_word(std::string_view text);

/// Whether a cell can stand in a quality column: a word of above, a number of 0 to 255 that OPC
/// classic defines, a status code, 0 or 1.
bool looks_like_quality(std::string_view cell);

/// The qualities of the different texts of one column, decided by all of them: numbers are OPC UA
/// when one has a code beyond 255, OPC classic when one is 64 or more, flags when the column's name
/// says good, valid or ok. An empty text says nothing: good. Unknown words are bad, with a note.
/// Throws IMPORT_QUALITY_AMBIGUOUS when only 0 or other small numbers occur and `declared` is
/// absent.
std::vector<Quality> read_qualities(const std::string& column,
                                    const std::vector<std::string>& texts,
                                    std::optional<QualityCodes> declared,
                                    std::vector<Message>& notes);

}  // namespace flyball::historian
