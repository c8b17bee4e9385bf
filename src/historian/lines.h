#pragma once
// Lines of a text in memory.
#include <cstdint>
#include <string_view>

namespace flyball::historian {

inline constexpr std::size_t kLongestLine = 1 << 20;

/// Lines of a text without their ends; a byte-order mark is skipped.
class Lines {
 public:
  explicit Lines(std::string_view text, std::size_t offset = 0, std::int64_t line = 0);

  /// False at the end. Throws IMPORT_LINE_TOO_LONG.
  bool next(std::string_view& line);
  /// Number of the line that next() gave, from 1.
  [[nodiscard]] std::int64_t number() const { return number_; }
  /// Offset of what follows it.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  std::string_view text_;
  std::size_t offset_;
  std::int64_t number_;
};

/// Nothing but blanks and tabs.
bool is_blank_line(std::string_view line);

}  // namespace flyball::historian
