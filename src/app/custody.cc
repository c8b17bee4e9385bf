// Use cases on the custody of what is stored.
#include <algorithm>

#include "app/app.h"
#include "app/custody_body.h"
#include "app/migrations.h"
#include "app/records.h"
#include "app/settings.h"
#include "core/version.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

/// "2026-11-30T15-50-12.123456Z": sorts by time, and every file system takes it.
std::string folder_name(TimeUs at) {
  std::string out = format_time(at);
  std::ranges::replace(out, ':', '-');
  return out;
}

fs::path newest_backup(const fs::path& data) {
  fs::path out = data / "backups";
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(data / "backups", missing))
    out = std::max(out, entry.path());
  return out;
}

}  // namespace

custody::Backup App::backup(const BackupRequest& request, const Call& call) {
  (void)records();  // refuses while there is nothing
  const fs::path folder = request.folder ? fs::absolute(*request.folder)
                                         : data_.path / "backups" / folder_name(clock_.now());
  return custody::make_backup(data_.path, folder, clock_, call.progress, call.stop);
}

SystemResponse App::system(const Empty&, const Call&) {
  return {data_.path.string(), data_.source, std::string(flyball::version()),
          custody::disk_state(data_.path, disk_needs(settings())), custody::disk_parts(data_.path)};
}

void App::check_disk() {
  custody::check_disk(data_.path, disk_needs(settings()));
}

custody::RetentionRun App::retain(const RetentionRequest& request, const Call& call) {
  Records& r = records(true);
  // What a killed run had begun to remove goes first.
  if (!request.dry_run) {
    for (const char* folder : {"datasets", "models"}) store::sweep_staging(data_.path / folder);
  }
  custody::RetentionRun out =
      custody::retain(r.db, data_.path, retention_rules(&r.settings), clock_.now(), request.dry_run,
                      call.progress, call.stop);
  if (call.change != nullptr) call.change->after = retention_summary(out);
  return out;
}

custody::DeepCheck App::verify_entities(const Empty&, const Call& call) {
  (void)records();
  return custody::deep_check(data_.path, call.progress, call.stop);
}

RestoreResponse App::restore(const RestoreRequest& request, const Call& call) {
  const fs::path folder =
      request.folder ? fs::absolute(*request.folder) : newest_backup(data_.path);
  const std::string found = custody::first_entry(data_.path);
  if (!request.check && !found.empty()) {
    custody::check_restored(data_.path);
    throw Error("RESTORE_NOT_EMPTY", {{"path", data_.path.string()}, {"found", found}});
  }
  const custody::BackupCheck checked = custody::check_backup(
      folder, static_cast<std::int64_t>(migrations().size()), call.progress, call.stop);
  RestoreResponse out;
  out.folder = folder.string();
  out.product = checked.manifest.product;
  out.at = checked.manifest.at;
  out.files = std::ssize(checked.manifest.files);
  out.bytes = checked.bytes;
  out.datasets = checked.deep.datasets;
  out.models = checked.deep.models;
  out.sha256 = checked.manifest.sha256;
  out.findings = checked.findings;
  out.ok = checked.findings.empty();
  if (request.check) return out;
  if (!out.ok)
    throw Error("BACKUP_DAMAGED", {{"folder", folder.string()},
                                   {"count", out.findings.size()},
                                   {"first", out.findings.front().text}});
  const store::DataLock lock(data_.path, "restore");
  custody::restore_backup(folder, checked.manifest, data_.path, call.progress, call.stop);
  out.restored_to = data_.path.string();
  return out;
}

}  // namespace flyball::app
