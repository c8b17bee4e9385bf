#include "registry/keeping.h"
#include "store/savepoint.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kExperiments =
    "SELECT e.id, d.line_id, e.dataset_id, e.created_at FROM experiments e "
    "JOIN datasets d ON d.id = e.dataset_id "
    "WHERE NOT EXISTS (SELECT 1 FROM models m WHERE m.experiment_id = e.id) "
    "ORDER BY e.created_at DESC, e.rowid DESC";
constexpr std::string_view kModels =
    "SELECT m.id, m.line_id, m.line_id || '/' || m.product_id || '/' || m.recipe_id, "
    "coalesce((SELECT max(v.at) FROM model_stage_moves v WHERE v.model_id = m.id "
    "  AND v.to_stage = 'retired'), m.created_at) AS since "
    "FROM models m WHERE m.stage = 'retired' "
    "AND NOT EXISTS (SELECT 1 FROM pruned_models p WHERE p.model_id = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM training_plans t WHERE t.last_model_id = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = m.id AND l.until >= ?) "
    "ORDER BY since DESC, m.rowid DESC";
constexpr std::string_view kPlanCandidates =
    "SELECT m.id, m.line_id, t.plan_id, m.created_at FROM models m "
    "JOIN plan_trainings t ON t.model_id = m.id WHERE m.stage = 'candidate' "
    "AND NOT EXISTS (SELECT 1 FROM training_plans p WHERE p.last_model_id = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM model_stage_moves v WHERE v.model_id = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM evaluations v WHERE v.model_id = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM optimizer_profiles o WHERE o.model_ref = m.id) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = m.id AND l.until >= ?) "
    "ORDER BY m.created_at DESC, m.rowid DESC";
constexpr std::string_view kDatasets =
    "SELECT d.id, d.line_id, d.line_id, d.created_at FROM datasets d "
    "WHERE NOT EXISTS (SELECT 1 FROM experiments e WHERE e.dataset_id = d.id) "
    "AND NOT EXISTS (SELECT 1 FROM models m WHERE m.dataset_id = d.id) "
    "AND NOT EXISTS (SELECT 1 FROM evaluations v WHERE v.dataset_id = d.id) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = d.id AND l.until >= ?) "
    "ORDER BY d.created_at DESC, d.rowid DESC";

constexpr std::string_view kCountForgotten =
    "INSERT INTO forgotten_experiments(dataset_id, count) "
    "SELECT dataset_id, 1 FROM experiments WHERE id = ? "
    "ON CONFLICT(dataset_id) DO UPDATE SET count = count + 1";
constexpr std::string_view kForgetExperiment =
    "DELETE FROM experiments WHERE id = ?1 "
    "AND NOT EXISTS (SELECT 1 FROM models m WHERE m.experiment_id = ?1)";
constexpr std::string_view kForgetDataset =
    "DELETE FROM datasets WHERE id = ?1 "
    "AND NOT EXISTS (SELECT 1 FROM experiments e WHERE e.dataset_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM models m WHERE m.dataset_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM evaluations v WHERE v.dataset_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = ?1 AND l.until >= ?2)";
constexpr std::string_view kExperimentOf = "SELECT experiment_id FROM models WHERE id = ?";
constexpr std::string_view kForgetCandidate =
    "DELETE FROM models WHERE id = ?1 AND stage = 'candidate' "
    "AND NOT EXISTS (SELECT 1 FROM training_plans p WHERE p.last_model_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM model_stage_moves v WHERE v.model_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM evaluations v WHERE v.model_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM optimizer_profiles o WHERE o.model_ref = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = ?1 AND l.until >= ?2)";
constexpr std::string_view kPrune =
    "INSERT INTO pruned_models(model_id, at) SELECT id, ?2 FROM models WHERE id = ?1 "
    "AND stage = 'retired' "
    "AND NOT EXISTS (SELECT 1 FROM training_plans t WHERE t.last_model_id = ?1) "
    "AND NOT EXISTS (SELECT 1 FROM leases l WHERE l.object = ?1 AND l.until >= ?2) "
    "ON CONFLICT DO NOTHING";

std::vector<Forgettable> rows(store::Statement q) {
  std::vector<Forgettable> out;
  while (q.step()) out.push_back({q.text(0), q.text(1), q.text(2), q.integer(3)});
  return out;
}

}  // namespace

std::vector<Forgettable> Keeping::experiments() {
  return rows(db_.prepare(kExperiments));
}

std::vector<Forgettable> Keeping::models(TimeUs now) {
  return rows(db_.query(kModels, now));
}

std::vector<Forgettable> Keeping::plan_candidates(TimeUs now) {
  return rows(db_.query(kPlanCandidates, now));
}

bool Keeping::forget_candidate(const std::string& id, TimeUs now) {
  store::Savepoint part(db_);
  std::string experiment;
  if (store::Statement q = db_.query(kExperimentOf, id); q.step()) experiment = q.text(0);
  if (db_.run(kForgetCandidate, id, now) != 1 || !forget_experiment(experiment)) return false;
  part.commit();
  return true;
}

std::vector<Forgettable> Keeping::datasets(TimeUs now) {
  return rows(db_.query(kDatasets, now));
}

bool Keeping::forget_experiment(const std::string& id) {
  store::Savepoint part(db_);
  db_.run(kCountForgotten, id);
  if (db_.run(kForgetExperiment, id) != 1) return false;
  part.commit();
  return true;
}

bool Keeping::forget_dataset(const std::string& id, TimeUs now) {
  return db_.run(kForgetDataset, id, now) == 1;
}

bool Keeping::prune_model(const std::string& id, TimeUs now) {
  return db_.run(kPrune, id, now) == 1;
}

}  // namespace flyball::registry
