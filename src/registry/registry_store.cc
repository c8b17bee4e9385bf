#include "registry/registry.h"
#include "registry/schema.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kAddDataset =
    "INSERT INTO datasets(id, sha256, line_id, product_id, recipe_id, row_count, summary_json, "
    "created_at) "
    "VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING";
constexpr std::string_view kAddExperiment =
    "INSERT INTO experiments(id, dataset_id, trainer, status, seed, settings_version, config_json, "
    "metrics_json, gates_json, reason, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const std::string kSummarise = "UPDATE experiments SET " + std::string(kFigures) + " WHERE id = ?";
constexpr std::string_view kAddModel =
    "INSERT INTO models(id, experiment_id, dataset_id, line_id, product_id, recipe_id, stage, "
    "artifact_kind, "
    "artifact_hash, files_json, label, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr std::string_view kUsersOfDataset =
    "SELECT id FROM (SELECT id, created_at FROM models WHERE dataset_id = ?1 UNION ALL "
    "SELECT id, created_at FROM experiments WHERE dataset_id = ?1 UNION ALL "
    "SELECT id, created_at FROM evaluations WHERE dataset_id = ?1) ORDER BY created_at DESC, id "
    "LIMIT ?2";
constexpr std::string_view kRemoveDataset = "DELETE FROM datasets WHERE id = ?";
constexpr std::string_view kDatasetIds = "SELECT id FROM datasets ORDER BY id";
constexpr std::string_view kHasModel = "SELECT 1 FROM models WHERE id = ?";
constexpr std::string_view kCountExperiments =
    "SELECT (SELECT COUNT(*) FROM experiments WHERE dataset_id = ?1) + "
    "coalesce((SELECT count FROM forgotten_experiments WHERE dataset_id = ?1), 0)";
constexpr std::string_view kModelIds =
    "SELECT id FROM models WHERE id NOT IN (SELECT model_id FROM pruned_models) ORDER BY id";
constexpr std::string_view kDatasetIdsOf = "SELECT id FROM datasets WHERE line_id = ? ORDER BY id";
constexpr std::string_view kModelIdsOf =
    "SELECT id FROM models WHERE line_id = ? "
    "AND id NOT IN (SELECT model_id FROM pruned_models) ORDER BY id";
constexpr std::string_view kWasInProduction =
    "SELECT 1 FROM model_stage_moves WHERE model_id = ? AND to_stage = 'production'";
constexpr std::string_view kEvaluationsOf = "SELECT id FROM evaluations WHERE model_id = ?";
constexpr std::string_view kRemovePredictions = "DELETE FROM shadow_predictions WHERE model_id = ?";
constexpr std::string_view kRemoveMoves = "DELETE FROM model_stage_moves WHERE model_id = ?";
constexpr std::string_view kRemoveModel = "DELETE FROM models WHERE id = ?";
constexpr std::string_view kModelOf = "SELECT id FROM models WHERE experiment_id = ?";
constexpr std::string_view kPrunedAt = "SELECT at FROM pruned_models WHERE model_id = ?";

const std::string kDatasetColumns =
    "SELECT rowid, id, sha256, line_id, product_id, recipe_id, row_count, summary_json, created_at "
    "FROM datasets";
const std::string kExperimentColumns =
    "SELECT rowid, id, dataset_id, trainer, status, seed, settings_version, config_json, "
    "metrics_json, gates_json, "
    "reason, created_at FROM experiments";
const std::string kSummaryColumns =
    "SELECT rowid, id, dataset_id, (SELECT line_id FROM datasets d WHERE d.id = dataset_id), "
    "trainer, status, seed, one_step, rollout, better, failed_gates_json, reason, created_at "
    "FROM experiments";
const std::string kModelColumns =
    "SELECT rowid, id, experiment_id, dataset_id, line_id, product_id, recipe_id, stage, "
    "artifact_kind, "
    "artifact_hash, files_json, label, created_at FROM models";
