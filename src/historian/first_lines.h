#pragma once
// The first lines of a table, and what separates their cells.
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "historian/row_splitter.h"

namespace flyball::historian {

inline constexpr std::size_t kMostColumns = 4096;

struct SampleLine {
  std::string_view text;
  std::int64_t number;
  std::size_t next_offset;
};

/// Lines that begin with '#' or '%', or name the separator ("sep=;"), before the first other line (not those that begin with #N/A).
struct Comments {
  std::vector<SampleLine> lines;
  std::size_t offset = 0;  ///< of what follows
  std::int64_t last_line = 0;
};
Comments leading_comments(std::string_view text);

/// The first 200 lines from there on that are not blank. Throws IMPORT_LINE_TOO_LONG.
std::vector<SampleLine> first_lines(std::string_view text, const Comments& comments);

/// Cells of a line, at most one more than kMostColumns.
std::vector<Cell> split(std::string_view line, Delimiter delimiter);

/// Semicolon, tab or comma when most lines have the same number of cells, two or more, with it;
/// else blanks.
Delimiter find_delimiter(const std::vector<SampleLine>& sample, std::vector<Message>& notes);

}  // namespace flyball::historian
