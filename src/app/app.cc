#include "app/app.h"

#include <cstdlib>

#include "advise/schema.h"
#include "app/caller.h"
#include "app/items.h"
#include "app/job_service.h"
#include "app/migrations.h"
#include "app/model_cache.h"
#include "app/records.h"
#include "app/settings.h"
#include "core/version.h"
#include "custody/restore.h"
#include "govern/schema.h"
#include "jobs/schema.h"
#include "plant/schema.h"
#include "registry/schema.h"
#include "store/files.h"

namespace flyball::app {

namespace fs = std::filesystem;

DataFolder find_data_folder(const std::string& flag, bool creates) {
  if (!flag.empty()) return {fs::absolute(flag), "flag --data"};
  if (const char* home = std::getenv("FLYBALL_HOME"); home != nullptr && *home != '\0') {
    return {fs::absolute(home), "environment FLYBALL_HOME"};
  }
  const fs::path here = fs::absolute("flyball-data");
  if (creates || fs::exists(here)) return {here, "working folder"};
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return {fs::path(home) / ".local" / "share" / "flyball", "home"};
  }
  return {here, "working folder"};
}

/// Numbers are given once and never again.
std::vector<store::Migration> migrations() {
  std::vector<store::Migration> out(registry::migrations().begin(), registry::migrations().end());
  out.push_back(plant::migration(2));
  out.push_back(govern::migration(3));
  out.push_back(jobs::migration(4));
  out.push_back(registry::stage_migration(5));
  out.push_back(registry::keeping_migration(6));
  out.push_back(govern::intent_migration(7));
  out.push_back(registry::evaluation_migration(8));
  out.push_back(plant::mark_migration(9));
  out.push_back(advise::migration(10));
  out.push_back(registry::plan_migration(11));
  out.push_back(registry::figures_migration(12));
  out.push_back(plant::spec_migration(13));
  out.push_back(jobs::notice_migration(14));
  out.push_back(advise::run_migration(15));
  return out;
}

App::Records::Records(const fs::path& data, bool writes)
    : writable(writes),
      db(data / "flyball.db", {.read_only = !writes}),
      registry(db, data / "models"),
      settings(db),
      stages(db),
      shadow(db),
      leases(db),
      evaluations(db),
      plans(db),
      plant(db),
      process_specs(db),
      ledger(db),
      govern(db, data / "runtime" / "audit-head") {
  if (writes) store::migrate(db, migrations());
}

App::App(DataFolder data, const Clock& clock)
    : data_(std::move(data)), clock_(clock), models_(std::make_unique<ModelCache>()) {}
App::~App() = default;

void App::create() {
  records(true);
  historian(true);
}

App::Records& App::records(bool create) {
  if (records_ && (records_->writable || !create)) return *records_;
  custody::check_restored(data_.path);
  const bool exists = fs::exists(data_.path / "flyball.db");
  if (!create && !exists) {
    throw Error("DATA_FOLDER_MISSING", {{"path", data_.path.string()}, {"source", data_.source}});
  }
  if (create) store::make_folder(data_.path);
  records_.reset();
  records_ = std::make_unique<Records>(data_.path, create);
  if (!create && store::schema_version(records_->db) < static_cast<int>(migrations().size()))
    return records(true);
  return *records_;
}

historian::EmbeddedHistorian& App::historian(bool create) {
  if (historian_ && create && historian_read_only_) historian_.reset();
  if (!historian_) {
    custody::check_restored(data_.path);
    const bool exists = historian::EmbeddedHistorian::exists(data_.path);
    if (!create && !exists) {
      const char* code = fs::exists(data_.path) ? "HISTORIAN_MISSING" : "DATA_FOLDER_MISSING";
      throw Error(code, {{"path", data_.path.string()}, {"source", data_.source}});
    }
    store::make_folder(data_.path);
    historian::EmbeddedOptions options;
    options.read_only = historian_read_only_ = !create;
    historian_ = std::make_unique<historian::EmbeddedHistorian>(data_.path, options);
  }
  return *historian_;
}

registry::SettingsStore* App::settings() {
  if (!records_ && !fs::exists(data_.path / "flyball.db")) return nullptr;
  return &records().settings;
}

ItemsResponse App::list_experiments(const ListRequest& request, const Call& call) {
  auto page = records().registry.experiments(request.limit, request.cursor);
  const govern::Principal who = caller(call);
  std::erase_if(page.rows, [&](const registry::ExperimentSummary& row) {
    return !who.is_local() && !govern::may_read(who, row.line_id);
  });
  return items(page);
}

registry::ExperimentRow App::show_experiment(const IdRequest& request, const Call&) {
  return records().registry.experiment(request.id);
}

ItemsResponse App::list_models(const ListRequest& request, const Call& call) {
  auto page = records().registry.models(request.limit, request.cursor);
  page.rows = readable(call, std::move(page.rows));
  return items(page);
}

registry::ModelRow App::show_model(const IdRequest& request, const Call&) {
  return records().registry.model(request.id);
}

VerifyResponse App::verify_model(const IdRequest& request, const Call&) {
  VerifyResponse out;
  out.id = request.id;
  out.problems = records().registry.verify(records().registry.model(request.id));
  out.ok = out.problems.empty();
  return out;
}

ConfigResponse App::show_config(const ConfigShowRequest& request, const Call&) {
  ConfigResponse out;
  registry::SettingsStore* store = settings();
  out.version = store == nullptr ? 0 : store->version();
  out.data_folder = data_.path.string();
  out.data_source = data_.source;
  const std::string line = request.line.value_or("");
  if (request.key) {
    out.settings.push_back(resolve(setting_spec(*request.key), store, line));
  } else {
    for (const SettingSpec& spec : setting_specs())
      out.settings.push_back(resolve(spec, store, line));
  }
  return out;
}

ConfigResponse App::set_config(const ConfigSetRequest& request, const Call& call) {
  const SettingSpec spec = setting_spec(request.key);
  registry::SettingsStore& store = records(true).settings;
  const std::string line = request.line.value_or("");
  const double before = resolve(spec, &store, line).value;
  set(request, store, clock_.now());
  if (call.change != nullptr)
    *call.change = {request.key, line, before, resolve(spec, &store, line).value};
  ConfigShowRequest show;
  show.key = request.key;
  show.line = request.line;
  return show_config(show, call);
}

VersionResponse App::version(const Empty&, const Call&) {
  return {std::string(flyball::version()), "g++ " __VERSION__};
}

}  // namespace flyball::app
