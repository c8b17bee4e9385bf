#include "dataset/limits.h"

#include <algorithm>

#include "core/error.h"

namespace flyball::dataset {
namespace {

constexpr double kMegabyte = 1 << 20;

std::int64_t bytes_under(const store::fs::path& folder, const store::fs::path& without) {
  std::int64_t sum = 0;
  std::error_code gone;  // a file may go while it is being counted
  store::fs::recursive_directory_iterator it(folder, gone), end;
  while (!gone && it != end) {
    if (it->path() == without) it.disable_recursion_pending();
    std::error_code ignored;
    if (it->is_regular_file(ignored)) {
      const auto size = it->file_size(ignored);
      if (!ignored) sum += static_cast<std::int64_t>(size);
    }
    it.increment(gone);
  }
  return sum;
}

std::int64_t cells(const std::vector<std::int64_t>& shape) {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return n;
}

}  // namespace

std::int64_t array_bytes(const Manifest& m) {
  std::int64_t sum = 0;
  const auto columns = static_cast<std::int64_t>(m.all_nodes.size());
  for (const SeriesFiles& s : m.artifacts.series) sum += s.steps * (9 * columns + 8);
  if (m.shapes) {
    sum += 4 * (cells(m.shapes->x) + cells(m.shapes->u) + cells(m.shapes->y));
    sum += 12 * m.window_count * (m.spec.window.history_steps + m.spec.window.horizon_steps);
  }
  return sum;
}

void check_windows(std::int64_t windows, std::int64_t history, std::int64_t horizon,
                   const Limits& limits) {
  if (windows <= limits.max_rows) return;
  throw Error("DATASET_TOO_LARGE", {{"value", windows},
                                    {"limit", limits.max_rows},
                                    {"history", history, "steps"},
                                    {"horizon", horizon, "steps"}});
}

std::int64_t used_bytes(const store::fs::path& data_folder, const store::fs::path& without) {
  std::int64_t sum = 0;
  for (const char* name : {"datasets", "jobs", "models"})
    sum += bytes_under(data_folder / name, without);
  return sum;
}

void check_quota(std::int64_t used, std::int64_t more, const Limits& limits) {
  if (!limits.quota_bytes || used + more <= *limits.quota_bytes) return;
  const auto mb = [](std::int64_t bytes) { return static_cast<double>(bytes) / kMegabyte; };
  throw Error("DISK_QUOTA", {{"value", mb(used + more), "MB"},
                             {"limit", mb(*limits.quota_bytes), "MB"},
                             {"used", mb(used), "MB"},
                             {"more", mb(more), "MB"}});
}

}  // namespace flyball::dataset
