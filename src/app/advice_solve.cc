// One question: from the plant as it is to advice that stood its verification, or to the reason why
// there is none.
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "advise/evidence.h"
#include "advise/plan_view.h"
#include "app/advice_changes.h"
#include "app/advice_facts.h"
#include "app/advice_verify.h"
#include "app/app.h"
#include "app/caller.h"
#include "app/held.h"
#include "app/job_service.h"
#include "app/records.h"
#include "app/settings.h"
#include "app/solver_worker.h"
#include "uq/input_distance.h"

namespace flyball::app {
namespace {

using advise::RunStatus;
using optimise::SolveStatus;

/// Beside the time of the question itself: waiting for a process, verification, a busy database.
constexpr DurationUs kLongestQueue = 120 * kSecond;

/// Ends a question without advice.
void refuse(advise::AdviceRun& run, RunStatus status, const Message& why) {
  run.status = status;
  run.code = why.code;
  run.reason = why.text();
}

void end_without(advise::AdviceRun& run, const optimise::SolveResult& solved) {
  const std::string detail =
      solved.reasons.empty()
          ? (solved.infeasible.empty() ? "" : ": " + solved.infeasible.front().words.text)
          : ": " + solved.reasons.front().text;
  switch (solved.status) {
    case SolveStatus::infeasible:
      return refuse(run, RunStatus::infeasible, {"ADVICE_INFEASIBLE", {{"detail", detail}}});
    case SolveStatus::timeout:
      return refuse(run, RunStatus::timeout, {"ADVICE_TIMEOUT", {}});
    default:
      return refuse(run, RunStatus::error, {"ADVICE_FAILED", {{"detail", detail}}});
  }
}

RunStatus status_of(SolveStatus status) {
  return status == SolveStatus::optimal    ? RunStatus::optimal
         : status == SolveStatus::feasible ? RunStatus::feasible
                                           : RunStatus::noChange;
}

std::string joined(const std::vector<Words>& failures) {
  std::string out;
  for (const Words& w : failures) out += (out.empty() ? "" : "; ") + w.text;
  return out.empty() ? "no candidate" : out;
}

struct Asked {
  const advise::Profile& profile;
  const AdviceModel& model;
  const advise::ContextSnapshot& context;
  const optimise::ProblemIr& problem;
  advise::AdviceRun run;
  double fresh_days = 30;
};

/// What is kept of an answer.
advise::Concluded concluded(Asked asked, optimise::SolveResult solved, TimeUs now) {
  advise::Concluded out;
  advise::AdviceRun& run = asked.run;
  run.finished_at = now;
  std::vector<optimise::Candidate> claimed = std::move(solved.candidates);
  solved.candidates.clear();
  const bool answers = solved.status == SolveStatus::optimal ||
                       solved.status == SolveStatus::feasible ||
                       solved.status == SolveStatus::noChange;
  const AskedAgain again = asked_again(asked.problem, asked.model.bytes, solved.rest);
  solved.rest = again.failures.empty() ? again.rest : std::nullopt;
  run.result = to_json_value(solved);
  if (!answers) {
    end_without(run, solved);
    out.run = std::move(run);
    return out;
  }
  if (!again.failures.empty()) {
    refuse(run, RunStatus::refused, {"VERIFY_FAILED", {{"detail", joined(again.failures)}}});
    out.run = std::move(run);
    return out;
  }
  out.candidates =
      computed_again(again.problem, asked.model.facts.row, asked.model.bytes, claimed, run.id);
  const bool hold = solved.status == SolveStatus::noChange;
  const auto chosen = std::ranges::find_if(out.candidates, [&](const advise::CandidateRow& row) {
    return hold ? row.candidate.label == "hold" : row.candidate.seq == 0;
  });
  if (chosen == out.candidates.end() || !chosen->verified) {
    const std::string detail =
        chosen == out.candidates.end() ? "no candidate" : joined(chosen->report.failures);
    refuse(run, RunStatus::refused, {"VERIFY_FAILED", {{"detail", detail}}});
    out.run = std::move(run);
    return out;
  }
  run.status = status_of(solved.status);
  run.independent_cost = chosen->candidate.cost;
  advise::EvidenceNow evidence;
  const auto& uq = asked.model.facts.uq;
  evidence.fresh =
      uq && uq->calibrated_at && uq::is_fresh(*uq->calibrated_at, now, asked.fresh_days);
  evidence.distances = chosen->report.distances;
  evidence.candidate_verified = true;
  advise::Recommendation rec;
  rec.id = advise::timed_id("rec", now);
  rec.run_id = run.id;
  rec.candidate_id = chosen->id;
  rec.binding_id = run.binding_id;
  rec.line_id = run.line_id;
  rec.problem_ir_hash = run.problem_ir_hash;
  rec.model_artifact_hash = asked.problem.model_artifact_hash;
  rec.evidence = asked.context.evidence;
  rec.uq = advise::evidence_snapshot(asked.model.facts, evidence);
  rec.no_change = hold;
  for (const Message& m : advise::unverified_because(asked.model.facts, evidence))
    rec.unverified_because.push_back(words(m));
  rec.status = rec.unverified_because.empty() ? advise::RecommendationStatus::verified
                                              : advise::RecommendationStatus::unverified;
  const double seconds =
      std::max(asked.profile.content.validity_sec, 3 * asked.context.beat_ms / 1000);
  rec.created_at = now;
  rec.valid_until = now + static_cast<DurationUs>(seconds * 1e6);
  out.recommendation = std::move(rec);
  out.run = std::move(run);
  return out;
}

/// Throws FORECAST_UNKNOWN: a name that is no DV of the model would change nothing.
void check_forecasts(const SolveRequest& request, const AdviceModel& model) {
  std::vector<std::string> dvs;
  std::string known;
  for (const model::ArtifactVariable& v : model.facts.variables) {
    if (v.role != "dv") continue;
    dvs.push_back(v.id);
    known += (known.empty() ? "" : ", ") + v.id;
  }
  for (const auto& [id, values] : request.forecasts) {
    if (std::ranges::count(dvs, id) > 0) continue;
    throw Error("FORECAST_UNKNOWN",
                {{"variable", id},
                 {"model", model.facts.row.id},
                 {"known", known.empty() ? std::string("none") : known}},
                "/forecasts");
  }
}

}  // namespace

Json App::ask_solver(const Json& payload, const std::stop_token& stop) {
  if (solver_) return solver_(payload, stop);
  const double ms =
      resolve(setting_spec("optimizer.solver.requestTimeoutMs"), settings(), "").value;
  return job_service().solvers().ask(
      "solve", payload, std::chrono::milliseconds(static_cast<std::int64_t>(ms)), stop);
}

advise::Card App::solve_advice(const SolveRequest& request, const Call& call) {
  Records& r = records(true);
  sweep_advice();
  const advise::Binding binding = r.ledger.binding(request.id);
  if (!binding.enabled)
    throw Error("BINDING_DISABLED", {{"id", binding.id}, {"reason", binding.disabled_because}});
  (void)r.ledger.require_alone(binding);
  const advise::Profile profile = r.ledger.profile(binding.profile_id, binding.profile_version);
  if (profile.status != advise::ProfileStatus::active)
    throw Error("PROFILE_INACTIVE", {{"id", profile.id}, {"status", enum_name(profile.status)}});
  Held held(r.leases, profile.content.model_id, "optimizer-solver " + binding.id, clock_);
  const AdviceModel model = advice_model(r.registry, data_.path, profile.content.model_id);
  advise::require_eligible(model.facts, profile);
  const TimeUs now = clock_.now();
  const advise::ContextSnapshot context =
      context_of(historian(), r.plant, model, profile, binding, now);
  advise::check_context(context, profile, binding);
  check_forecasts(request, model);
  const optimise::ProblemIr problem =
      advise::problem_of({profile, model.facts, context, model.units, levels_of(model.spec),
                          history_of(historian(), model, binding, context.run_id, now),
                          request.forecasts, model.unit_names});

  advise::AdviceRun run;
  run.id = advise::timed_id("or", now);
  run.binding_id = binding.id;
  run.binding_revision = binding.revision;
  run.profile_id = profile.id;
  run.profile_version = profile.version;
  run.line_id = binding.line_id;
  run.problem_ir_hash = problem_hash(problem);
  run.context = to_json_value(context);
  run.problem = to_json_value(problem);
  run.started_at = now;
  const double most_ms =
      resolve(setting_spec("optimizer.solver.requestTimeoutMs"), &r.settings, "").value;
  r.ledger.start(run, now + static_cast<DurationUs>(1e3 * most_ms) + kLongestQueue);
  try {
    const Json answer =
        ask_solver(solver_payload(problem, model.facts.row.artifact_kind, model.bytes), call.stop);
    const double days = resolve(setting_spec("uq.freshDays"), &r.settings, binding.line_id).value;
    const advise::Concluded done =
        concluded({profile, model, context, problem, run, days},
                  parse_record<optimise::SolveResult>(answer, "FRAME_INVALID"), clock_.now());
    r.ledger.conclude(done);
    if (call.change != nullptr)
      *call.change = {run.id, run.line_id, nullptr, enum_name(done.run.status)};
    return card(done.run, done.recommendation
                              ? std::optional(r.ledger.recommendation(done.recommendation->id))
                              : std::nullopt);
  } catch (const Error& e) {
    refuse(run, e.code() == "SOLVE_TIMEOUT" ? RunStatus::timeout : RunStatus::error, e.message());
    run.finished_at = clock_.now();
    r.ledger.conclude({run, {}, {}});
    throw;
  }
}

TryResponse App::try_advice(const TryRequest& request, const Call& call) {
  const auto began = std::chrono::steady_clock::now();
  Records& r = records();
  advise::AdviceRun run = r.ledger.run(request.id);
  const advise::Profile profile = r.ledger.profile(run.profile_id, run.profile_version);
  const AdviceModel model = advice_model(r.registry, data_.path, profile.content.model_id);
  auto problem = parse_record<optimise::ProblemIr>(run.problem, "PROBLEM_INVALID");
  apply_changes(request.set, problem);
  run.problem = to_json_value(problem);
  const auto context = parse_record<advise::ContextSnapshot>(run.context, "PROBLEM_INVALID");
  const Json answer =
      ask_solver(solver_payload(problem, model.facts.row.artifact_kind, model.bytes), call.stop);
  const double days = resolve(setting_spec("uq.freshDays"), &r.settings, run.line_id).value;
  const advise::Concluded done =
      concluded({profile, model, context, problem, std::move(run), days},
                parse_record<optimise::SolveResult>(answer, "FRAME_INVALID"), clock_.now());
  TryResponse out;
  out.status = done.run.status;
  out.code = done.run.code;
  out.reason = done.run.reason;
  out.cost = done.run.independent_cost;
  out.plan = advise::plan_view({done.run, done.candidates, done.recommendation, model.units,
                                model.unit_names, clock_.now()});
  out.took_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
  return out;
}

}  // namespace flyball::app
