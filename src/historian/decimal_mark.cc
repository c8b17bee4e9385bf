#include "historian/decimal_mark.h"

namespace flyball::historian {
namespace {

/// The cell around text[at], as far as a number can reach.
std::string_view cell_around(std::string_view text, std::size_t at, Delimiter delimiter) {
  constexpr std::size_t kReach = 40;
  const auto ends = [&](char c) {
    return c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '"' || c == character(delimiter);
  };
  std::size_t begin = at, end = at + 1;
  while (begin > 0 && at - begin < kReach && !ends(text[begin - 1])) --begin;
  while (end < text.size() && end - at < kReach && !ends(text[end])) ++end;
  return text.substr(begin, end - begin);
}

struct Evidence {
  MarkUse use = MarkUse::none;
  std::string_view cell;  ///< the one that decided
};

/// The first clear or mixed use, else an ambiguous one if there is any.
Evidence evidence_of(std::string_view data, char mark, Delimiter delimiter) {
  Evidence out;
  for (std::size_t at = data.find(mark); at != std::string_view::npos;
       at = data.find(mark, at + 1)) {
    const std::string_view cell = cell_around(data, at, delimiter);
    const MarkUse use = mark_use(cell, mark);
    if (use == MarkUse::clear || use == MarkUse::mixed) return {use, cell};
    if (use == MarkUse::ambiguous && out.use == MarkUse::none) out = {use, cell};
  }
  return out;
}

}  // namespace

void refuse_decimal(std::string_view cell) {
  throw Error("IMPORT_DECIMAL_AMBIGUOUS", {{"cell", readable(cell)}});
}

Decimal find_decimal(std::string_view data, Delimiter delimiter, std::vector<Message>& notes) {
  if (delimiter == Delimiter::comma) return Decimal::point;
  const Evidence comma = evidence_of(data, ',', delimiter);
  if (comma.use == MarkUse::mixed) refuse_decimal(comma.cell);
  const Evidence point = evidence_of(data, '.', delimiter);
  if (point.use == MarkUse::mixed) refuse_decimal(point.cell);
  if (comma.use == MarkUse::none) {
    if (delimiter == Delimiter::semicolon && point.use == MarkUse::ambiguous)
      refuse_decimal(point.cell);
    return Decimal::point;
  }
  if (comma.use == MarkUse::ambiguous || point.use != MarkUse::none) refuse_decimal(comma.cell);
  notes.push_back({"IMPORT_DECIMAL_COMMA", {{"cell", readable(comma.cell)}}});
  return Decimal::comma;
}

}  // namespace flyball::historian
