#include "custody/disk.h"

#include <algorithm>
#include <map>

#include "store/copy.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;

fs::path existing(fs::path folder) {
  std::error_code ignored;
  while (!fs::exists(folder, ignored) && folder.has_parent_path() && folder.parent_path() != folder)
    folder = folder.parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// By the first part of a path in the data folder.
std::string part_of(const std::string& first) {
  if (first.starts_with("historian.db")) return "samples";
  if (first.starts_with("flyball.db")) return "records";
  for (const char* name : {"datasets", "models", "jobs", "reports", "backups"}) {
    if (first == name) return name;
  }
  return "other";
}

double megabytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / 1e6;
}

}  // namespace

DiskState disk_state(const fs::path& data, const DiskNeeds& needs) {
  const store::DiskSpace space = store::disk_space(existing(data));
  DiskState out{space.free, space.size, 0, false};
  out.needed = static_cast<std::int64_t>(
      std::max(needs.bytes, needs.share * static_cast<double>(space.size)));
  out.low = out.free < out.needed;
  return out;
}

void check_disk(const fs::path& data, const DiskNeeds& needs) {
  const DiskState state = disk_state(data, needs);
  if (!state.low) return;
  const std::vector<DiskPart> parts = disk_parts(data);
  const DiskPart largest = parts.empty() ? DiskPart{"nothing yet", 0, 0} : parts.front();
  throw Error("DISK_LOW", {{"path", data.string()},
                           {"free", megabytes(state.free), "MB"},
                           {"needed", megabytes(state.needed), "MB"},
                           {"part", largest.name},
                           {"bytes", megabytes(largest.bytes), "MB"}});
}

std::vector<DiskPart> disk_parts(const fs::path& data) {
  std::map<std::string, DiskPart> parts;
  std::error_code gone;  // files come and go while they are counted
  fs::recursive_directory_iterator it(data, gone), end;
  for (; !gone && it != end; it.increment(gone)) {
    std::error_code ignored;
    if (!fs::is_regular_file(it->symlink_status(ignored))) continue;
    const auto size = it->file_size(ignored);
    if (ignored) continue;
    const std::string name = part_of(it->path().lexically_relative(data).begin()->string());
    DiskPart& part = parts[name];
    part.name = name;
    ++part.files;
    part.bytes += static_cast<std::int64_t>(size);
  }
  std::vector<DiskPart> out;
  for (const auto& [name, part] : parts) out.push_back(part);
  std::ranges::stable_sort(out, std::greater{}, &DiskPart::bytes);
  return out;
}

}  // namespace flyball::custody
