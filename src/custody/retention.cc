#include "custody/retention.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/checks.h"
#include "jobs/sqlite_queue.h"
#include "registry/keeping.h"
#include "registry/registry.h"
#include "store/copy.h"
#include "store/files.h"
#include "store/savepoint.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;
using registry::Forgettable;

constexpr const char* kLog = "run.log";

std::vector<jobs::Job> all_jobs(jobs::Queue& queue) {
  std::vector<jobs::Job> out;
  std::optional<std::string> cursor;
  do {
    jobs::JobPage page = queue.list({}, 1000, cursor);
    out.insert(out.end(), page.jobs.begin(), page.jobs.end());
    cursor = page.next_cursor;
  } while (cursor);
  return out;  // newest first
}

std::int64_t bytes_of(const fs::path& path) {
  std::error_code gone;
  if (fs::is_regular_file(path, gone)) return static_cast<std::int64_t>(fs::file_size(path, gone));
  std::int64_t sum = 0;
  for (const fs::path& file : store::files_under(path)) {
    const auto size = fs::file_size(path / file, gone);
    if (!gone) sum += static_cast<std::int64_t>(size);
  }
  return sum;
}

class Retention {
 public:
  Retention(store::Database& db, const fs::path& data, const RetentionRules& rules, TimeUs now)
      : data_(data),
        rules_(rules),
        now_(now),
        queue_(db, guard_),
        registry_(db, data / "models"),
        keeping_(db) {}

  /// The rows; what is left to remove are the paths.
  void forget() {
    forget_jobs();
    forget_experiments();
    each(
        "models", keeping_.models(now_), rules_.models,
        [&](const Forgettable& m) { return keeping_.prune_model(m.id, now_); }, "models");
    const std::set<std::string> used = used_by_jobs();
    each(
        "models", keeping_.plan_candidates(now_), rules_.plans,
        [&](const Forgettable& m) {
          return !used.contains(m.id) && keeping_.forget_candidate(m.id, now_);
        },
        "models");
    each(
        "datasets", keeping_.datasets(now_), rules_.datasets,
        [&](const Forgettable& d) {
          return !used.contains(d.id) && keeping_.forget_dataset(d.id, now_);
        },
        "datasets");
  }

  RetentionRun answer(bool dry_run) {
    RetentionRun out;
    out.dry_run = dry_run;
    for (auto& [removal, paths] : going_) {
      for (const fs::path& path : paths) removal.bytes += bytes_of(path);
      out.bytes += removal.bytes;
      out.removed.push_back(removal);
    }
    return out;
  }

  void remove_paths(const ProgressFn& progress, const std::stop_token& stop) const {
    double done = 0;
    for (const auto& [removal, paths] : going_) {
      check_stop(stop);
      if (progress) progress({"remove", done++ / static_cast<double>(going_.size()), removal.id});
      for (const fs::path& path : paths) {
        if (fs::is_directory(path)) {
          store::remove_folder(path);
        } else {
          fs::remove(path);
        }
      }
    }
  }

 private:
  [[nodiscard]] bool old(TimeUs since, const KeepRule& rule) const {
    return static_cast<double>(now_ - since) > rule.days * static_cast<double>(kDay);
  }

  void add(const char* what, const Forgettable& thing, const KeepRule& rule,
           std::vector<fs::path> paths) {
    const Message why{"RETENTION_RULE", {{"days", rule.days, "days"}, {"kept", rule.kept}}};
    going_.push_back({{what, thing.id, thing.line_id, why.text(), thing.at, 0}, std::move(paths)});
  }

  /// Those beyond the newest of their group that are old, when `forget` could forget them.
  /// `folder`: where theirs is; empty: they have none.
  template <class Forget>
  void each(const char* what, const std::vector<Forgettable>& newest_first, const KeepRule& rule,
            const Forget& forget, const std::string& folder) {
    std::map<std::string, std::int64_t> seen;
    for (const Forgettable& thing : newest_first) {
      if (++seen[thing.group] <= rule.kept || !old(thing.at, rule) || !forget(thing)) continue;
      std::vector<fs::path> paths;
      if (!folder.empty()) paths.push_back(data_ / folder / thing.id);
      if (folder == "datasets") paths.push_back(data_ / "reports" / thing.id);
      add(what, thing, rule, std::move(paths));
    }
  }

  void forget_jobs() {
    std::int64_t ended = 0, logs = 0;
    for (const jobs::Job& job : all_jobs(queue_)) {
      if (!jobs::terminal(job.attempt.state)) continue;
      const TimeUs since = job.attempt.ended_at.value_or(job.submitted_at);
      const Forgettable thing{job.id, job.asked.line_id, "", since};
      const fs::path folder = data_ / "jobs" / job.id;
      const auto& outcome = job.attempt.outcome;
      const bool has_model =
          outcome && outcome->model_id && registry_.has_model(*outcome->model_id);
      if (++ended > rules_.jobs.kept && old(since, rules_.jobs) && !has_model) {
        queue_.remove(job.id);
        add("jobs", thing, rules_.jobs, {folder});
      } else if (fs::exists(folder / kLog) && ++logs > rules_.logs.kept &&
                 old(since, rules_.logs)) {
        add("logs", thing, rules_.logs, {folder / kLog});
      }
    }
  }

  /// "exp-<digits>-<attempt>" is of job-<digits>.
  static std::string job_of(const std::string& experiment) {
    const auto end = experiment.rfind('-');
    return end <= 4 ? "" : "job-" + experiment.substr(4, end - 4);
  }

  void forget_experiments() {
    std::set<std::string> kept;
    for (const jobs::Job& job : all_jobs(queue_)) kept.insert(job.id);
    each(
        "experiments", keeping_.experiments(), rules_.experiments,
        [&](const Forgettable& e) {
          return !kept.contains(job_of(e.id)) && keeping_.forget_experiment(e.id);
        },
        "reports");
  }

  std::set<std::string> used_by_jobs() {
    std::set<std::string> out;
    for (const jobs::Job& job : all_jobs(queue_)) {
      if (jobs::terminal(job.attempt.state)) continue;
      for (const char* field : {"dataset", "id"}) out.insert(job.asked.request.value(field, ""));
    }
    return out;
  }

  const fs::path& data_;
  const RetentionRules& rules_;
  const TimeUs now_;
  std::recursive_mutex guard_;
  jobs::SqliteQueue queue_;
  registry::Registry registry_;
  registry::Keeping keeping_;
  std::vector<std::pair<Removal, std::vector<fs::path>>> going_;
};

}  // namespace

RetentionRun retain(store::Database& db, const fs::path& data, const RetentionRules& rules,
                    TimeUs now, bool dry_run, const ProgressFn& progress,
                    const std::stop_token& stop) {
  Retention retention(db, data, rules, now);
  {
    store::Savepoint all(db);
    retention.forget();
    if (!dry_run) all.commit();
  }
  RetentionRun out = retention.answer(dry_run);
  if (!dry_run) retention.remove_paths(progress, stop);
  return out;
}

}  // namespace flyball::custody
