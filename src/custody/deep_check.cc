#include "custody/deep_check.h"

#include <functional>
#include <mutex>

#include "core/checks.h"
#include "core/time.h"
#include "dataset/verify.h"
#include "govern/audit.h"
#include "historian/embedded_historian.h"
#include "jobs/sqlite_queue.h"
#include "registry/inventory.h"
#include "store/sqlite.h"

namespace flyball::custody {
namespace {

namespace fs = std::filesystem;

class Checker {
 public:
  Checker(const fs::path& data, const ProgressFn& progress, std::stop_token stop)
      : data_(data), progress_(progress), stop_(std::move(stop)) {}

  DeepCheck check() {
    attempt("flyball.db", "", [&] { records(); });
    attempt("historian.db", "", [&] { samples(); });
    out_.ok = out_.findings.empty();
    return std::move(out_);
  }

 private:
  /// What `work` throws is a finding.
  void attempt(const char* what, const std::string& id, const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& e) {
      if (e.errc() == Errc::cancelled) throw;
      out_.findings.push_back(finding(what, id, e.message()));
    }
  }

  void say(const char* stage, double fraction, const std::string& note) const {
    check_stop(stop_);
    if (progress_) progress_({stage, fraction, note});
  }

  void records() {
    say("records", 0, "flyball.db");
    store::Database db(data_ / "flyball.db", {.read_only = true});
    db.check_integrity();
    db.check_references();
    attempt("audit", "", [&] { audit(db); });
    registry::Registry registry(db, data_ / "models");
    for (const registry::EntityIssue& issue : inventory(db, registry).issues)
      out_.findings.push_back(
          finding(issue.entity, issue.id,
                  {"ENTITY_ISSUE",
                   {{"entity", issue.entity}, {"id", issue.id}, {"kind", enum_name(issue.kind)}}}));
    each("datasets", registry.dataset_ids(), out_.datasets, [&](const std::string& id) {
      (void)dataset::verify(data_ / "datasets" / id, registry.dataset(id).sha256);
    });
    each("models", registry.model_ids(), out_.models, [&](const std::string& id) {
      for (const std::string& problem : registry.verify(registry.model(id)))
        out_.findings.push_back({"models", id, "MODEL_FILES", problem});
    });
  }

  /// What the inventory has named already is not named twice.
  void each(const char* what, const std::vector<std::string>& ids, std::int64_t& count,
            const std::function<void(const std::string&)>& look) {
    for (const std::string& id : ids) {
      say(what, static_cast<double>(count) / static_cast<double>(ids.size()), id);
      ++count;
      if (fs::is_directory(data_ / what / id)) attempt(what, id, [&] { look(id); });
    }
  }

  registry::Inventory inventory(store::Database& db, registry::Registry& registry) const {
    std::recursive_mutex guard;
    jobs::SqliteQueue queue(db, guard);
    return registry::take_inventory(registry, data_, jobs::job_ids(queue));
  }

  void audit(store::Database& db) {
    const govern::AuditVerdict verdict =
        govern::Audit(db, data_ / "runtime" / "audit-head").verify();
    out_.audit_rows = verdict.rows;
    if (verdict.problem) out_.findings.push_back(finding("audit", "", *verdict.problem));
  }

  void samples() {
    if (!historian::EmbeddedHistorian::exists(data_)) return;
    say("samples", 0, "historian.db");
    const historian::EmbeddedHistorian historian(data_, {.read_only = true});
    for (const historian::DamagedChunk& d : historian.verify())
      out_.findings.push_back(finding("samples", d.node_id,
                                      {"CHUNK_DAMAGED",
                                       {{"tag", d.node_id},
                                        {"from", format_time(d.from)},
                                        {"to", format_time(d.to)},
                                        {"reason", d.reason}}}));
  }

  const fs::path& data_;
  const ProgressFn& progress_;
  const std::stop_token stop_;
  DeepCheck out_;
};

}  // namespace

int exit_code_of(const DeepCheck& check) {
  return check.ok ? 0 : 1;
}

Finding finding(std::string what, std::string id, const Message& message) {
  return {std::move(what), std::move(id), message.code, message.text()};
}

DeepCheck deep_check(const fs::path& data, const ProgressFn& progress,
                     const std::stop_token& stop) {
  return Checker(data, progress, stop).check();
}

}  // namespace flyball::custody
