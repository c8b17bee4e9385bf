#include "app/quota.h"

#include "app/settings.h"
#include "store/copy.h"

namespace flyball::app {

namespace fs = std::filesystem;

std::int64_t folder_bytes(const fs::path& folder) {
  std::error_code missing;
  if (!fs::is_directory(folder, missing)) return 0;
  std::int64_t sum = 0;
  for (const fs::path& file : store::files_under(folder)) {
    std::error_code gone;
    const auto size = fs::file_size(folder / file, gone);
    if (!gone) sum += static_cast<std::int64_t>(size);
  }
  return sum;
}

void check_quota(registry::Registry& registry, registry::SettingsStore* settings,
                 const fs::path& data, const std::string& line, Adds what) {
  const auto limit = [&](const char* key) {
    return resolve(setting_spec(key), settings, line).value;
  };
  const bool dataset = what == Adds::dataset;
  const double most = limit(dataset ? "quota.datasets" : "quota.models");
  if (most > 0) {
    const auto ids = dataset ? registry.dataset_ids(line) : registry.model_ids(line);
    if (static_cast<double>(ids.size()) >= most)
      throw Error(dataset ? "QUOTA_DATASETS" : "QUOTA_MODELS",
                  {{"line", line}, {"count", ids.size()}, {"limit", most}});
  }
  const double megabytes = limit("quota.mb");
  if (megabytes <= 0) return;
  std::int64_t used = 0;
  for (const std::string& id : registry.dataset_ids(line))
    used += folder_bytes(data / "datasets" / id);
  for (const std::string& id : registry.model_ids(line)) used += folder_bytes(data / "models" / id);
  if (static_cast<double>(used) >= megabytes * 1e6)
    throw Error("QUOTA_BYTES", {{"line", line},
                                {"used", static_cast<double>(used) / 1e6, "MB"},
                                {"limit", megabytes, "MB"}});
}

}  // namespace flyball::app
