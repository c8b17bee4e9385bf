#include "historian/lines.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace flyball::historian {

Lines::Lines(std::string_view text, std::size_t offset, std::int64_t line)
    : text_(text), offset_(offset), number_(line) {
  if (offset_ == 0 && text_.starts_with("\xEF\xBB\xBF")) offset_ = 3;
}

bool Lines::next(std::string_view& line) {
  if (offset_ >= text_.size()) return false;
  ++number_;
  const char* begin = text_.data() + offset_;
  const std::size_t left = text_.size() - offset_;
  const void* found = std::memchr(begin, '\n', std::min(left, kLongestLine + 1));
  if (found == nullptr && left > kLongestLine) {
    throw Error("IMPORT_LINE_TOO_LONG", {{"line", number_}, {"limit", kLongestLine, "bytes"}});
  }
  std::size_t size =
      found == nullptr ? left : static_cast<std::size_t>(static_cast<const char*>(found) - begin);
  offset_ += size + (found == nullptr ? 0 : 1);
  if (size > 0 && begin[size - 1] == '\r') --size;
  line = {begin, size};
  return true;
}

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace flyball::historian
