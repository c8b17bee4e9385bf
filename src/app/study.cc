// import → dataset → identify → evaluate → uq → gates → register → report, in one call.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/input.h"
#include "app/items.h"
#include "app/lineage_use.h"
#include "app/next_steps.h"
#include "app/plant_use.h"
#include "app/records.h"
#include "app/settings.h"
#include "app/study_beat.h"
#include "app/study_model.h"
#include "app/study_pictures.h"
#include "app/study_plan.h"
#include "app/study_static.h"
#include "core/checks.h"
#include "core/digest.h"
#include "core/version.h"
#include "dataset/store.h"
#include "historian/memory_historian.h"
#include "store/files.h"
#include "uq/uq.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

/// These data cannot carry a model: an answer with a report, not a failure.
constexpr std::array<std::string_view, 10> kCannotCarry{
    "MVS_CONSTANT",   "NO_USABLE_RUNS", "TRAIN_EMPTY",    "VARIABLE_CONSTANT",  "TRAIN_PART_EMPTY",
    "DATA_TOO_SHORT", "MODEL_UNSTABLE", "STATIC_TOO_FEW", "STATIC_CV_CONSTANT", "STATIC_SINGULAR"};

bool cannot_carry(const Error& e) {
  return std::ranges::find(kCannotCarry, e.code()) != kCannotCarry.end();
}

/// Everything that a study has found so far; stages fill it from top to bottom.
struct Study {
  Study(const StudyRequest& r, const Call& c) : request(r), call(c), plan(plan_study(r)) {}

  const StudyRequest& request;
  const Call& call;
  StudyPlan plan;
  historian::MemoryHistorian memory;             ///< of a text
  const historian::Historian* source = &memory;  ///< or what is stored
  std::vector<plant::Tag> tags;
  dataset::LineageInput lineage;
  std::optional<DurationUs> step, held_beat;
  std::optional<dataset::Built> built;
  dataset::Saved saved;
  std::optional<Trained> trained;
  ModelFile model_file;
  std::optional<evaluate::Evaluation> evaluation;
  uq::UqResult uq;
  gates::GateReport gates;
  std::optional<Error> refusal;
  report::StudyReport report;
  report::StudyPictures pictures;

  void stage(const char* name, double fraction = 0) const {
    check_stop(call.stop);
    if (call.progress) call.progress({name, fraction, ""});
  }
};

/// The text becomes the samples of a historian in memory.
void import(Study& s, const fs::path& data_folder) {
  s.stage("import");
  const store::MappedFile input = open_input(*s.request.file, data_folder, s.call);
  const historian::ImportResult imported =
      historian::import_text(input.text(), s.plan.import, s.memory, s.call.progress, s.call.stop);
  report::ImportSummary& summary = s.report.import.emplace();
  summary = {imported.rows_in, imported.stored, imported.rejected, imported.merged, {}};
  for (const auto& t : imported.tags) {
    summary.tags.push_back({t.tag, t.unit, t.good, t.uncertain, t.bad, t.missing, t.min, t.max});
  }
  for (const Message& note : imported.notes) s.report.notes.push_back(words(note));
  s.pictures.title = fs::path(*s.request.file).filename().string();
  s.step = imported.step;
}

/// What was imported before: the samples of the line, product and recipe.
void take_stored(Study& s, const historian::Historian& historian) {
  check_stored(historian,
               {s.request.line, s.request.product, s.request.recipe, s.request.run.value_or("")});
  s.source = &historian;
  s.pictures.title = s.request.line;
  s.step = usual_step(historian, s.request);
}

/// A record whose samples were repeated when it was exported is studied at its own beat.
void find_repeats(Study& s) {
  const std::optional<DurationUs> step = s.request.period ? s.request.period : s.step;
  if (s.request.beat || !step) return;
  const auto factor = repeats_of(*s.source, s.request, *step);
  if (!factor) return;
  s.held_beat = *factor * *step;
  s.report.notes.push_back(words({"OVERSAMPLED_HOLDS",
                                  {{"factor", *factor},
                                   {"step", static_cast<double>(*step) / 1e6, "s"},
                                   {"beat", static_cast<double>(*s.held_beat) / 1e6, "s"}}}));
}

