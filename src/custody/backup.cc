#include "custody/backup.h"

#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "core/checks.h"
#include "core/version.h"
#include "custody/restore.h"
#include "govern/audit.h"
#include "jobs/sqlite_queue.h"
#include "registry/registry.h"
#include "store/copy.h"
#include "store/migrations.h"
#include "store/sqlite.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;
constexpr std::chrono::minutes kPatience{1};  ///< with a writer that has the database

/// The historian first: its transactions are the long ones, and nothing waits for us meanwhile.
constexpr std::array kDatabases{"historian.db", "flyball.db"};

void check_target(const fs::path& data, const fs::path& folder) {
  const auto below = [](const fs::path& root, const fs::path& path) {
    const fs::path relative = path.lexically_relative(root);
    return !relative.empty() && *relative.begin() != "..";
  };
  const fs::path target = fs::weakly_canonical(folder), source = fs::weakly_canonical(data);
  if (below(source, target) && !below(source / "backups", target))
    throw Error("BACKUP_INSIDE", {{"folder", folder.string()}, {"data", data.string()}});
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    throw Error("BACKUP_FOLDER_NOT_EMPTY",
                {{"folder", folder.string()}, {"found", entry.path().filename().string()}});
}

std::int64_t bytes_of(const fs::path& file) {
  std::error_code gone;
  const auto size = fs::file_size(file, gone);
  return gone ? 0 : static_cast<std::int64_t>(size);
}

