#include "jobs/frame.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "core/digest.h"
#include "core/error.h"

namespace flyball::jobs {
namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::string_view kBegin = R"({"sha256":")", kMiddle = R"(","frame":)";
constexpr std::size_t kDigits = 64;
constexpr std::size_t kHead = kBegin.size() + kDigits + kMiddle.size();

[[noreturn]] void corrupt(const char* detail) {
  throw Error("FRAME_CORRUPT", {{"detail", detail}});
}

int milliseconds_to(Time until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
}

/// Waits for `events` of a descriptor; what came: 1 these, 0 time over, -1 woken.
int wait_for(int fd, short events, int wake, Time until) {
  for (;;) {
    pollfd waits[] = {{fd, events, 0}, {wake, POLLIN, 0}};
    const int n = ::poll(waits, 2, milliseconds_to(until));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    return waits[1].revents != 0 ? -1 : 1;
  }
}

}  // namespace

std::string seal_frame(const Json& frame) {
  const std::string body = canonical(frame);
  std::string out;
  out.reserve(kHead + body.size() + 2);
  out.append(kBegin).append(sha256(body)).append(kMiddle).append(body).append("}\n");
  return out;
}

Json open_frame(std::string_view line) {
  if (line.size() < kHead + 3 || !line.starts_with(kBegin) ||
      line.substr(kBegin.size() + kDigits, kMiddle.size()) != kMiddle || line.back() != '}')
    corrupt("it is not a frame");
  const std::string_view body = line.substr(kHead, line.size() - kHead - 1);
  if (sha256(body) != line.substr(kBegin.size(), kDigits)) corrupt("its checksum does not hold");
  Json out = Json::parse(body, nullptr, false);
  if (!out.is_object()) corrupt("it holds no object");
  return out;
}

bool FrameReader::take_line() {
  const std::size_t end = buffer_.find('\n', searched_);
  searched_ = buffer_.size();
  if (end == std::string::npos) return false;
  line_.assign(buffer_, 0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  return true;
}

FrameReader::Got FrameReader::next(Time until, int wake) {
  for (;;) {
    if (take_line()) return Got::line;
    if (buffer_.size() > kLongestFrame) return Got::too_long;
    const int came = wait_for(from_, POLLIN, wake, until);
    if (came < 0) return Got::woken;
    if (came == 0) return Got::nothing;
    char block[65'536];
    const ssize_t n = ::read(from_, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Got::ended;
    buffer_.append(block, static_cast<std::size_t>(n));
  }
}

bool send_all(int to, std::string_view bytes, Time until, int wake) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EAGAIN) {
      if (wait_for(to, POLLOUT, wake, until) <= 0) return false;
    } else if (n >= 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace flyball::jobs