const std::string kById = " WHERE id = ?";
const std::string kPage = " WHERE rowid < ? ORDER BY rowid DESC LIMIT ?";

void read_row(const store::Statement& q, DatasetRow& r) {
  r = {q.text(1),
       q.text(2),
       q.text(3),
       q.text(4),
       q.text(5),
       q.integer(6),
       store::json_column(q, 7),
       q.integer(8)};
}

void read_row(const store::Statement& q, ExperimentRow& r) {
  r = {q.text(1),
       q.text(2),
       q.text(3),
       store::enum_column<ExperimentStatus>(q, 4),
       q.integer(5),
       q.integer(6),
       store::json_column(q, 7),
       store::json_column(q, 8),
       store::json_column(q, 9),
       q.text(10),
       q.integer(11)};
}

void read_row(const store::Statement& q, ExperimentSummary& r) {
  const auto figure = [&](int i) { return q.is_null(i) ? std::nullopt : std::optional(q.real(i)); };
  r = {q.text(1),
       q.text(2),
       q.text(3),
       q.text(4),
       store::enum_column<ExperimentStatus>(q, 5),
       q.integer(6),
       figure(7),
       figure(8),
       figure(9),
       store::json_column(q, 10).get<std::vector<std::string>>(),
       q.text(11),
       q.integer(12)};
}

void read_row(const store::Statement& q, ModelRow& r) {
  r = {q.text(1),
       q.text(2),
       q.text(3),
       q.text(4),
       q.text(5),
       q.text(6),
       store::enum_column<Stage>(q, 7),
       q.text(8),
       q.text(9),
       store::json_column(q, 10).get<std::map<std::string, std::string>>(),
       q.text(11),
       q.integer(12)};
}

template <class Row>
Row one(store::Database& db, const std::string& columns, const std::string& id,
        const char* missing) {
  store::Statement q = db.query(columns + kById, id);
  if (!q.step()) throw Error(missing, {{"id", id}});
  Row row;
  read_row(q, row);
  return row;
}

std::int64_t cursor_row(const std::optional<std::string>& cursor) {
  if (!cursor) return INT64_MAX;
  if (cursor->size() < 2 || cursor->size() > 19 || cursor->front() != 'r' ||
      cursor->find_first_not_of("0123456789", 1) != std::string::npos) {
    throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
  }
  return std::stoll(cursor->substr(1));
}

template <class Row>
RowPage<Row> page(store::Database& db, const std::string& columns, std::int64_t limit,
                  const std::optional<std::string>& cursor) {
  RowPage<Row> out;
  std::int64_t last = 0;
  for (store::Statement q = db.query(columns + kPage, cursor_row(cursor), limit + 1); q.step();) {
    if (static_cast<std::int64_t>(out.rows.size()) == limit) {
      out.next_cursor = "r" + std::to_string(last);
      break;
    }
    last = q.integer(0);
    read_row(q, out.rows.emplace_back());
  }
  return out;
}

template <class... T>
std::vector<std::string> texts(store::Database& db, std::string_view sql, const T&... values) {
  std::vector<std::string> out;
  for (store::Statement q = db.query(sql, values...); q.step();) out.push_back(q.text(0));
  return out;
}

void insert_experiment(store::Database& db, const ExperimentRow& r) {
  db.run(kAddExperiment, r.id, r.dataset_id, r.trainer, enum_name(r.status), r.seed,
         r.settings_version, canonical(r.config), store::json_text(r.metrics),
         store::json_text(r.gates), r.reason, r.created_at);
  db.run(kSummarise, r.id);
}

}  // namespace

void Registry::add_dataset(const DatasetRow& r) {
  db_.run(kAddDataset, r.id, r.sha256, r.line_id, r.product_id, r.recipe_id, r.row_count,
          canonical(r.summary), r.created_at);
}

std::vector<std::string> Registry::users_of_dataset(const std::string& id, std::int64_t limit) {
  return texts(db_, kUsersOfDataset, id, limit);
}

