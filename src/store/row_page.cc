#include "store/row_page.h"

#include <charconv>

#include "core/error.h"

namespace flyball::store {

std::int64_t cursor_number(char list, const std::optional<std::string>& cursor) {
  if (!cursor) return INT64_MAX;
  std::int64_t out = -1;
  const char* const end = cursor->data() + cursor->size();
  if (cursor->size() > 1 && cursor->front() == list) {
    const auto [stop, error] = std::from_chars(cursor->data() + 1, end, out);
    if (error == std::errc() && stop == end && out >= 0) return out;
  }
  throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
}

std::string cursor_text(char list, std::int64_t number) {
  return list + std::to_string(number);
}

}  // namespace flyball::store
