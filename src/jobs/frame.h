#pragma once
// One frame between the pool and a worker: a line of JSON that carries a checksum of itself.
//
//   {"sha256":"<64 hexadecimal digits>","frame":{...}}\n
//
// The sum is over the bytes of the inner object, and the bytes around it are fixed: a change of any
// bit of the line is refused.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/json.h"

namespace flyball::jobs {

inline constexpr std::int64_t kProtocolVersion = 1;
inline constexpr std::size_t kLongestFrame = 64U << 20U;  ///< bytes

/// With its newline.
std::string seal_frame(const Json& frame);

/// The frame of a line without its newline. Throws FRAME_CORRUPT.
Json open_frame(std::string_view line);

/// Lines of a descriptor, waiting no longer than asked.
class FrameReader {
 public:
  explicit FrameReader(int from) : from_(from) {}

  enum class Got { line, nothing, ended, woken, too_long };
  /// `nothing` when `until` passes first, `woken` when the descriptor `wake` (-1: none) becomes
  /// readable; `line` fills line().
  Got next(std::chrono::steady_clock::time_point until, int wake = -1);
  [[nodiscard]] const std::string& line() const { return line_; }

 private:
  bool take_line();

  int from_;
  std::string buffer_, line_;
  std::size_t searched_ = 0;
};

/// Writes to a socket without waiting for more than allowed for a reader that does not read.
/// False when it is closed, the time is over or `wake` became readable.
bool send_all(int to, std::string_view bytes, std::chrono::steady_clock::time_point until,
              int wake);

}  // namespace flyball::jobs
