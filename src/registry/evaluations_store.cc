#include "registry/evaluations.h"
#include "store/columns.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO evaluations(id, model_id, dataset_id, line_id, by, metrics_json, coverage, "
    "created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
constexpr std::string_view kGet =
    "SELECT id, model_id, dataset_id, line_id, by, metrics_json, coverage, created_at "
    "FROM evaluations WHERE id = ?";
constexpr std::string_view kList =
    "SELECT id, model_id, dataset_id, line_id, by, metrics_json, coverage, created_at "
    "FROM evaluations WHERE ?1 = '' OR model_id = ?1 ORDER BY rowid DESC LIMIT ?2";

EvaluationRow read(const store::Statement& q) {
  return {q.text(0),         q.text(1),   q.text(2), q.text(3), q.text(4), store::json_column(q, 5),
          q.real_or_none(6), q.integer(7)};
}

}  // namespace

void Evaluations::add(const EvaluationRow& r) {
  db_.run(kAdd, r.id, r.model_id, r.dataset_id, r.line_id, r.by, canonical(r.metrics), r.coverage,
          r.created_at);
}

EvaluationRow Evaluations::get(const std::string& id) {
  store::Statement q = db_.query(kGet, id);
  if (!q.step()) throw Error("EVALUATION_MISSING", {{"id", id}});
  return read(q);
}

std::vector<EvaluationRow> Evaluations::list(const std::string& model_id, std::int64_t limit) {
  std::vector<EvaluationRow> out;
  for (store::Statement q = db_.query(kList, model_id, limit); q.step();) out.push_back(read(q));
  return out;
}

}  // namespace flyball::registry