void check_room(const fs::path& data, const fs::path& folder) {
  std::int64_t needed = 0;
  for (const char* name : kDatabases) needed += bytes_of(data / name);
  for (const char* name : {"datasets", "models", "jobs", "reports"}) {
    for (const fs::path& file : store::files_under(data / name))
      needed += bytes_of(data / name / file);
  }
  const std::int64_t free = store::disk_space(folder).free;
  const auto mb = [](std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  if (needed > free)
    throw Error(
        "BACKUP_NO_ROOM",
        {{"folder", folder.string()}, {"needed", mb(needed), "MB"}, {"free", mb(free), "MB"}});
}

/// The folder of a backup: what was written there goes again unless it is finished.
class Target {
 public:
  explicit Target(fs::path folder) : folder_(std::move(folder)), made_(!fs::exists(folder_)) {
    store::make_folder(folder_);
    std::error_code exists;
    if (!fs::create_directory(folder_ / "data", exists))
      throw Error("BACKUP_FOLDER_NOT_EMPTY", {{"folder", folder_.string()}, {"found", "data"}});
  }
  ~Target() {
    if (finished_) return;
    std::error_code ignored;
    fs::remove_all(made_ ? folder_ : folder_ / "data", ignored);
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  void finish() { finished_ = true; }
  [[nodiscard]] fs::path data() const { return folder_ / "data"; }

 private:
  fs::path folder_;
  bool made_, finished_ = false;
};

class Copier {
 public:
  Copier(const fs::path& from, const fs::path& to, const Clock& clock, const ProgressFn& progress,
         std::stop_token stop)
      : from_(from), to_(to), clock_(clock), progress_(progress), stop_(std::move(stop)) {}

  void copy(Backup& out, BackupManifest& manifest) {
    for (int round = 0;; ++round) {
      copy_databases(manifest);
      if (copy_named(out)) break;
      if (round == kRounds) throw Error("BACKUP_UNSETTLED", {{"limit", kRounds}});
    }
    out.jobs = copy_jobs();
    for (const char* name : {"reports", "runtime/specs"}) copy_tree(name);
    copy_audit_head();
    for (const auto& [path, file] : files_) {
      manifest.files.push_back({path, file.bytes, file.sha256});
      out.bytes += file.bytes;
    }
    out.files = std::ssize(manifest.files);
    out.at = manifest.at;
  }

 private:
  void say(const char* stage, double fraction, const std::string& note) const {
    check_stop(stop_);
    if (progress_) progress_({stage, fraction, note});
  }

  /// Both databases as they are at one moment.
  void copy_databases(BackupManifest& manifest) {
    std::vector<std::unique_ptr<store::Database>> writers, readers;
    std::vector<std::string> names;
    for (const char* name : kDatabases) {
      fs::remove(to_ / name);
      if (!fs::exists(from_ / name)) continue;
      names.emplace_back(name);
      writers.push_back(std::make_unique<store::Database>(
          from_ / name, store::DatabaseOptions{.busy_timeout = kPatience}));
      writers.back()->exec("BEGIN IMMEDIATE");
    }
    for (const std::string& name : names) {
      readers.push_back(std::make_unique<store::Database>(
          from_ / name, store::DatabaseOptions{.read_only = true}));
      readers.back()->exec("BEGIN");
      (void)readers.back()->query("SELECT count(*) FROM sqlite_schema").step();
    }
    manifest.at = clock_.now();
    writers.clear();
    for (std::size_t i = 0; i < names.size(); ++i) {
      readers[i]->copy_to(to_ / names[i], [&](double share) { say("databases", share, names[i]); });
      files_[names[i]] = store::digest_file(to_ / names[i], stop_);
    }
    store::Database copied(to_ / "flyball.db", {.read_only = true});
    manifest.schema = store::schema_version(copied);
  }

  /// Files of a folder below the data folder; false when one went while they were copied.
  bool copy_tree(const std::string& name) {
    bool whole = fs::is_directory(from_ / name);
    for (const fs::path& file : store::files_under(from_ / name)) {
      const std::string path = (name / file).string();
      fs::remove(to_ / path);
      try {
        files_[path] = store::copy_file(from_ / path, to_ / path, stop_);
      } catch (const Error& e) {
        if (e.errc() != Errc::not_found) throw;
        fs::remove(to_ / path);
        files_.erase(path);
        whole = false;
      }
    }
    return whole;
  }

  void drop(const std::string& name) {
    fs::remove_all(to_ / name);
    std::erase_if(files_, [&](const auto& f) { return f.first.starts_with(name + "/"); });
  }

  /// Folders that the copied rows name; false when one was deleted meanwhile.
  bool copy_named(Backup& out) {
    store::Database copied(to_ / "flyball.db", {.read_only = true});
    store::Database live(from_ / "flyball.db", {.read_only = true});
    registry::Registry rows(copied, to_ / "models"), now(live, from_ / "models");
    const auto datasets = rows.dataset_ids(), models = rows.model_ids();
    out.datasets = std::ssize(datasets);
    out.models = std::ssize(models);
    out.problems.clear();
    return copy_each(
               "datasets", datasets, [&] { return now.dataset_ids(); }, out) &&
           copy_each(
               "models", models, [&] { return now.model_ids(); }, out);
  }

  template <class Now>
  bool copy_each(const std::string& entity, const std::vector<std::string>& ids, const Now& now,
                 Backup& out) {
    double done = 0;
    std::set<std::string> named;
    for (const std::string& id : ids) {
      const std::string name = entity + "/" + id;
      named.insert(name);
      say(entity.c_str(), done++ / static_cast<double>(ids.size()), id);
      if (complete_.contains(name)) continue;
      if (copy_tree(name)) {
        complete_.insert(name);
        continue;
      }
      const auto still = now();
      if (!std::ranges::binary_search(still, id)) return false;
      out.problems.push_back(
          Message{"ENTITY_ISSUE", {{"entity", entity}, {"id", id}, {"kind", "entity_missing"}}}
              .text());
    }
    for (auto it = complete_.begin(); it != complete_.end();) {
      const bool extra = it->starts_with(entity + "/") && !named.contains(*it);
      if (extra) drop(*it);
      it = extra ? complete_.erase(it) : std::next(it);
    }
    return true;
  }

  /// Folders of jobs that have ended; one that was tried again meanwhile is left out.
  std::int64_t copy_jobs() {
    std::recursive_mutex guard;
    store::Database copied(to_ / "flyball.db", {.read_only = true});
    store::Database live(from_ / "flyball.db", {.read_only = true});
    jobs::SqliteQueue rows(copied, guard), now(live, guard);
    std::int64_t count = 0;
    std::optional<std::string> cursor;
    do {
      const jobs::JobPage page = rows.list({}, 1000, cursor);
      for (const jobs::Job& job : page.jobs) {
        const std::string name = "jobs/" + job.id;
        if (!jobs::terminal(job.attempt.state) || !fs::is_directory(from_ / name)) continue;
        say("jobs", 0, job.id);
        copy_tree(name);
        if (same_attempt(now, job)) {
          ++count;
        } else {
          drop(name);
        }
      }
      cursor = page.next_cursor;
    } while (cursor);
    return count;
  }

  static bool same_attempt(jobs::Queue& now, const jobs::Job& job) {
    try {
      return now.job(job.id).attempt.number == job.attempt.number;
    } catch (const Error&) {
      return false;  // forgotten meanwhile
    }
  }

  /// The one in the data folder may be older or newer than the copied trail.
  void copy_audit_head() {
    store::Database copied(to_ / "flyball.db", {.read_only = true});
    const govern::AuditHead head = govern::Audit(copied).head();
    if (head.number == 0) return;
    const std::string path = "runtime/audit-head";
    store::write_file(to_ / path, canonical(to_json_value(head)) + "\n");
    files_[path] = store::digest_file(to_ / path);
  }

  const fs::path& from_;
  const fs::path to_;
  const Clock& clock_;
  const ProgressFn& progress_;
  const std::stop_token stop_;
  std::map<std::string, store::FileDigest> files_;  ///< by path below to_
  std::set<std::string> complete_;                  ///< folders of rows, which never change
};

}  // namespace

Backup make_backup(const fs::path& data, const fs::path& folder, const Clock& clock,
                   const ProgressFn& progress, const std::stop_token& stop) {
  check_target(data, folder);
  check_restored(data);
  Target target(folder);
  check_room(data, target.data());
  Backup out;
  out.folder = folder.string();
  BackupManifest manifest;
  manifest.product = version();
  Copier(data, target.data(), clock, progress, stop).copy(out, manifest);
  store::sync_disk(folder);
  write_manifest(folder, manifest);
  out.sha256 = manifest.sha256;
  target.finish();
  return out;
}

}  // namespace flyball::custody
