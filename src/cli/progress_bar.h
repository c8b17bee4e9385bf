#pragma once
// Progress on stderr: a bar on a terminal, one line a stage elsewhere.
#include <chrono>
#include <string>

#include "core/progress.h"

namespace flyball::cli {

class ProgressBar {
 public:
  ProgressBar(bool terminal, bool quiet) : terminal_(terminal), quiet_(quiet) {}
  ~ProgressBar() { finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);
  /// Clears the bar's line.
  void finish();

 private:
  bool terminal_, quiet_, drawn_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace flyball::cli
