#pragma once
// The use cases. Built in main from the configuration; owns everything; tests build one on a
// temporary folder with a manual clock.
#include <filesystem>
#include <memory>
#include <string>

#include "app/operations.h"
#include "app/requests.h"
#include "core/time.h"
#include "registry/registry.h"
#include "registry/settings_store.h"
#include "report/study_report.h"
#include "store/sqlite.h"

namespace flyball::app {

/// Where everything is kept, and who said so.
struct DataFolder {
  std::filesystem::path path;
  std::string source;
};

/// --data, else FLYBALL_HOME, else ./flyball-data when it exists or `creates`, else
/// ~/.local/share/flyball.
DataFolder find_data_folder(const std::string& flag, bool creates);

class App {
 public:
  App(DataFolder data, const Clock& clock);
  ~App();

  [[nodiscard]] const DataFolder& data() const { return data_; }

  report::StudyReport study(const StudyRequest& request, const Call& call);
  ItemsResponse list_datasets(const ListRequest& request, const Call& call);
  DatasetResponse show_dataset(const IdRequest& request, const Call& call);
  VerifyResponse verify_dataset(const IdRequest& request, const Call& call);
  ItemsResponse list_experiments(const ListRequest& request, const Call& call);
  registry::ExperimentRow show_experiment(const IdRequest& request, const Call& call);
  ItemsResponse list_models(const ListRequest& request, const Call& call);
  registry::ModelRow show_model(const IdRequest& request, const Call& call);
  VerifyResponse verify_model(const IdRequest& request, const Call& call);
  PredictResponse predict(const PredictRequest& request, const Call& call);
  ConfigResponse show_config(const ConfigShowRequest& request, const Call& call);
  ConfigResponse set_config(const ConfigSetRequest& request, const Call& call);
  VersionResponse version(const Empty& request, const Call& call);

 private:
  struct Records;  ///< flyball.db and what stands on it
  /// Opens flyball.db, creating the folder when `create`; without it throws DATA_FOLDER_MISSING.
  Records& records(bool create = false);
  /// nullptr when there is no data folder yet: every setting has its default.
  registry::SettingsStore* settings();

  DataFolder data_;
  const Clock& clock_;
  std::unique_ptr<Records> records_;
};

}  // namespace flyball::app
