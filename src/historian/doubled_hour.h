#pragma once
// The hour that autumn repeats: which of its two readings a local time means.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/time.h"

namespace flyball::historian {

/// What is done where the order of the rows does not tell.
enum class DoubledHour { refuse, first, second };
constexpr auto enum_names(DoubledHour) {
  return std::array<std::string_view, 3>{"refuse", "first", "second"};
}

struct DoubledTime {
  std::size_t row;    ///< index into times
  TimeUs second;      ///< its later reading
  std::int64_t line;  ///< in the file
  std::string cell;
};

/// `times` hold the earlier readings and get the right ones. Rows of one `sequence` (empty: all
/// rows) run forward, or backward when most do: where the local time steps back or stands still
/// exactly once inside a doubled hour, the rows behind are the second pass. `doubled` is ascending
/// in rows. Throws IMPORT_TIME_DOUBLED where that does not decide and `choice` is refuse.
void resolve_doubled(std::vector<TimeUs>& times, const std::vector<DoubledTime>& doubled,
                     const std::vector<std::uint64_t>& sequence, DoubledHour choice,
                     const std::string& zone, std::vector<Message>& notes);

}  // namespace flyball::historian
