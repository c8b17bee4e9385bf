#include "serve/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace flyball::serve {

void Metrics::count(const std::string& operation, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{operation, status}];
  Histogram& h = durations_[operation];
  for (std::size_t i = 0; i < kBuckets.size(); ++i) h.counts[i] += seconds <= kBuckets[i] ? 1 : 0;
  ++h.all;
  h.sum += seconds;
}

std::string Metrics::text(const std::map<std::string, double>& gauges) const {
  std::string out;
  std::string described;
  for (const auto& [name, value] : gauges) {
    const std::string plain = name.substr(0, name.find('{'));
    if (plain != described) out += fmt::format("# TYPE {} gauge\n", plain);
    described = plain;
    out += fmt::format("{} {}\n", name, value);
  }
  const std::lock_guard lock(mutex_);
  out += "# TYPE flyball_http_requests_total counter\n";
  for (const auto& [key, count] : requests_)
    out += fmt::format("flyball_http_requests_total{{operation=\"{}\",status=\"{}\"}} {}\n",
                       key.first, key.second, count);
  out += "# TYPE flyball_http_request_seconds histogram\n";
  for (const auto& [operation, h] : durations_) {
    const std::string label = fmt::format("operation=\"{}\"", operation);
    for (std::size_t i = 0; i < kBuckets.size(); ++i)
      out += fmt::format("flyball_http_request_seconds_bucket{{{},le=\"{}\"}} {}\n", label,
                         kBuckets[i], h.counts[i]);
    out += fmt::format("flyball_http_request_seconds_bucket{{{},le=\"+Inf\"}} {}\n", label, h.all);
    out += fmt::format("flyball_http_request_seconds_sum{{{}}} {}\n", label, h.sum);
    out += fmt::format("flyball_http_request_seconds_count{{{}}} {}\n", label, h.all);
  }
  return out;
}

double resident_bytes() {
  long size = 0, resident = 0;
  std::FILE* f = std::fopen("/proc/self/statm", "r");
  if (f == nullptr) return 0;
  if (std::fscanf(f, "%ld %ld", &size, &resident) != 2) resident = 0;
  std::fclose(f);
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace flyball::serve
