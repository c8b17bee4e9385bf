#include "plant/schema.h"

namespace flyball::plant {
namespace {

constexpr std::string_view kTables = R"sql(
CREATE TABLE lines (
  id TEXT PRIMARY KEY,
  description TEXT NOT NULL
);
CREATE TABLE products (
  line_id TEXT NOT NULL REFERENCES lines(id),
  id TEXT NOT NULL,
  description TEXT NOT NULL,
  limits_json TEXT NOT NULL,
  PRIMARY KEY (line_id, id)
);
CREATE TABLE recipes (
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  id TEXT NOT NULL,
  description TEXT NOT NULL,
  PRIMARY KEY (line_id, product_id, id),
  FOREIGN KEY (line_id, product_id) REFERENCES products(line_id, id)
);
CREATE TABLE recipe_versions (
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  params_json TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  by_whom TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (line_id, product_id, recipe_id, version),
  FOREIGN KEY (line_id, product_id, recipe_id) REFERENCES recipes(line_id, product_id, id)
);
CREATE TABLE context_segments (
  id TEXT PRIMARY KEY,
  line_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  recipe_version INTEGER NOT NULL,
  condition_id TEXT NOT NULL,
  from_time INTEGER NOT NULL,
  to_time INTEGER NOT NULL CHECK (to_time > from_time),
  status TEXT NOT NULL CHECK (status IN ('draft', 'confirmed', 'rejected')),
  confirmed_by TEXT,
  rejected_by TEXT,
  confirmed_at INTEGER,
  rejected_at INTEGER,
  reason TEXT NOT NULL,
  evidence TEXT NOT NULL CHECK (evidence IN ('unassessed', 'real', 'simulation')),
  CHECK (status <> 'confirmed' OR (length(confirmed_by) > 0 AND confirmed_at IS NOT NULL)),
  FOREIGN KEY (line_id, product_id, recipe_id, recipe_version)
    REFERENCES recipe_versions(line_id, product_id, recipe_id, version)
);
CREATE INDEX context_segments_by_run ON context_segments(line_id, run_id, from_time);
CREATE TABLE segment_decisions (
  segment_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  by_whom TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('confirmed', 'rejected')),
  recipe_version INTEGER NOT NULL,
  reason TEXT NOT NULL
);
CREATE INDEX segment_decisions_by_segment ON segment_decisions(segment_id, at);
)sql";

constexpr std::string_view kMarks = R"sql(
CREATE TABLE marks (
  id TEXT PRIMARY KEY,
  line_id TEXT NOT NULL REFERENCES lines(id),
  tag TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('bad', 'steady', 'batch')),
  from_time INTEGER NOT NULL,
  to_time INTEGER NOT NULL CHECK (to_time > from_time),
  by_whom TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX marks_by_line ON marks(line_id, from_time);
)sql";

constexpr std::string_view kSpecs = R"sql(
CREATE TABLE process_model_specs (
  line_id TEXT NOT NULL REFERENCES lines(id),
  name TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'retired')),
  ref TEXT NOT NULL,
  content_json TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  activated_by TEXT NOT NULL DEFAULT '',
  activated_at INTEGER,
  retired_by TEXT NOT NULL DEFAULT '',
  retired_at INTEGER,
  PRIMARY KEY (line_id, name, version)
);
CREATE UNIQUE INDEX one_active_process_spec ON process_model_specs(line_id, name)
  WHERE status = 'active';
CREATE TABLE process_spec_datasets (
  dataset_id TEXT NOT NULL REFERENCES datasets(id) ON DELETE CASCADE,
  line_id TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (dataset_id, line_id, name, version),
  FOREIGN KEY (line_id, name, version) REFERENCES process_model_specs(line_id, name, version)
);
)sql";

}  // namespace

store::Migration spec_migration(int number) {
  return {number, "process-model specs", kSpecs};
}

store::Migration mark_migration(int number) {
  return {number, "stretches that people marked", kMarks};
}

store::Migration migration(int number) {
  return {number, "lines, products, recipes, context segments", kTables};
}

}  // namespace flyball::plant