void Registry::check_unused(const std::string& id) {
  (void)dataset(id);
  std::string users;
  for (const std::string& user : users_of_dataset(id)) users += (users.empty() ? "" : ", ") + user;
  if (!users.empty()) throw Error("DATASET_REFERENCED", {{"id", id}, {"users", users}});
}

void Registry::remove_dataset(const std::string& id) {
  store::Savepoint transaction(db_);
  check_unused(id);
  db_.run(kRemoveDataset, id);
  transaction.commit();
}

void Registry::remove_model(const std::string& id, bool dry_run) {
  store::Savepoint transaction(db_);
  (void)model(id);
  if (db_.query(kWasInProduction, id).step()) throw Error("MODEL_HISTORY", {{"id", id}});
  const std::vector<std::string> evaluations = texts(db_, kEvaluationsOf, id);
  if (!evaluations.empty())
    throw Error("MODEL_CITED", {{"id", id}, {"evaluation", evaluations.front()}});
  for (const std::string_view sql : {kRemovePredictions, kRemoveMoves, kRemoveModel})
    db_.run(sql, id);
  if (!dry_run) transaction.commit();
}

std::optional<std::string> Registry::model_of(const std::string& experiment_id) {
  const std::vector<std::string> ids = texts(db_, kModelOf, experiment_id);
  if (ids.empty()) return std::nullopt;
  return ids.front();
}

std::vector<std::string> Registry::dataset_ids() {
  return texts(db_, kDatasetIds);
}

std::vector<std::string> Registry::model_ids() {
  return texts(db_, kModelIds);
}

std::vector<std::string> Registry::dataset_ids(const std::string& line) {
  return texts(db_, kDatasetIdsOf, line);
}

std::vector<std::string> Registry::model_ids(const std::string& line) {
  return texts(db_, kModelIdsOf, line);
}

std::optional<TimeUs> Registry::pruned_at(const std::string& model_id) const {
  store::Statement q = db_.query(kPrunedAt, model_id);
  if (!q.step()) return std::nullopt;
  return q.integer(0);
}

void Registry::add_experiment(const ExperimentRow& row) {
  insert_experiment(db_, row);
}

void Registry::add_model(const ExperimentRow& experiment, const ModelRow& r) {
  store::Savepoint transaction(db_);
  insert_experiment(db_, experiment);
  db_.run(kAddModel, r.id, r.experiment_id, r.dataset_id, r.line_id, r.product_id, r.recipe_id,
          enum_name(r.stage), r.artifact_kind, r.artifact_hash, canonical(Json(r.files)), r.label,
          r.created_at);
  transaction.commit();
}

bool Registry::has_model(const std::string& id) {
  return db_.query(kHasModel, id).step();
}

std::int64_t Registry::count_experiments(const std::string& dataset_id) {
  store::Statement q = db_.query(kCountExperiments, dataset_id);
  q.step();
  return q.integer(0);
}

DatasetRow Registry::dataset(const std::string& id) {
  return one<DatasetRow>(db_, kDatasetColumns, id, "DATASET_MISSING");
}

ExperimentRow Registry::experiment(const std::string& id) {
  return one<ExperimentRow>(db_, kExperimentColumns, id, "EXPERIMENT_MISSING");
}

ModelRow Registry::model(const std::string& id) {
  return one<ModelRow>(db_, kModelColumns, id, "MODEL_MISSING");
}

RowPage<DatasetRow> Registry::datasets(std::int64_t limit,
                                       const std::optional<std::string>& cursor) {
  return page<DatasetRow>(db_, kDatasetColumns, limit, cursor);
}

RowPage<ExperimentSummary> Registry::experiments(std::int64_t limit,
                                                 const std::optional<std::string>& cursor) {
  return page<ExperimentSummary>(db_, kSummaryColumns, limit, cursor);
}

RowPage<ModelRow> Registry::models(std::int64_t limit, const std::optional<std::string>& cursor) {
  return page<ModelRow>(db_, kModelColumns, limit, cursor);
}

}  // namespace flyball::registry
