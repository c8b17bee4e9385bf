#pragma once
// JSON values (nlohmann) and the canonical writing that every hash is taken over.
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace flyball {

using Json = nlohmann::json;

/// Canonical text: keys sorted by bytes, no blanks, shortest round-trip numbers (1.0 is "1"),
/// UTF-8 as it is. Throws NOT_FINITE for NaN or infinity. Hashes are taken over this.
std::string canonical(const Json& value);

/// Indented by 2, same numbers as canonical(); for files that people read.
std::string pretty(const Json& value);

/// Parses text; throws JSON_INVALID naming `source`. Depth is limited to 64.
Json parse_json(std::string_view text, std::string_view source);

/// null for NaN and infinity, else the number: what is not finite does not exist on a wire.
Json number_or_null(double value);

}  // namespace flyball
