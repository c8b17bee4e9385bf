// What the plant did after advice was applied.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "advise/outcome.h"
#include "app/advice_facts.h"
#include "app/app.h"
#include "app/caller.h"
#include "app/records.h"

namespace flyball::app {
namespace {

using optimise::Candidate;
using optimise::ProblemIr;

struct Windows {
  DurationUs beat = 0;
  std::int64_t settle = 0, length = 0;
  TimeUs applied = 0;
  [[nodiscard]] TimeUs baseline_from() const { return applied - length * beat; }
  [[nodiscard]] TimeUs settle_from() const { return applied + settle * beat; }
  [[nodiscard]] TimeUs settle_to() const { return settle_from() + length * beat; }
};

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  int n = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += v;
    ++n;
  }
  return n == 0 ? std::nan("") : sum / n;
}

/// Mean over the settle window of one column of a plan; it rests where it ends.
double planned(const std::vector<std::vector<double>>& rows, const Windows& w, std::size_t column) {
  double sum = 0;
  for (std::int64_t k = w.settle; k < w.settle + w.length; ++k)
    sum += rows[static_cast<std::size_t>(
        std::min<std::int64_t>(k, static_cast<std::int64_t>(rows.size()) - 1))][column];
  return sum / static_cast<double>(w.length);
}

/// MVs that were not where the advice had them.
std::vector<Message> elsewhere(const ProblemIr& p, const Candidate& c, const Windows& w,
                               const std::map<std::string, std::vector<double>>& after) {
  std::vector<Message> out;
  for (std::size_t m = 0; m < p.mv.size(); ++m) {
    if (!p.mv[m].available) continue;
    const double advised = planned(c.controls, w, m), value = mean_of(after.at(p.mv[m].var_id));
    const double tolerance =
        std::max(0.2 * std::abs(advised - p.u_prev[m]), 0.02 * p.mv[m].train.std);
    if (std::abs(value - advised) <= tolerance) continue;
    out.push_back(
        {"OUTCOME_MV_ELSEWHERE", {{"mv", p.mv[m].var_id}, {"value", value}, {"advised", advised}}});
  }
  return out;
}

/// The window is over by the clock and every CV has its values of it; one that is late is waited
/// for as long again. Values ahead of the clock are none.
void check_over(const historian::Historian& historian, const advise::Binding& binding,
                const advise::Profile& profile, const Windows& w, const std::string& id,
                TimeUs now) {
  if (now < w.settle_to())
    throw Error("OUTCOME_OPEN",
                {{"id", id}, {"until", format_time(w.settle_to())}, {"now", format_time(now)}});
  const bool waited = now >= w.settle_to() + w.length * w.beat;
  TimeUs newest = waited ? INT64_MIN : INT64_MAX;
  for (const advise::CvSetting& cv : profile.content.cv) {
    const auto node = binding.node_map.find(cv.var_id);
    const auto sample = historian.latest(
        node == binding.node_map.end() ? binding.line_id + "/" + cv.var_id : node->second, {},
        now + 1);
    const TimeUs at = sample ? sample->at : INT64_MIN;
    newest = waited ? std::max(newest, at) : std::min(newest, at);
  }
  if (newest < w.settle_to() - w.beat)
    throw Error("OUTCOME_TOO_EARLY",
                {{"id", id},
                 {"until", format_time(w.settle_to())},
                 {"newest", newest == INT64_MIN ? "none" : format_time(newest)}});
}

}  // namespace

advise::AdviceOutcome App::record_outcome(const OutcomeRequest& request, const Call& call) {
  Records& r = records(true);
  const advise::Recommendation rec = r.ledger.recommendation(request.id);
  if (rec.status != advise::RecommendationStatus::applied)
    throw Error("OUTCOME_NOT_APPLIED", {{"id", rec.id}, {"status", enum_name(rec.status)}});
  const advise::AdviceRun run = r.ledger.run(rec.run_id);
  const auto problem = parse_record<ProblemIr>(run.problem, "DATABASE_RECORD");
  const Candidate candidate = r.ledger.candidate(rec.candidate_id).candidate;
  const advise::Profile profile = r.ledger.profile(run.profile_id, run.profile_version);
  advise::Binding binding = r.ledger.binding(rec.binding_id);
  const AdviceModel model = advice_model(r.registry, data_.path, profile.content.model_id);

  const std::int64_t half = std::max<std::int64_t>(5, profile.content.horizon / 2);
  const Windows w{dataset::beat_us(model.spec), request.settle.value_or(half),
                  request.window.value_or(half), *rec.applied_at};
  check_over(historian(), binding, profile, w, rec.id, clock_.now());
  const std::string run_id = run.context.value("runId", "");
  const auto before = values_of(historian(), model, binding, run_id, w.baseline_from(), w.applied);
  const auto after = values_of(historian(), model, binding, run_id, w.settle_from(), w.settle_to());

  advise::AdviceOutcome out;
  out.id = advise::timed_id("out", clock_.now());
  out.recommendation_id = rec.id;
  out.applied_at = rec.applied_at;
  out.baseline_from = w.baseline_from();
  out.settle_from = w.settle_from();
  out.settle_to = w.settle_to();
  out.created_at = clock_.now();
  std::vector<advise::OutcomeSeries> series;
  for (std::size_t j = 0; j < problem.cv.size(); ++j) {
    const std::string& id = problem.cv[j].var_id;
    const double base = mean_of(before.at(id));
    series.push_back({before.at(id), after.at(id), std::isfinite(base) ? base : 0,
                      planned(candidate.predicted, w, j)});
  }
  advise::judge(out, problem, series, elsewhere(problem, candidate, w, after));
  r.ledger.add_outcome(out);
  if (out.verdict == advise::Verdict::worse && binding.enabled) {
    binding.enabled = false;
    binding.disabled_because = Message{"OUTCOME_WORSE", {{"id", rec.id}}}.text();
    binding.updated_by = caller(call).id;
    binding.updated_at = clock_.now();
    r.ledger.change_binding(binding, advise::ExpiryCause::bindingChanged);
  }
  if (call.change != nullptr) *call.change = {rec.id, rec.line_id, nullptr, enum_name(out.verdict)};
  return out;
}

ItemsResponse App::list_outcomes(const IdRequest& request, const Call&) {
  Records& r = records();
  (void)r.ledger.recommendation(request.id);
  ItemsResponse out;
  for (const advise::AdviceOutcome& o : r.ledger.outcomes(request.id))
    out.items.push_back(to_json_value(o));
  return out;
}

}  // namespace flyball::app
