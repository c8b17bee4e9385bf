#pragma once
// Datasets, experiments and models: rows in flyball.db, files in <data>/models/<id>/.
// A model is registered in two phases: its folder is staged, synced and renamed; then one
// transaction writes experiment and model. A crash between the two leaves a folder without a row,
// which the inventory finds (orphan_dir) and which no list shows.
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

enum class Stage { candidate, shadow, production, retired };
constexpr auto enum_names(Stage) {
  return std::array<std::string_view, 4>{"candidate", "shadow", "production", "retired"};
}

enum class ExperimentStatus { gates_passed, gates_failed, failed };
constexpr auto enum_names(ExperimentStatus) {
  return std::array<std::string_view, 3>{"gates_passed", "gates_failed", "failed"};
}

struct DatasetRow {
  std::string id, sha256, line_id, product_id, recipe_id;
  std::int64_t row_count = 0;
  Json summary = Json::object();
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using D = DatasetRow;
    return FieldList{field("id", &D::id, "ds-…"),
                     field("sha256", &D::sha256, "over every file"),
                     field("lineId", &D::line_id, "line"),
                     field("productId", &D::product_id, "product"),
                     field("recipeId", &D::recipe_id, "recipe"),
                     field("rowCount", &D::row_count, "unique usable steps"),
                     field("summary", &D::summary, "runs used and dropped"),
                     field("createdAt", &D::created_at, "when").unit("us")};
  }
};

struct ExperimentRow {
  std::string id, dataset_id, trainer;
  ExperimentStatus status = ExperimentStatus::failed;
  std::int64_t seed = 0, settings_version = 0;
  Json config = Json::object();
  Json metrics, gates;
  std::string reason;
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using X = ExperimentRow;
    return FieldList{field("id", &X::id, "exp-…"),
                     field("datasetId", &X::dataset_id, "dataset"),
                     field("trainer", &X::trainer, "how it was trained"),
                     field("status", &X::status, "verdict"),
                     field("seed", &X::seed, "seed"),
                     field("settingsVersion", &X::settings_version, "of the thresholds"),
                     field("config", &X::config, "options"),
                     field("metrics", &X::metrics, "by the platform"),
                     field("gates", &X::gates, "each check"),
                     field("reason", &X::reason, "why it failed; empty when it passed"),
                     field("createdAt", &X::created_at, "when").unit("us")};
  }
};

/// What a list says of an experiment: the figures of its metrics, not the metrics.
struct ExperimentSummary {
  std::string id, dataset_id, line_id, trainer;
  ExperimentStatus status = ExperimentStatus::failed;
  std::int64_t seed = 0;
  std::optional<double> one_step, rollout, better;
  std::vector<std::string> failed_gates;
  std::string reason;
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using X = ExperimentSummary;
    return FieldList{
        field("id", &X::id, "exp-…"),
        field("datasetId", &X::dataset_id, "dataset"),
        field("lineId", &X::line_id, "line of the dataset"),
        field("trainer", &X::trainer, "how it was trained"),
        field("status", &X::status, "verdict"),
        field("seed", &X::seed, "seed"),
        field("oneStep", &X::one_step, "one-step error on test / train std").nullable(),
        field("rollout", &X::rollout, "error over the horizon on test / train std").nullable(),
        field("better", &X::better, "share by which that is less than of holding").nullable(),
        field("failedGates", &X::failed_gates, "checks that did not pass"),
        field("reason", &X::reason, "why it failed; empty when it passed"),
        field("createdAt", &X::created_at, "when").unit("us")};
  }
};

struct ModelRow {
  std::string id, experiment_id, dataset_id, line_id, product_id, recipe_id;
  Stage stage = Stage::candidate;
  std::string artifact_kind, artifact_hash;
  std::map<std::string, std::string> files;  ///< name → sha256
  std::string label;
  TimeUs created_at = 0;
  static constexpr auto fields() {
    using M = ModelRow;
    return FieldList{field("id", &M::id, "mdl-…"),
                     field("experimentId", &M::experiment_id, "experiment it came from"),
                     field("datasetId", &M::dataset_id, "dataset it was trained on"),
                     field("lineId", &M::line_id, "line"),
                     field("productId", &M::product_id, "product"),
                     field("recipeId", &M::recipe_id, "recipe"),
                     field("stage", &M::stage, "candidate, shadow, production or retired"),
                     field("artifactKind", &M::artifact_kind, "kind"),
                     field("artifactHash", &M::artifact_hash, "of model.json without itself"),
                     field("files", &M::files, "sha256 of each file"),
                     field("label", &M::label, "line, product, recipe"),
                     field("createdAt", &M::created_at, "when").unit("us")};
  }
};

