#pragma once
// The symbols that core/units.h reads, one row each.
#include <string_view>
#include <vector>

#include "core/units.h"

namespace flyball {

struct UnitSymbol {
  std::string_view spellings;  ///< separated by blanks, the usual one first
  Unit unit;
};

/// Every symbol that `word` may mean: the one that is written so, else those that differ in the
/// case of letters only. Where a text is all in capitals, one letter does not tell s from S.
std::vector<const UnitSymbol*> find_symbols(std::string_view word, bool capitals);

/// For "did you mean".
std::vector<std::string_view> all_spellings();

std::string_view usual_spelling(const UnitSymbol& symbol);

bool is_pressure(const Unit& unit);

}  // namespace flyball
