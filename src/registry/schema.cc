#include "registry/schema.h"

#include <array>

namespace flyball::registry {
namespace {

constexpr std::array kMigrations{
    store::Migration{1, "datasets, experiments, models, settings", R"sql(
CREATE TABLE datasets (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  summary_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE experiments (
  id TEXT PRIMARY KEY,
  dataset_id TEXT NOT NULL REFERENCES datasets(id),
  trainer TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('gates_passed', 'gates_failed', 'failed')),
  seed INTEGER NOT NULL,
  settings_version INTEGER NOT NULL,
  config_json TEXT NOT NULL,
  metrics_json TEXT,
  gates_json TEXT,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX experiments_by_dataset ON experiments(dataset_id, created_at);
CREATE TABLE models (
  id TEXT PRIMARY KEY,
  experiment_id TEXT NOT NULL UNIQUE REFERENCES experiments(id),
  dataset_id TEXT NOT NULL REFERENCES datasets(id),
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  stage TEXT NOT NULL CHECK (stage IN ('candidate', 'shadow', 'production', 'retired')),
  artifact_kind TEXT NOT NULL,
  artifact_hash TEXT NOT NULL,
  files_json TEXT NOT NULL,
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE settings (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  line_id TEXT NOT NULL,
  value REAL,
  reason TEXT NOT NULL,
  set_at INTEGER NOT NULL
);
CREATE INDEX settings_by_key ON settings(key, line_id, version);
)sql"},
};

constexpr std::string_view kStages = R"sql(
ALTER TABLE models ADD COLUMN purpose TEXT NOT NULL DEFAULT 'control';
ALTER TABLE models ADD COLUMN objective TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX one_production
  ON models(line_id, product_id, recipe_id, purpose, objective) WHERE stage = 'production';
CREATE TABLE model_stage_moves (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id TEXT NOT NULL REFERENCES models(id),
  from_stage TEXT NOT NULL,
  to_stage TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  reason TEXT NOT NULL,
  approval_id TEXT,
  replaced_by TEXT
);
CREATE INDEX model_stage_moves_by_model ON model_stage_moves(model_id, sequence);
CREATE TABLE leases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  object TEXT NOT NULL,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
);
CREATE INDEX leases_by_object ON leases(object);
CREATE TABLE shadow_predictions (
  model_id TEXT NOT NULL REFERENCES models(id),
  run_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  rmse_json TEXT NOT NULL,
  inside INTEGER NOT NULL,
  total INTEGER NOT NULL,
  regime TEXT NOT NULL,
  replayed INTEGER NOT NULL,
  PRIMARY KEY (model_id, run_id, at)
);
)sql";

constexpr std::string_view kKeeping = R"sql(
CREATE TABLE pruned_models (
  model_id TEXT PRIMARY KEY REFERENCES models(id) ON DELETE CASCADE,
  at INTEGER NOT NULL
);
CREATE TABLE forgotten_experiments (
  dataset_id TEXT PRIMARY KEY REFERENCES datasets(id) ON DELETE CASCADE,
  count INTEGER NOT NULL
);
)sql";

constexpr std::string_view kEvaluations = R"sql(
CREATE TABLE evaluations (
  id TEXT PRIMARY KEY,
  model_id TEXT NOT NULL REFERENCES models(id),
  dataset_id TEXT NOT NULL REFERENCES datasets(id),
  line_id TEXT NOT NULL,
  by TEXT NOT NULL,
  metrics_json TEXT NOT NULL,
  coverage REAL,
  created_at INTEGER NOT NULL
);
CREATE INDEX evaluations_by_model ON evaluations(model_id);
CREATE INDEX evaluations_by_dataset ON evaluations(dataset_id);
)sql";

constexpr std::string_view kPlans = R"sql(
CREATE TABLE training_plans (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  strategy TEXT NOT NULL CHECK (strategy IN ('auto', 'manual')),
  dataset_spec_json TEXT NOT NULL,
  training_spec_json TEXT NOT NULL,
  seed INTEGER NOT NULL,
  min_interval_sec INTEGER NOT NULL CHECK (min_interval_sec >= 60),
  min_new_rows INTEGER NOT NULL CHECK (min_new_rows >= 1),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_status TEXT NOT NULL DEFAULT 'idle'
    CHECK (last_status IN ('idle', 'training', 'done', 'failed')),
  last_run_count INTEGER NOT NULL DEFAULT 0,
  last_span INTEGER NOT NULL DEFAULT 0,
  last_job_id TEXT,
  last_dataset_id TEXT,
  last_model_id TEXT,
  last_reason TEXT NOT NULL DEFAULT '',
  last_failed_gates_json TEXT NOT NULL DEFAULT '[]',
  last_code TEXT NOT NULL DEFAULT '',
  last_error TEXT NOT NULL DEFAULT '',
  last_trained_at INTEGER,
  UNIQUE (line_id, name)
);
CREATE TABLE plan_trainings (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  plan_id TEXT NOT NULL REFERENCES training_plans(id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  by TEXT NOT NULL,
  build_job_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('training', 'done', 'failed')),
  training_job_id TEXT,
  dataset_id TEXT,
  model_id TEXT,
  code TEXT NOT NULL DEFAULT '',
  error TEXT NOT NULL DEFAULT '',
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX plan_trainings_by_plan ON plan_trainings(plan_id, sequence);
CREATE UNIQUE INDEX plan_trains_once ON plan_trainings(plan_id) WHERE status = 'training';
)sql";

}  // namespace

store::Migration figures_migration(int number) {
  static const std::string sql =
      "ALTER TABLE experiments ADD COLUMN one_step REAL;"
      "ALTER TABLE experiments ADD COLUMN rollout REAL;"
      "ALTER TABLE experiments ADD COLUMN better REAL;"
      "ALTER TABLE experiments ADD COLUMN failed_gates_json TEXT NOT NULL DEFAULT '[]';"
      "UPDATE experiments SET " +
      std::string(kFigures) + ";";
  return {number, "figures of experiments", sql};
}

store::Migration plan_migration(int number) {
  return {number, "training plans and their trainings", kPlans};
}

store::Migration evaluation_migration(int number) {
  return {number, "evaluations on other datasets", kEvaluations};
}

store::Migration keeping_migration(int number) {
  return {number, "pruned models, forgotten experiments", kKeeping};
}

store::Migration stage_migration(int number) {
  return {number, "stages of models, their history, leases, shadow predictions", kStages};
}

std::span<const store::Migration> migrations() {
  return kMigrations;
}

}  // namespace flyball::registry
