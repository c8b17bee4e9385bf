#include <cmath>
#include <set>

#include "registry/shadow_log.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kAdd =
    "INSERT INTO shadow_predictions(model_id, run_id, at, rmse_json, inside, total, regime, "
    "replayed) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";
constexpr std::string_view kAll =
    "SELECT run_id, at, rmse_json, inside, total, regime, replayed FROM shadow_predictions "
    "WHERE model_id = ? ORDER BY at";
constexpr std::string_view kNewest =
    "SELECT run_id, max(at) FROM shadow_predictions WHERE model_id = ? GROUP BY run_id";

std::string lacks(const char* code, std::int64_t value, std::int64_t limit) {
  return Message{code, {{"value", value}, {"limit", limit}}}.text();
}

}  // namespace

std::int64_t ShadowLog::add(const std::vector<ShadowPrediction>& predictions) {
  store::Savepoint part(db_);
  std::int64_t added = 0;
  for (const ShadowPrediction& p : predictions)
    added += db_.run(kAdd, p.model_id, p.run_id, p.at, canonical(Json(p.rmse)), p.inside, p.total,
                     p.regime, p.replayed);
  part.commit();
  return added;
}

ShadowEvidence ShadowLog::evidence(const std::string& model_id, const ShadowNeeds& needs) {
  ShadowEvidence out;
  out.model_id = model_id;
  std::set<std::string> runs, regimes;
  std::int64_t inside = 0, total = 0;
  TimeUs first = 0, last = 0;
  for (store::Statement q = db_.query(kAll, model_id); q.step();) {
    if (out.predictions++ == 0) first = q.integer(1);
    last = q.integer(1);
    runs.insert(q.text(0));
    regimes.insert(q.text(5));
    inside += q.integer(3);
    total += q.integer(4);
    out.replayed += q.integer(6);
    const auto rmse = store::json_column(q, 2).get<std::vector<double>>();
    out.rmse.resize(rmse.size(), 0);
    for (std::size_t j = 0; j < rmse.size(); ++j) out.rmse[j] += rmse[j] * rmse[j];
  }
  for (double& square : out.rmse) square = std::sqrt(square / static_cast<double>(out.predictions));
  out.runs = static_cast<std::int64_t>(runs.size());
  out.regimes = static_cast<std::int64_t>(regimes.size());
  out.span = last - first;
  if (total > 0) out.coverage = static_cast<double>(inside) / static_cast<double>(total);
  const bool by_runs = out.runs >= needs.runs && out.regimes >= needs.regimes;
  const bool by_time = out.predictions >= needs.predictions && out.span >= needs.span;
  out.enough = by_runs || by_time;
  if (out.enough) return out;
  if (out.runs < needs.runs) out.missing.push_back(lacks("SHADOW_RUNS", out.runs, needs.runs));
  if (out.regimes < needs.regimes)
    out.missing.push_back(lacks("SHADOW_REGIMES", out.regimes, needs.regimes));
  if (out.predictions < needs.predictions)
    out.missing.push_back(lacks("SHADOW_PREDICTIONS", out.predictions, needs.predictions));
  if (out.span < needs.span)
    out.missing.push_back(
        lacks("SHADOW_SPAN", out.span / (3'600 * kSecond), needs.span / (3'600 * kSecond)));
  return out;
}

std::map<std::string, TimeUs> ShadowLog::newest(const std::string& model_id) {
  std::map<std::string, TimeUs> out;
  for (store::Statement q = db_.query(kNewest, model_id); q.step();) out[q.text(0)] = q.integer(1);
  return out;
}

}  // namespace flyball::registry
