#pragma once
// Looks at a stream of text block by block, so that what cannot be a table is refused at once.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flyball::historian {

class StreamGuard {
 public:
  /// Throws IMPORT_LINE_TOO_LONG as soon as kLongestLine bytes came without a line end.
  void look(std::string_view block);

 private:
  std::int64_t lines_ = 0;
  std::size_t since_line_end_ = 0;
};

}  // namespace flyball::historian
