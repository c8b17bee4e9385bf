#include "historian/stream_guard.h"

#include <algorithm>

#include "core/error.h"
#include "historian/lines.h"

namespace flyball::historian {

void StreamGuard::look(std::string_view block) {
  while (!block.empty()) {
    const std::size_t end = block.find('\n');
    since_line_end_ += std::min(end, block.size());
    if (since_line_end_ > kLongestLine) {
      throw Error("IMPORT_LINE_TOO_LONG", {{"line", lines_ + 1}, {"limit", kLongestLine, "bytes"}});
    }
    if (end == std::string_view::npos) return;
    ++lines_;
    since_line_end_ = 0;
    block.remove_prefix(end + 1);
  }
}

}  // namespace flyball::historian
