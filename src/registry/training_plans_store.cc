#include <fmt/format.h>

#include "registry/training_plans.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::registry {
namespace {

#define PLAN_COLUMNS                                                                   \
  "id, name, line_id, product_id, recipe_id, strategy, dataset_spec_json, "            \
  "training_spec_json, seed, min_interval_sec, min_new_rows, enabled, created_by, "    \
  "created_at, last_status, last_run_count, last_span, last_job_id, last_dataset_id, " \
  "last_model_id, last_reason, last_failed_gates_json, last_code, last_error, last_trained_at"

constexpr std::string_view kAdd =
    "INSERT INTO training_plans(id, name, line_id, product_id, recipe_id, strategy, "
    "dataset_spec_json, training_spec_json, seed, min_interval_sec, min_new_rows, enabled, "
    "created_by, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT(line_id, name) DO NOTHING";
constexpr std::string_view kGet = "SELECT " PLAN_COLUMNS " FROM training_plans WHERE id = ?";
constexpr std::string_view kList = "SELECT " PLAN_COLUMNS
                                   " FROM training_plans WHERE ?1 = '' OR line_id = ?1 "
                                   "ORDER BY line_id, name";
constexpr std::string_view kInTraining =
    "SELECT " PLAN_COLUMNS " FROM training_plans WHERE last_status = 'training' ORDER BY id";
#undef PLAN_COLUMNS
constexpr std::string_view kEnable = "UPDATE training_plans SET enabled = ? WHERE id = ?";
constexpr std::string_view kRemove =
    "DELETE FROM training_plans WHERE id = ? AND last_status <> 'training'";

constexpr std::string_view kClaim =
    "UPDATE training_plans SET last_status = 'training', last_job_id = ?2, last_reason = ?3, "
    "last_run_count = ?4, last_span = ?5, last_trained_at = ?6, last_failed_gates_json = '[]', "
    "last_code = '', last_error = '' WHERE id = ?1 AND enabled = 1 AND last_status <> 'training'";
constexpr std::string_view kClaimed =
    "INSERT INTO plan_trainings(plan_id, reason, by, build_job_id, status, started_at) "
    "VALUES(?, ?, ?, ?, 'training', ?)";
constexpr std::string_view kGoOn =
    "UPDATE training_plans SET last_job_id = ?4, last_dataset_id = ?3 "
    "WHERE id = ?1 AND last_status = 'training' AND last_job_id = ?2";
constexpr std::string_view kWentOn =
    "UPDATE plan_trainings SET training_job_id = ?3, dataset_id = ?2 "
    "WHERE plan_id = ?1 AND status = 'training'";
constexpr std::string_view kSettle =
    "UPDATE training_plans SET last_status = ?3, last_dataset_id = coalesce(?4, last_dataset_id), "
    "last_model_id = coalesce(?5, last_model_id), last_failed_gates_json = ?6, last_code = ?7, "
    "last_error = ?8, last_run_count = CASE WHEN ?9 THEN last_run_count ELSE 0 END, "
    "last_span = CASE WHEN ?9 THEN last_span ELSE 0 END WHERE id = ?1 AND last_status = 'training' "
    "AND last_job_id = ?2";
constexpr std::string_view kSettled =
    "UPDATE plan_trainings SET status = ?2, dataset_id = coalesce(?3, dataset_id), model_id = ?4, "
    "code = ?5, error = ?6, ended_at = ?7 WHERE plan_id = ?1 AND status = 'training'";
constexpr std::string_view kNote =
    "UPDATE training_plans SET last_code = ?2, last_error = ?3 "
    "WHERE id = ?1 AND last_status <> 'training' AND last_code <> ?2";

constexpr std::string_view kTrainings =
    "SELECT plan_id, reason, by, build_job_id, status, training_job_id, dataset_id, model_id, "
    "code, error, started_at, ended_at, sequence FROM plan_trainings WHERE plan_id = ? "
    "AND sequence < ? ORDER BY sequence DESC LIMIT ?";
constexpr std::string_view kCountSince =
    "SELECT count(*) FROM plan_trainings t JOIN training_plans p ON p.id = t.plan_id "
    "WHERE p.line_id = ? AND t.started_at >= ?";
constexpr std::string_view kHolding =
    "SELECT id, name FROM training_plans WHERE last_model_id = ? ORDER BY id";

TrainingPlan read(const store::Statement& q) {
  TrainingPlan p;
  p.id = q.text(0);
  p.name = q.text(1);
  p.line_id = q.text(2);
  p.product_id = q.text(3);
  p.recipe_id = q.text(4);
  p.strategy = store::enum_column<PlanStrategy>(q, 5);
  p.dataset_spec = store::json_column(q, 6);
  p.training_spec = store::json_column(q, 7);
  p.seed = q.integer(8);
  p.min_interval_sec = q.integer(9);
  p.min_new_rows = q.integer(10);
  p.enabled = q.integer(11) != 0;
  p.created_by = q.text(12);
  p.created_at = q.integer(13);
  p.last_status = store::enum_column<PlanStatus>(q, 14);
  p.last_run_count = q.integer(15);
  p.last_span = q.integer(16);
  p.last_job_id = q.text_or_none(17);
  p.last_dataset_id = q.text_or_none(18);
  p.last_model_id = q.text_or_none(19);
  p.last_reason = q.text(20);
  p.last_failed_gates = store::json_column(q, 21).get<std::vector<std::string>>();
  p.last_code = q.text(22);
  p.last_error = q.text(23);
  p.last_trained_at = q.integer_or_none(24);
  return p;
}

std::vector<TrainingPlan> read_all(store::Statement q) {
  std::vector<TrainingPlan> out;
  while (q.step()) out.push_back(read(q));
  return out;
}

}  // namespace

