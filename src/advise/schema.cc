#include "advise/schema.h"

namespace flyball::advise {
namespace {

constexpr std::string_view kTables = R"sql(
CREATE TABLE optimizer_profiles (
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'active', 'retired')),
  model_ref TEXT NOT NULL REFERENCES models(id),
  model_artifact_hash TEXT NOT NULL,
  line_id TEXT NOT NULL,
  product_id TEXT NOT NULL,
  recipe_id TEXT NOT NULL,
  content_json TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  activated_by TEXT NOT NULL DEFAULT '',
  activated_at INTEGER,
  retired_by TEXT NOT NULL DEFAULT '',
  retired_at INTEGER,
  PRIMARY KEY (id, version)
);
CREATE UNIQUE INDEX one_active_version ON optimizer_profiles(id) WHERE status = 'active';
CREATE INDEX optimizer_profiles_by_model ON optimizer_profiles(model_ref);
CREATE TABLE optimizer_bindings (
  id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  profile_version INTEGER NOT NULL,
  line_id TEXT NOT NULL,
  node_map_json TEXT NOT NULL,
  recipe_version INTEGER NOT NULL,
  recipe_content_hash TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  disabled_because TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (profile_id, profile_version) REFERENCES optimizer_profiles(id, version)
);
CREATE TABLE optimizer_runs (
  id TEXT PRIMARY KEY,
  binding_id TEXT NOT NULL REFERENCES optimizer_bindings(id),
  binding_revision INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  profile_version INTEGER NOT NULL,
  line_id TEXT NOT NULL,
  problem_hash TEXT NOT NULL,
  context_json TEXT NOT NULL,
  problem_json TEXT NOT NULL,
  status TEXT NOT NULL,
  result_json TEXT,
  code TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  independent_cost REAL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
);
CREATE INDEX optimizer_runs_by_binding ON optimizer_runs(binding_id, started_at);
CREATE TABLE optimizer_candidates (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES optimizer_runs(id),
  seq INTEGER NOT NULL,
  model_id TEXT NOT NULL,
  candidate_json TEXT NOT NULL,
  verified INTEGER NOT NULL,
  report_json TEXT NOT NULL,
  UNIQUE (run_id, seq)
);
CREATE TABLE optimizer_recommendations (
  id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES optimizer_runs(id),
  candidate_id TEXT NOT NULL REFERENCES optimizer_candidates(id),
  binding_id TEXT NOT NULL REFERENCES optimizer_bindings(id),
  line_id TEXT NOT NULL,
  problem_hash TEXT NOT NULL,
  model_artifact_hash TEXT NOT NULL,
  evidence_source TEXT NOT NULL,
  uq_json TEXT,
  no_change INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('unverified', 'verified', 'accepted', 'rejected', 'applied', 'expired')),
  because_json TEXT NOT NULL,
  valid_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  decided_by TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  applied_by TEXT NOT NULL DEFAULT '',
  decided_at INTEGER,
  applied_at INTEGER,
  expired_at INTEGER,
  expiry_cause TEXT
);
CREATE INDEX optimizer_recommendations_by_binding
  ON optimizer_recommendations(binding_id, created_at);
CREATE INDEX optimizer_recommendations_open ON optimizer_recommendations(valid_until)
  WHERE status IN ('unverified', 'verified', 'accepted');
CREATE TABLE optimizer_outcomes (
  id TEXT PRIMARY KEY,
  recommendation_id TEXT NOT NULL REFERENCES optimizer_recommendations(id),
  verdict TEXT NOT NULL,
  outcome_json TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX optimizer_outcomes_by_recommendation
  ON optimizer_outcomes(recommendation_id, created_at);
)sql";

constexpr std::string_view kRunOwner = R"sql(
ALTER TABLE optimizer_runs ADD COLUMN process TEXT NOT NULL DEFAULT '';
ALTER TABLE optimizer_runs ADD COLUMN until INTEGER NOT NULL DEFAULT 0;
CREATE INDEX optimizer_runs_running ON optimizer_runs(id) WHERE status = 'running';
)sql";

}  // namespace

store::Migration migration(int number) {
  return {number, "profiles, bindings, runs, recommendations and outcomes of advice", kTables};
}

store::Migration run_migration(int number) {
  return {number, "process and time limit of each question about advice", kRunOwner};
}

}  // namespace flyball::advise
