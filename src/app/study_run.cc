#include "app/study_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/items.h"
#include "app/later_changes.h"
#include "app/next_steps.h"
#include "app/study_beat.h"
#include "app/study_fan.h"
#include "app/study_model.h"
#include "app/study_pictures.h"
#include "app/study_static.h"
#include "core/checks.h"
#include "core/version.h"
#include "report/pictures_json.h"
#include "store/files.h"

namespace flyball::app {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 11> kCannotCarry{
    "HOLES_TOO_CLOSE",   "MVS_CONSTANT",       "NO_USABLE_RUNS", "TRAIN_EMPTY",
    "VARIABLE_CONSTANT", "TRAIN_PART_EMPTY",   "DATA_TOO_SHORT", "MODEL_UNSTABLE",
    "STATIC_TOO_FEW",    "STATIC_CV_CONSTANT", "STATIC_SINGULAR"};

}  // namespace

bool cannot_carry(const Error& e) {
  return std::ranges::find(kCannotCarry, e.code()) != kCannotCarry.end();
}

void Study::stage(const char* name, double fraction) const {
  check_stop(call.stop);
  if (call.progress) call.progress({name, fraction, ""});
}

TrainOptions train_options(const Study& s) {
  TrainOptions options{s.request.trainer, {}, {}};
  options.steady.points = s.request.points;
  options.steady.min_steps = s.request.steady_steps;
  options.steady.tolerance = s.request.steady_tolerance.value_or(options.steady.tolerance);
  options.identify.history = s.request.history;
  options.identify.horizon = s.request.horizon;
  options.identify.seed = s.request.seed;
  options.identify.priors = s.plan.priors;
  options.identify.set_points = s.plan.set_points;
  options.identify.loops = s.plan.loops;
  return options;
}

void describe_dataset(Study& s) {
  const dataset::Report& r = s.built->report;
  s.report.dataset = dataset_summary(s.saved, r);
  for (const Words& w : r.warnings) s.report.notes.push_back(w);
  s.report.cleaning = to_json_value(r)["cleaning"];
  draw_dataset(s.built->dataset, s.pictures);
}

void describe_identification(Study& s) {
  const identify::Findings& f = s.trained->findings;
  for (const auto& d : f.dead_times) {
    if (!f.is_set_point(d.input)) s.report.dead_times.push_back(dead_time_entry(d));
  }
  s.report.identification = identify::to_json(f);
  s.report.identification.update(s.trained->details);
  s.report.identification["leaderboard"] = to_json_value(s.trained->leaderboard);
  s.report.identification["historySteps"] = s.trained->history;
  s.report.identification["horizonSteps"] = s.trained->horizon;
  for (const Message& w : f.warnings) s.report.notes.push_back(words(w));
  if (!s.plan.loops.empty() && f.declared_loops.empty())
    s.report.notes.push_back(words({"LOOP_NOT_JUDGED", {}}));
  draw_identification(s.built->dataset, f, s.pictures);
}

void judge(Study& s, const LiveThresholds& live, double alpha) {
  gates::GateInput input;
  input.seed = static_cast<std::uint32_t>(s.request.seed);
  if (s.trained) {
    const dataset::Dataset& data = s.built->dataset;
    const Trained& t = *s.trained;
    s.model_file = t.write({data, s.saved.sha256, s.request.seed});
    s.stage("evaluate");
    evaluate::Options options;
    options.history = t.history;
    options.horizon = t.horizon;
    options.dataset_sha256 = s.saved.sha256;
    options.artifact_hash = s.model_file.hash;
    options.progress = s.call.progress;
    options.stop = s.call.stop;
    if (t.statics) {
      s.evaluation = judge_static(data, t, options, alpha, s.uq);
      fill_static_evidence(t.statics->result.findings, input);
    } else {
      s.evaluation = evaluate::evaluate(data, t.predict, options);
      s.uq = uq::evidence(data, t.predict, {t.history, t.horizon}, alpha, s.call.stop,
                          settling_steps(t.findings));
      if (s.uq.uq) draw_fans(data, t.predict, {t.history, t.horizon}, *s.uq.uq, s.pictures);
      fill_evidence(t.findings, input);
      fill_moves(t.moves, input);
    }
    input.kind = t.kind;
    input.evaluation = s.evaluation;
    input.model_json = s.model_file.json;
    input.dataset_sha256 = s.saved.sha256;
    input.artifact_hash = s.model_file.hash;
    s.report.model =
        report::ModelSummary{std::nullopt, std::string(enum_name(t.kind)), s.model_file.hash};
    s.report.free_run_fit = s.evaluation->metrics.free_run_fit;
    for (Message& m : later_changes(t.findings, s.report.free_run_fit)) {
      s.report.notes.push_back(words(m));
      s.trained->findings.warnings.push_back(std::move(m));
    }
    s.report.evaluation = to_json_value(s.evaluation->metrics);
    if (t.statics) {
      draw_static(data, *t.statics, *s.evaluation, s.pictures);
    } else {
      draw_evaluation(data, *s.evaluation, t.findings, s.pictures);
    }
  }
  s.stage("gates");
  s.gates = gates::judge(input, live.thresholds, live.provenance);
  if (s.uq.uq) s.report.uq = to_json_value(*s.uq.uq);
  if (!s.uq.uq)
    s.report.uq_reason = s.uq.reason ? s.uq.reason->text() : Message{"UQ_NO_MODEL", {}}.text();
  if (s.refusal) s.gates.reasons.insert(s.gates.reasons.begin(), words(s.refusal->message()));
  s.report.gates = s.gates;
  s.report.verdict = s.gates.passed && !s.refusal ? "pass" : "refused";
}

