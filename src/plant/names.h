#pragma once
// What may be a name. Names are ids: they stand in node ids, file names and addresses.
#include <string_view>

namespace flyball::plant {

/// Lines, products, recipes and runs: 1 to 64 bytes of letters, digits, '.', '_', '-' and any
/// UTF-8 beyond ASCII, not beginning with '.'.
bool is_slug(std::string_view name);

/// Throws NAME_INVALID; `what` says what is named ("run").
void check_slug(std::string_view what, std::string_view name);

/// Tags: 1 to 200 bytes of valid UTF-8 without control characters and without blanks at the ends.
bool is_tag_name(std::string_view name);

bool is_utf8(std::string_view text);

}  // namespace flyball::plant
