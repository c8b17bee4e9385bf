#pragma once
// Whether a new worker may be started: a pure rule of failures in a row and the time.
//
//   n = 0         yes
//   n = 1, 2      after min(4000, 1000·2^(n−1)) ms
//   n ≥ 3         degraded: after 60 s one attempt is let through (half open); it succeeds: n = 0,
//                 it fails: another 60 s
#include <algorithm>

#include "core/time.h"

namespace flyball::jobs {

class WorkerHealth {
 public:
  static constexpr int kDegradedFrom = 3;
  static constexpr DurationUs kProbeAfter = 60 * kSecond;

  enum class Answer { go, restarting, degraded };
  /// `go` in the degraded state is the one probe: it must be told how it went.
  [[nodiscard]] Answer ask(TimeUs now) {
    if (failures_ == 0) return Answer::go;
    if (!degraded()) return now - failed_at_ >= back_off() ? Answer::go : Answer::restarting;
    if (probing_ || now - failed_at_ < kProbeAfter) return Answer::degraded;
    probing_ = true;
    return Answer::go;
  }
  void succeeded() {
    failures_ = 0;
    probing_ = false;
  }
  void failed(TimeUs now) {
    ++failures_;
    failed_at_ = now;
    probing_ = false;
  }
  /// The attempt neither succeeded nor failed: its caller went away.
  void gave_up() { probing_ = false; }

  [[nodiscard]] bool degraded() const { return failures_ >= kDegradedFrom; }
  [[nodiscard]] int failures() const { return failures_; }
  [[nodiscard]] DurationUs back_off() const {
    return std::min<DurationUs>(4'000,
                                1'000 * (std::int64_t{1} << std::clamp(failures_ - 1, 0, 3))) *
           kMillisecond;
  }

 private:
  int failures_ = 0;
  TimeUs failed_at_ = 0;
  bool probing_ = false;
};

}  // namespace flyball::jobs