/// A page of rows, newest first.
template <class Row>
struct RowPage {
  std::vector<Row> rows;
  std::optional<std::string> next_cursor;
};

class Registry {
 public:
  Registry(store::Database& db, std::filesystem::path models_folder)
      : db_(db), models_(std::move(models_folder)) {}

  /// Keeps the first row of an id: a dataset is what its hash says.
  void add_dataset(const DatasetRow& row);
  void add_experiment(const ExperimentRow& row);

  /// Experiments and models that cite a dataset, newest first; at most `limit`.
  [[nodiscard]] std::vector<std::string> users_of_dataset(const std::string& id,
                                                          std::int64_t limit = 20);
  /// Throws DATASET_MISSING, DATASET_REFERENCED naming who cites it.
  void check_unused(const std::string& id);
  /// Forgets the row of a dataset that is unused.
  void remove_dataset(const std::string& id);
  /// Forgets the row of a model, its moves and shadow predictions; `dry_run`: only asks. Throws
  /// MODEL_HISTORY (it was in production once), MODEL_CITED (an evaluation is of it).
  void remove_model(const std::string& id, bool dry_run = false);
  /// The model that an experiment made.
  [[nodiscard]] std::optional<std::string> model_of(const std::string& experiment_id);
  /// Every id of a table, for comparing with the folders.
  [[nodiscard]] std::vector<std::string> dataset_ids();
  [[nodiscard]] std::vector<std::string> model_ids();  ///< of those that have their files
  [[nodiscard]] std::vector<std::string> dataset_ids(const std::string& line);
  [[nodiscard]] std::vector<std::string> model_ids(const std::string& line);
  /// When retention removed the files of a model; none: they are there.
  [[nodiscard]] std::optional<TimeUs> pruned_at(const std::string& model_id) const;

  /// First phase: files by name (model.json, uq.json, ...). Fills row.files. A folder that a crash
  /// left without a row is replaced; throws MODEL_EXISTS.
  void place_model(ModelRow& row, const std::map<std::string, std::string>& files);
  /// Second phase: experiment and model, together.
  void add_model(const ExperimentRow& experiment, const ModelRow& row);
  /// Removes files that were placed and whose row was never added.
  void discard_model(const std::string& id);
  [[nodiscard]] bool has_model(const std::string& id);
  /// Attempts that a dataset has seen, whatever their end, also those that were forgotten.
  [[nodiscard]] std::int64_t count_experiments(const std::string& dataset_id);

  [[nodiscard]] DatasetRow dataset(const std::string& id);        ///< throws DATASET_MISSING
  [[nodiscard]] ExperimentRow experiment(const std::string& id);  ///< throws EXPERIMENT_MISSING
  [[nodiscard]] ModelRow model(const std::string& id);            ///< throws MODEL_MISSING
  [[nodiscard]] RowPage<DatasetRow> datasets(std::int64_t limit,
                                             const std::optional<std::string>& cursor);
  [[nodiscard]] RowPage<ExperimentSummary> experiments(std::int64_t limit,
                                                       const std::optional<std::string>& cursor);
  [[nodiscard]] RowPage<ModelRow> models(std::int64_t limit,
                                         const std::optional<std::string>& cursor);

  /// Reads one file of a model and checks its hash; throws ARTIFACT_MISSING, ARTIFACT_CORRUPT,
  /// MODEL_PRUNED.
  [[nodiscard]] std::string model_file(const ModelRow& row, const std::string& name) const;
  /// What does not hold: missing or changed files, files that nobody registered.
  [[nodiscard]] std::vector<std::string> verify(const ModelRow& row) const;

 private:
  store::Database& db_;
  std::filesystem::path models_;
};

/// "<prefix>-" and 12 random hexadecimal digits, for what has no content hash of its own.
std::string random_id(const std::string& prefix);

}  // namespace flyball::registry
