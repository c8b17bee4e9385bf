#pragma once
// Answers as people read them in a terminal.
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace flyball::cli {

/// Colour only where it was asked for: never the only sign of anything.
struct Style {
  bool colour = false;
  [[nodiscard]] std::string good(const std::string& text) const;
  [[nodiscard]] std::string bad(const std::string& text) const;
  [[nodiscard]] std::string dim(const std::string& text) const;
};

/// Any answer: scalars as aligned pairs, lists of records as tables, the rest below headings.
/// Tables show `columns` in this order, those that some row has; all scalars when there are none.
std::string print_answer(const Json& answer, const Style& style,
                         const std::vector<std::string_view>& columns = {});

/// What the table of an operation's answer shows, by its name; empty: everything.
std::vector<std::string_view> columns_of(std::string_view operation);

/// A forecast: one row a step, with the interval where there is one, then notes and warnings.
std::string print_forecast(const Json& answer, const Style& style);

/// Rows as an aligned table; the first row is the head.
std::string print_table(const std::vector<std::vector<std::string>>& rows);

/// A scalar; `key` tells times ("createdAt").
std::string print_scalar(const std::string& key, const Json& value);

/// Columns of a UTF-8 text in a terminal, one per code point.
std::size_t width(std::string_view text);

}  // namespace flyball::cli
