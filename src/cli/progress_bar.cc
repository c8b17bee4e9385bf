#include "cli/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace flyball::cli {

void ProgressBar::show(const Progress& p) {
  if (quiet_) return;
  const bool new_stage = p.stage != stage_;
  stage_ = p.stage;
  if (!terminal_) {
    if (new_stage) fmt::print(stderr, "{} ...\n", p.stage);
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!new_stage && p.fraction < 1 && now - last_ < std::chrono::milliseconds(60)) return;
  last_ = now;
  const int width = 24;
  const int filled = static_cast<int>(std::clamp(p.fraction, 0.0, 1.0) * width);
  fmt::print(stderr, "\r\x1b[2K{:<10} [{}{}] {:3.0f} %  {}", p.stage,
             std::string(static_cast<std::size_t>(filled), '#'),
             std::string(static_cast<std::size_t>(width - filled), '.'),
             100 * std::clamp(p.fraction, 0.0, 1.0), p.note.substr(0, 40));
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressBar::finish() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\x1b[2K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace flyball::cli
