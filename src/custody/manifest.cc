#include "custody/manifest.h"

#include <nlohmann/json.hpp>

#include "core/digest.h"
#include "store/files.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;

std::string digest_of(BackupManifest manifest) {
  manifest.sha256.clear();
  return sha256(canonical(to_json_value(manifest)));
}

/// A path of a manifest stays below its folder.
bool is_inside(const std::string& path) {
  const fs::path p(path);
  if (path.empty() || p.is_absolute()) return false;
  for (const fs::path& part : p) {
    if (part == ".." || part == ".") return false;
  }
  return true;
}

BackupManifest parsed(const fs::path& file) {
  const auto refuse = [&](const std::string& reason) -> Error {
    return Error("BACKUP_MANIFEST", {{"path", file.string()}, {"reason", reason}});
  };
  BackupManifest out;
  try {
    out = parse_record<BackupManifest>(parse_json(store::read_file(file), "manifest.json"));
  } catch (const Error& e) {
    throw refuse(e.what());
  }
  if (out.format != BackupManifest{}.format) throw refuse("its format is " + out.format);
  if (digest_of(out) != out.sha256) throw refuse("its sha256 differs");
  for (const BackupFile& f : out.files) {
    if (!is_inside(f.path)) throw refuse("it names " + f.path);
  }
  return out;
}

}  // namespace

void write_manifest(const fs::path& folder, BackupManifest& manifest) {
  manifest.sha256 = digest_of(manifest);
  store::write_file(folder / "manifest.json", pretty(to_json_value(manifest)));
}

BackupManifest read_manifest(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw Error("BACKUP_MISSING", {{"folder", folder.string()}});
  if (!fs::exists(folder / "manifest.json"))
    throw Error("BACKUP_INCOMPLETE", {{"folder", folder.string()}});
  return parsed(folder / "manifest.json");
}

}  // namespace flyball::custody
