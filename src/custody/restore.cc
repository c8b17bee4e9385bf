#include "custody/restore.h"

#include <map>

#include "core/checks.h"
#include "store/copy.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "RESTORING";
constexpr const char* kRecords = "flyball.db";

void say(const ProgressFn& progress, const std::stop_token& stop, const char* stage,
         std::size_t done, std::size_t all, const std::string& note) {
  check_stop(stop);
  if (progress) progress({stage, static_cast<double>(done) / static_cast<double>(all), note});
}

/// Files that the manifest does not name, and those that it names.
void compare(const fs::path& folder, BackupCheck& out, const ProgressFn& progress,
             const std::stop_token& stop) {
  std::map<std::string, const BackupFile*> named;
  for (const BackupFile& f : out.manifest.files) named[f.path] = &f;
  const auto add = [&](const std::string& path, const Message& what) {
    out.findings.push_back(finding("files", path, what));
  };
  std::size_t done = 0;
  for (const fs::path& found : store::files_under(folder / "data")) {
    const std::string path = found.string();
    say(progress, stop, "files", done++, named.size() + 1, path);
    const auto it = named.find(path);
    if (it == named.end()) {
      add(path, {"BACKUP_FILE_UNKNOWN", {{"path", path}}});
      continue;
    }
    const store::FileDigest digest = store::digest_file(folder / "data" / path, stop);
    out.bytes += digest.bytes;
    if (digest.sha256 != it->second->sha256) add(path, {"BACKUP_FILE_CHANGED", {{"path", path}}});
    named.erase(it);
  }
  for (const auto& [path, file] : named) add(path, {"BACKUP_FILE_MISSING", {{"path", path}}});
}

void copy_one(const fs::path& from, const fs::path& to, const BackupFile& file,
              const std::stop_token& stop) {
  const store::FileDigest digest = store::copy_file(from / file.path, to / file.path, stop);
  if (digest.sha256 != file.sha256)
    throw Error("BACKUP_DAMAGED",
                {{"folder", from.string()},
                 {"count", 1},
                 {"first", Message{"BACKUP_FILE_CHANGED", {{"path", file.path}}}.text()}});
}

/// All but the lock.
void clear(const fs::path& data) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data, ignored)) {
    if (entry.path().filename() != "runtime") fs::remove_all(entry.path(), ignored);
  }
  for (const auto& entry : fs::directory_iterator(data / "runtime", ignored)) {
    if (entry.path().filename() != "lock") fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

BackupCheck check_backup(const fs::path& folder, std::int64_t newest_schema,
                         const ProgressFn& progress, const std::stop_token& stop) {
  BackupCheck out;
  out.manifest = read_manifest(folder);
  if (out.manifest.schema > newest_schema)
    throw Error("BACKUP_TOO_NEW", {{"folder", folder.string()},
                                   {"found", out.manifest.schema},
                                   {"known", newest_schema},
                                   {"version", out.manifest.product}});
  compare(folder, out, progress, stop);
  out.deep = deep_check(folder / "data", progress, stop);
  out.findings.insert(out.findings.end(), out.deep.findings.begin(), out.deep.findings.end());
  return out;
}

void restore_backup(const fs::path& folder, const BackupManifest& manifest, const fs::path& data,
                    const ProgressFn& progress, const std::stop_token& stop) {
  check_restored(data);
  if (const std::string found = first_entry(data); !found.empty())
    throw Error("RESTORE_NOT_EMPTY", {{"path", data.string()}, {"found", found}});
  store::write_file(data / kMark, folder.string() + "\n");
  try {
    std::size_t done = 0;
    const BackupFile* records = nullptr;
    for (const BackupFile& file : manifest.files) {
      say(progress, stop, "restore", done++, manifest.files.size(), file.path);
      if (file.path == kRecords) {
        records = &file;
      } else {
        copy_one(folder / "data", data, file, stop);
      }
    }
    store::sync_disk(data);
    if (records != nullptr) copy_one(folder / "data", data, *records, stop);
    store::sync_disk(data);
  } catch (...) {
    clear(data);
    throw;
  }
  fs::remove(data / kMark);
  store::sync_disk(data);
}

void check_restored(const fs::path& data) {
  std::error_code ignored;
  if (fs::exists(data / kMark, ignored))
    throw Error("RESTORE_UNFINISHED", {{"path", data.string()}});
}

std::string first_entry(const fs::path& data) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(data, missing)) {
    const std::string name = entry.path().filename().string();
    if (name != "runtime") return name;
  }
  for (const auto& entry : fs::directory_iterator(data / "runtime", missing)) {
    const std::string name = entry.path().filename().string();
    if (name != "lock") return "runtime/" + name;
  }
  return {};
}

}  // namespace flyball::custody
