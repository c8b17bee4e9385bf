#pragma once
// Counters for whoever watches the service, as Prometheus reads them. Labels are operations and
// statuses, never names of tags, lines or people.
#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace flyball::serve {

class Metrics {
 public:
  /// `operation` is one of the table, or "page", "session", ...; `seconds` from its head on.
  void count(const std::string& operation, int status, double seconds);

  /// `gauges`: name → value, beside what was counted.
  [[nodiscard]] std::string text(const std::map<std::string, double>& gauges) const;

 private:
  static constexpr std::array kBuckets{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                       0.1,   0.25,   0.5,   1.0,  2.5,   10.0};
  struct Histogram {
    std::array<std::int64_t, kBuckets.size()> counts{};
    std::int64_t all = 0;
    double sum = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::int64_t> requests_;
  std::map<std::string, Histogram> durations_;
};

/// Bytes of memory that the process holds.
double resident_bytes();

}  // namespace flyball::serve