void open_source(Study& s, const historian::Historian* stored, const fs::path& data_folder) {
  if (s.request.file) {
    import(s, data_folder);
  } else {
    take_stored(s, *stored);
  }
  s.tags = s.source->tags(s.request.line);
  s.pictures.elapsed_time = has_elapsed_times(*s.source, s.request);
  find_repeats(s);
}

dataset::Spec spec_of(const Study& s, dataset::Window window) {
  dataset::Spec spec = study_spec(s.request, s.plan, s.tags, s.step, window);
  if (s.held_beat) spec.beat_ms = static_cast<double>(*s.held_beat) / 1000;
  spec.run_ids = run_ids_of(
      *s.source, {s.request.line, s.request.product, s.request.recipe, s.request.run.value_or("")});
  return spec;
}

dataset::Built build(const Study& s, dataset::Window window) {
  return dataset::build(*s.source, spec_of(s, window), s.lineage, s.call.progress, s.call.stop);
}

bool same_train(const dataset::Dataset& a, const dataset::Dataset& b) {
  const auto x = a.part(dataset::Part::train), y = b.part(dataset::Part::train);
  return std::ranges::equal(x, y, [](const dataset::Block* p, const dataset::Block* q) {
    return p->run_id == q->run_id && p->first_step == q->first_step && p->steps == q->steps;
  });
}

/// H and F come from train; the purge that they set is taken from val and test only, so the dataset
/// is cut once they are known (docs/decisions/0003).
void build_and_identify(Study& s) {
  s.stage("dataset");
  dataset::Window window{s.request.history.value_or(1), s.request.horizon.value_or(1)};
  dataset::Built first = build(s, window);
  s.stage("identify");
  TrainOptions options{s.request.trainer, {}, {}};
  options.steady.points = s.request.points.value_or(dataset::Points::segments);
  options.steady.min_steps = s.request.steady_steps;
  options.steady.tolerance = s.request.steady_tolerance.value_or(options.steady.tolerance);
  options.identify.history = s.request.history;
  options.identify.horizon = s.request.horizon;
  options.identify.seed = s.request.seed;
  options.identify.priors = s.plan.priors;
  options.identify.set_points = s.plan.set_points;
  try {
    s.trained = train(first.dataset, options, s.call);
    window = {std::max<Index>(s.trained->history, 1), s.trained->horizon};
  } catch (const Error& e) {
    if (!cannot_carry(e)) throw;
    s.refusal = e;
  }
  if (window.history_steps == first.dataset.spec.window.history_steps &&
      window.horizon_steps == first.dataset.spec.window.horizon_steps) {
    s.built = std::move(first);
    return;
  }
  s.stage("dataset");
  s.built = build(s, window);
  if (!same_train(first.dataset, s.built->dataset)) {
    s.stage("identify");
    options.identify.history = window.history_steps;
    options.identify.horizon = window.horizon_steps;
    s.trained = train(s.built->dataset, options, s.call);
  }
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
  for (const auto& d : f.dead_times) s.report.dead_times.push_back(dead_time_entry(d));
  s.report.identification = identify::to_json(f);
  s.report.identification.update(s.trained->details);
  s.report.identification["leaderboard"] = to_json_value(s.trained->leaderboard);
  s.report.identification["historySteps"] = s.trained->history;
  s.report.identification["horizonSteps"] = s.trained->horizon;
  for (const Message& w : f.warnings) s.report.notes.push_back(words(w));
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
      s.uq = uq::evidence(data, t.predict, {t.history, t.horizon}, alpha, s.call.stop);
      fill_evidence(t.findings, input);
    }
    input.kind = t.kind;
    input.evaluation = s.evaluation;
    input.model_json = s.model_file.json;
    input.dataset_sha256 = s.saved.sha256;
    input.artifact_hash = s.model_file.hash;
    s.report.model =
        report::ModelSummary{std::nullopt, std::string(enum_name(t.kind)), s.model_file.hash};
    s.report.free_run_fit = s.evaluation->metrics.free_run_fit;
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

