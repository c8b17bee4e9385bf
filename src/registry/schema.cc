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

}  // namespace

std::span<const store::Migration> migrations() {
  return kMigrations;
}

}  // namespace flyball::registry
