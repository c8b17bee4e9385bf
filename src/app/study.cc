// import → dataset → identify → evaluate → uq → gates → register → report, in one call.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/items.h"
#include "app/lineage_use.h"
#include "app/marks.h"
#include "app/plant_use.h"
#include "app/process_spec_use.h"
#include "app/quota.h"
#include "app/records.h"
#include "app/study_beat.h"
#include "app/study_run.h"
#include "core/checks.h"
#include "core/digest.h"
#include "store/files.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

/// The text becomes the samples of a historian in memory.
void import(Study& s, const fs::path& data_folder) {
  s.stage("import");
  const Input input = open_input(*s.request.file, data_folder, s.call);
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
                                   {"step", format_duration(*step)},
                                   {"beat", format_duration(*s.held_beat)}}}));
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
  if (s.process_spec) declare(*s.process_spec, spec);
  follow_marks(spec, s.marks, *s.source);
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
  TrainOptions options = train_options(s);
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

/// Always an experiment; a model only when the gates passed. Files first, then one transaction.
void keep(Study& s, registry::Registry& registry, plant::ProcessSpecs& specs, TimeUs now) {
  s.stage("register");
  const dataset::Spec& spec = s.built->dataset.spec;
  registry.add_dataset({s.saved.id, s.saved.sha256, spec.line_id, spec.product_id, spec.recipe_id,
                        s.built->report.row_count, to_json_value(*s.report.dataset), now});
  if (s.process_spec) specs.cite(*s.process_spec, s.saved.id, now);
  const registry::ExperimentRow experiment = experiment_of(s, registry::random_id("exp"), now);
  if (s.report.verdict != "pass") {
    registry.add_experiment(experiment);
    return;
  }
  registry::ModelRow model = model_of(s, registry::random_id("mdl"), experiment);
  registry.place_model(model, model_files(s, now));
  registry.add_model(experiment, model);
  s.report.model->id = model.id;
}

fs::path report_folder(const Study& s, const fs::path& data_folder) {
  const std::string name =
      s.report.dataset ? s.report.dataset->id
                       : "refused-" + sha256(canonical(to_json_value(s.request))).substr(0, 16);
  return s.request.out ? fs::absolute(*s.request.out) : data_folder / "reports" / name;
}

}  // namespace

report::StudyReport App::study(const StudyRequest& asked, const Call& call) {
  const TimeUs started = clock_.now();
  for (const char* folder : {"datasets", "models"}) store::sweep_staging(data_.path / folder);
  std::optional<plant::ProcessSpec> spec;
  if (asked.process_spec) spec = records().process_specs.cited(asked.line, *asked.process_spec);
  const StudyRequest request = spec ? stated(asked, *spec) : asked;
  Study s(request, call);
  s.process_spec = spec;
  const plant::Author author{caller(call).id, started, ""};
  if (!request.file) {
    (void)historian();  // refuses while there is nothing
    reconcile(author);
  }
  if (settings() != nullptr) {
    for (const Adds what : {Adds::dataset, Adds::model})
      check_quota(records().registry, settings(), data_.path, request.line, what);
  }
  open_source(s, request.file ? nullptr : &historian(), data_.path);
  (void)spec_of(s, {});
  const plant::RecipeKey recipe{request.line, request.product, request.recipe};
  for (const std::string& created : know_recipe(request, author))
    s.report.notes.push_back(words({"PLANT_CREATED", {{"what", created}}}));
  s.lineage = lineage_of(records().plant, recipe);
  if (!request.ignore_marks) s.marks = records().plant.marks(request.line);
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
  if (s.built) keep(s, records_of_folder.registry, records_of_folder.process_specs, clock_.now());
  write_report(s, folder, started, clock_.now());
  return s.report;
}

}  // namespace flyball::app
