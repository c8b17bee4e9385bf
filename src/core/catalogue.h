#pragma once
// Every text that a person reads, by code. Another language is a second table of the same codes.
#include <optional>
#include <span>
#include <string_view>

#include "core/error.h"

namespace flyball {

struct CatalogueEntry {
  std::string_view code;
  std::optional<Errc> errc;  ///< set for what is thrown, empty for words (warnings, next steps)
  std::string_view text;     ///< says the rule, the value, the limit and the next step
};

/// Sorted by no order but the room's; codes are unique (tested).
std::span<const CatalogueEntry> catalogue();

/// nullptr when the code is unknown.
const CatalogueEntry* find_entry(std::string_view code);

}  // namespace flyball