registry::ExperimentRow experiment_of(const Study& s, const std::string& id, TimeUs now) {
  registry::ExperimentRow experiment;
  experiment.id = id;
  experiment.dataset_id = s.saved.id;
  experiment.trainer = enum_name(s.request.trainer);
  experiment.status = s.report.verdict == "pass" ? registry::ExperimentStatus::gates_passed
                      : s.trained                ? registry::ExperimentStatus::gates_failed
                                                 : registry::ExperimentStatus::failed;
  experiment.seed = s.request.seed;
  experiment.settings_version = s.gates.settings_version;
  experiment.config = to_json_value(s.request);
  experiment.metrics = s.report.evaluation;
  experiment.gates = to_json_value(s.gates);
  if (s.refusal) experiment.reason = s.refusal->what();
  experiment.created_at = now;
  return experiment;
}

registry::ModelRow model_of(const Study& s, const std::string& id,
                            const registry::ExperimentRow& experiment) {
  const dataset::Spec& spec = s.built->dataset.spec;
  return {id,
          experiment.id,
          s.saved.id,
          spec.line_id,
          spec.product_id,
          spec.recipe_id,
          registry::Stage::candidate,
          std::string(enum_name(s.trained->kind)),
          s.model_file.hash,
          {},
          fmt::format("{} · {} · {}", spec.line_id, spec.product_id, spec.recipe_id),
          experiment.created_at};
}

/// How the train rows, or the train points of a static model, lie together.
std::optional<uq::Spread> spread_of(const Study& s) {
  const dataset::Dataset& data = s.built->dataset;
  const evaluate::IoSpec& io = s.evaluation->metrics.io_spec;
  std::vector<std::string> variables = io.mvs;
  variables.insert(variables.end(), io.dvs.begin(), io.dvs.end());
  variables.insert(variables.end(), io.cvs.begin(), io.cvs.end());
  if (!s.trained->statics) return uq::train_spread(data, variables);
  return uq::point_spread(data, s.trained->statics->points, variables);
}

std::map<std::string, std::string> model_files(const Study& s, TimeUs now) {
  Json uq = {{"artifactHash", s.model_file.hash},
             {"uq", s.report.uq},
             {"reason", s.report.uq_reason ? Json(*s.report.uq_reason) : Json()}};
  if (const auto spread = spread_of(s)) uq["spread"] = to_json_value(*spread);
  if (uq["uq"].is_object()) uq["uq"]["calibratedAt"] = format_time(now);
  return {{"model.json", s.model_file.json},
          {"uq.json", pretty(uq)},
          {"io_spec.json", pretty(to_json_value(s.evaluation->metrics.io_spec))},
          {"gates.json", pretty(to_json_value(s.gates))}};
}

void write_report(Study& s, const fs::path& folder, TimeUs started, TimeUs now) try {
  if (s.call.progress) s.call.progress({"report", 0, ""});
  s.report.next_steps = next_steps(s.refusal, s.gates, s.trained ? &s.trained->findings : nullptr);
  if (s.refusal && !s.tags.empty()) {
    const auto beat = s.request.beat ? s.request.beat : s.held_beat ? s.held_beat : s.step;
    for (const Message& m : slow_cvs(*s.source, s.request, beat.value_or(0)))
      s.report.next_steps.insert(s.report.next_steps.begin(), words(m));
  }
  const std::string file = s.call.content   ? s.call.content->name
                           : s.request.file ? fs::absolute(*s.request.file).string()
                                            : "";
  s.report.provenance = {{"version", flyball::version()},
                         {"file", file},
                         {"request", to_json_value(s.request)},
                         {"startedAt", format_time(started)},
                         {"seconds", static_cast<double>(now - started) / 1e6},
                         {"reportHtml", (folder / "report.html").string()},
                         {"reportJson", (folder / "report.json").string()}};
  store::write_file(folder / "report.html", report::render_study(s.report, s.pictures));
  store::write_file(folder / "report.json", pretty(to_json_value(s.report)));
  store::write_file(folder / "pictures.json", canonical(report::pictures_json(s.pictures)));
} catch (const Error& e) {
  if (!s.report.dataset) throw;
  const bool model = s.report.model && s.report.model->id;
  const Message kept = model ? Message{"STUDY_KEPT_MODEL", {{"id", *s.report.model->id}}}
                             : Message{"STUDY_KEPT_EXPERIMENT", {}};
  throw Error("STUDY_REPORT_FAILED", {{"kept", kept.text()}, {"detail", e.what()}});
}

}  // namespace flyball::app