void TrainingPlans::add(const TrainingPlan& p) {
  const std::int64_t added =
      db_.run(kAdd, p.id, p.name, p.line_id, p.product_id, p.recipe_id, enum_name(p.strategy),
              canonical(p.dataset_spec), canonical(p.training_spec), p.seed, p.min_interval_sec,
              p.min_new_rows, p.enabled, p.created_by, p.created_at);
  if (added != 1)
    throw Error("NAME_EXISTS",
                {{"what", "training plan"}, {"name", p.name}, {"place", " on line " + p.line_id}});
}

TrainingPlan TrainingPlans::get(const std::string& id) {
  store::Statement q = db_.query(kGet, id);
  if (!q.step()) throw Error("PLAN_MISSING", {{"id", id}});
  return read(q);
}

std::vector<TrainingPlan> TrainingPlans::list(const std::string& line) {
  return read_all(db_.query(kList, line));
}

std::vector<TrainingPlan> TrainingPlans::in_training() {
  return read_all(db_.prepare(kInTraining));
}

void TrainingPlans::enable(const std::string& id, bool enabled) {
  if (db_.run(kEnable, enabled, id) != 1) throw Error("PLAN_MISSING", {{"id", id}});
}

void TrainingPlans::remove(const std::string& id) {
  if (db_.run(kRemove, id) == 1) return;
  const TrainingPlan plan = get(id);
  throw Error("PLAN_TRAINING", {{"id", id}, {"job", plan.last_job_id.value_or("")}});
}

bool TrainingPlans::claim(const PlanClaim& c) {
  store::Savepoint both(db_);
  if (db_.run(kClaim, c.plan_id, c.job_id, c.reason, c.run_count, c.span, c.at) != 1) return false;
  db_.run(kClaimed, c.plan_id, c.reason, c.by, c.job_id, c.at);
  both.commit();
  return true;
}

bool TrainingPlans::go_on(const std::string& id, const std::string& from_job,
                          const std::string& dataset, const std::string& to_job) {
  store::Savepoint both(db_);
  if (db_.run(kGoOn, id, from_job, dataset, to_job) != 1) return false;
  db_.run(kWentOn, id, dataset, to_job);
  both.commit();
  return true;
}

bool TrainingPlans::settle(const std::string& id, const std::string& job, const PlanOutcome& o,
                           TimeUs now) {
  const std::string_view status = enum_name(o.model_id ? PlanStatus::done : PlanStatus::failed);
  store::Savepoint both(db_);
  if (db_.run(kSettle, id, job, status, o.dataset_id, o.model_id, canonical(Json(o.failed_gates)),
              o.code, o.error, o.judged) != 1)
    return false;
  db_.run(kSettled, id, status, o.dataset_id, o.model_id, o.code, o.error, now);
  both.commit();
  return true;
}

bool TrainingPlans::note(const std::string& id, const std::string& code, const std::string& error) {
  return db_.run(kNote, id, code, error) == 1;
}

store::RowPage<PlanTraining> TrainingPlans::trainings(const std::string& id, std::int64_t limit,
                                                      const std::optional<std::string>& cursor) {
  const auto read = [](const store::Statement& q) {
    return PlanTraining{q.text(0), q.text(1),         q.text(2),         q.text(3),
                        q.text(4), q.text_or_none(5), q.text_or_none(6), q.text_or_none(7),
                        q.text(8), q.text(9),         q.integer(10),     q.integer_or_none(11)};
  };
  return store::read_page<PlanTraining>(
      db_.query(kTrainings, id, store::cursor_number('t', cursor), limit + 1), 't', 12, limit,
      read);
}

std::int64_t TrainingPlans::count_since(const std::string& line, TimeUs at) {
  store::Statement q = db_.query(kCountSince, line, at);
  q.step();
  return q.integer(0);
}

std::vector<std::string> TrainingPlans::holding(const std::string& model) {
  std::vector<std::string> out;
  for (store::Statement q = db_.query(kHolding, model); q.step();)
    out.push_back(fmt::format("training_plan:{} ({})", q.text(0), q.text(1)));
  return out;
}

}  // namespace flyball::registry