/// Always an experiment; a model only when the gates passed. Files first, then one transaction.
void keep(Study& s, registry::Registry& registry, TimeUs now) {
  s.stage("register");
  const dataset::Spec& spec = s.built->dataset.spec;
  registry.add_dataset({s.saved.id, s.saved.sha256, spec.line_id, spec.product_id, spec.recipe_id,
                        s.built->report.row_count, to_json_value(*s.report.dataset), now});
  registry::ExperimentRow experiment;
  experiment.id = registry::random_id("exp");
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
  if (s.report.verdict != "pass") {
    registry.add_experiment(experiment);
    return;
  }
  registry::ModelRow model{
      registry::random_id("mdl"),
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
      now};
  Json uq = {{"artifactHash", s.model_file.hash},
             {"uq", s.report.uq},
             {"reason", s.report.uq_reason ? Json(*s.report.uq_reason) : Json()}};
  if (uq["uq"].is_object()) uq["uq"]["calibratedAt"] = format_time(now);
  registry.register_model(model, experiment,
                          {{"model.json", s.model_file.json},
                           {"uq.json", pretty(uq)},
                           {"io_spec.json", pretty(to_json_value(s.evaluation->metrics.io_spec))},
                           {"gates.json", pretty(to_json_value(s.gates))}});
  s.report.model->id = model.id;
}

fs::path report_folder(const Study& s, const fs::path& data_folder) {
  const std::string name =
      s.report.dataset ? s.report.dataset->id
                       : "refused-" + sha256(canonical(to_json_value(s.request))).substr(0, 16);
  return s.request.out ? fs::absolute(*s.request.out) : data_folder / "reports" / name;
}

/// What is kept by now stays: an interrupt no longer counts, and a failure says what was kept.
void write_report(Study& s, const fs::path& folder, TimeUs started, TimeUs now) try {
  if (s.call.progress) s.call.progress({"report", 0, ""});
  s.report.next_steps = next_steps(s.refusal, s.gates, s.trained ? &s.trained->findings : nullptr);
  const std::string file = s.request.file ? fs::absolute(*s.request.file).string() : "";
  s.report.provenance = {{"version", flyball::version()},
                         {"file", file},
                         {"request", to_json_value(s.request)},
                         {"startedAt", format_time(started)},
                         {"seconds", static_cast<double>(now - started) / 1e6},
                         {"reportHtml", (folder / "report.html").string()},
                         {"reportJson", (folder / "report.json").string()}};
  store::write_file(folder / "report.html", report::render_study(s.report, s.pictures));
  store::write_file(folder / "report.json", pretty(to_json_value(s.report)));
} catch (const Error& e) {
  if (!s.report.dataset) throw;
  const bool model = s.report.model && s.report.model->id;
  const Message kept = model ? Message{"STUDY_KEPT_MODEL", {{"id", *s.report.model->id}}}
                             : Message{"STUDY_KEPT_EXPERIMENT", {}};
  throw Error("STUDY_REPORT_FAILED", {{"kept", kept.text()}, {"detail", e.what()}});
}

}  // namespace

report::StudyReport App::study(const StudyRequest& request, const Call& call) {
  const TimeUs started = clock_.now();
  for (const char* folder : {"datasets", "models"}) store::sweep_staging(data_.path / folder);
  Study s(request, call);
  const plant::Author author{system_user(), started, ""};
  if (!request.file) {
    (void)historian();  // refuses while there is nothing
    reconcile(author);
  }
  open_source(s, request.file ? nullptr : &historian(), data_.path);
  (void)spec_of(s, {});
  const plant::RecipeKey recipe{request.line, request.product, request.recipe};
  for (const std::string& created : know_recipe(request, author))
    s.report.notes.push_back(words({"PLANT_CREATED", {{"what", created}}}));
  s.lineage = lineage_of(records().plant, recipe);
  try {
    build_and_identify(s);
  } catch (const Error& e) {
    if (!cannot_carry(e)) throw;
    s.refusal = e;
    s.built.reset();
    s.trained.reset();
  }
  Records& records_of_folder = records(true);
  if (s.built) {
    s.saved = dataset::save(*s.built, data_.path);
    describe_dataset(s);
  }
  if (s.trained) describe_identification(s);
  const SettingView alpha =
      resolve(setting_spec("uq.alpha"), &records_of_folder.settings, request.line);
  judge(s, live_thresholds(&records_of_folder.settings, request.line), alpha.value);
  const fs::path folder = report_folder(s, data_.path);
  store::make_folder(folder);
  if (s.built) keep(s, records_of_folder.registry, clock_.now());
  write_report(s, folder, started, clock_.now());
  return s.report;
}

}  // namespace flyball::app
