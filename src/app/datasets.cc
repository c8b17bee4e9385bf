// Use cases on stored datasets, and on the folders of the data folder.
#include <nlohmann/json.hpp>

#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/items.h"
#include "app/lineage_use.h"
#include "app/marks.h"
#include "app/operation_row.h"
#include "app/process_spec_use.h"
#include "app/quota.h"
#include "app/records.h"
#include "app/settings.h"
#include "app/study_plan.h"
#include "dataset/store.h"
#include "jobs/sqlite_queue.h"
#include "store/files.h"

namespace flyball::app {

namespace fs = std::filesystem;

report::DatasetSummary dataset_summary(const dataset::Saved& saved, const dataset::Report& report) {
  report::DatasetSummary out{saved.id, saved.sha256, report.row_count, report.runs_used, {}};
  for (const auto& run : report.runs_dropped) out.runs_dropped.push_back({run.run_id, run.reason});
  return out;
}

ItemsResponse App::list_datasets(const ListRequest& request, const Call& call) {
  auto page = records().registry.datasets(request.limit, request.cursor);
  page.rows = readable(call, std::move(page.rows));
  return items(page);
}

DatasetResponse App::show_dataset(const IdRequest& request, const Call&) {
  DatasetResponse out;
  out.dataset = records().registry.dataset(request.id);
  const fs::path folder = data_.path / "datasets" / request.id;
  out.spec = parse_json(store::read_file(folder / "spec.json"), "spec.json");
  out.report = parse_json(store::read_file(folder / "report.json"), "report.json");
  if (const auto spec = records().process_specs.of_dataset(request.id))
    out.process_spec = spec->name + "@" + std::to_string(spec->version);
  return out;
}

DatasetVerifyResponse App::verify_dataset(const DatasetVerifyRequest& request, const Call&) {
  DatasetVerifyResponse out;
  out.id = request.id;
  const bool is_folder = request.id.find('/') != std::string::npos;
  const fs::path folder = is_folder ? fs::path(request.id) : data_.path / "datasets" / request.id;
  const std::string expected =
      is_folder ? request.sha256.value_or("") : records().registry.dataset(request.id).sha256;
  if (is_folder && !fs::is_directory(folder))
    throw Error("FILE_NOT_FOUND", {{"path", folder.string()}});
  try {
    out.found = dataset::verify(folder, expected);
  } catch (const Error& e) {
    if (e.errc() != Errc::corrupt_data && e.errc() != Errc::not_found) throw;
    out.problems.emplace_back(e.what());
  }
  out.ok = out.problems.empty();
  return out;
}

DatasetStatsResponse App::dataset_stats(const IdRequest& request, const Call& call) {
  const registry::DatasetRow row = records().registry.dataset(request.id);
  const fs::path folder = data_.path / "datasets" / row.id;
  DatasetStatsResponse out;
  out.id = row.id;
  if (dataset::verify(folder, row.sha256).legacy) {
    out.report = dataset::read_report(dataset::Folder(folder)).report;
    return out;
  }
  dataset::Built built = dataset::load(folder, row.sha256);
  out.survey = survey::survey_dataset(built.dataset, built.report, call.progress, call.stop);
  out.report = std::move(built.report);
  return out;
}

dataset::DatasetDiff App::diff_datasets(const DatasetDiffRequest& request, const Call&) {
  const fs::path folder = data_.path / "datasets";
  registry::Registry& registry = records().registry;
  return dataset::diff(folder / registry.dataset(request.a).id,
                       folder / registry.dataset(request.b).id);
}

survey::TagSurvey App::survey_tags(const TagSurveyRequest& request, const Call& call) {
  survey::TagSurveyRequest asked;
  asked.filter = {request.line, request.product.value_or(""), request.recipe.value_or(""),
                  request.run.value_or("")};
  asked.from = request.from.value_or(asked.from);
  asked.to = request.to.value_or(asked.to);
  asked.tags = request.tag;
  check_stored(historian(), asked.filter);
  return survey::survey_tags(historian(), asked, call.progress, call.stop);
}

namespace {

/// What the flags, or a process-model spec, say of variables and their window.
StudyRequest study_request(const DatasetBuildRequest& r,
                           const std::optional<plant::ProcessSpec>& process) {
  StudyRequest study;
  study.line = r.line;
  study.product = r.product;
  study.recipe = r.recipe;
  study.mv = r.mv;
  study.cv = r.cv;
  study.dv = r.dv;
  study.integrating = r.integrating;
  study.mode = r.mode;
  study.beat = r.beat;
  study.split = r.split;
  study.seed = r.seed;
  const DatasetBuildRequest plain;
  if (r.history != plain.history) study.history = r.history;
  if (r.horizon != plain.horizon) study.horizon = r.horizon;
  return process ? stated(study, *process) : study;
}

/// The spec of the file, or what the flags say.
dataset::Spec spec_of(const DatasetBuildRequest& r, const historian::Historian& historian,
                      const std::optional<plant::ProcessSpec>& process,
                      const std::vector<plant::Mark>& marks, const fs::path& data,
                      const Call& call) {
  if (r.spec) {
    const Input file = open_input(*r.spec, data, call);
    auto spec = parse_record<dataset::Spec>(parse_json(file.text(), *r.spec));
    if (!r.note.empty()) spec.note = r.note;
    return spec;
  }
  const StudyRequest study = study_request(r, process);
  const StudyPlan plan = plan_study(study);
  const historian::Filter filter{study.line, study.product, study.recipe, ""};
  check_stored(historian, filter);
  dataset::Spec spec =
      study_spec(study, plan, historian.tags(r.line), usual_step(historian, study),
                 {study.history.value_or(r.history), study.horizon.value_or(r.horizon)});
  if (process) declare(*process, spec);
  spec.run_ids = r.run.empty() ? run_ids_of(historian, filter) : r.run;
  spec.from_us = r.from;
  spec.to_us = r.to;
  spec.cleaning.hampel_k = r.hampel_k;
  spec.cleaning.max_drop_ratio = r.max_drop_ratio;
  spec.note = r.note;
  if (!r.ignore_marks) follow_marks(spec, marks, historian);
  return spec;
}

/// A spec file and flags that would change what it says.
void check_flags(const DatasetBuildRequest& r) {
  if (!r.spec) return;
  DatasetBuildRequest plain;
  plain.spec = r.spec;
  plain.format = r.format;
  plain.dry_run = r.dry_run;
  plain.note = r.note;
  const Json given = to_json_value(r), allowed = to_json_value(plain);
  for (const auto& [key, value] : given.items()) {
    if (!allowed.contains(key) || allowed[key] != value)
      throw Error("SPEC_AND_FLAGS", {{"flag", kebab_case(key)}}, "/" + key);
  }
}

}  // namespace

DatasetBuildResponse App::build_dataset(const DatasetBuildRequest& request, const Call& call) {
  check_flags(request);
  store::sweep_staging(data_.path / "datasets");
  const historian::Historian& stored = historian();
  std::optional<plant::ProcessSpec> process;
  if (request.process_spec)
    process = records(true).process_specs.cited(request.line, *request.process_spec);
  dataset::Spec spec =
      spec_of(request, stored, process, records(true).plant.marks(request.line), data_.path, call);
  require_right(call, "datasets.build", Scope::train, spec.line_id);
  if (!request.dry_run)
    check_quota(records(true).registry, settings(), data_.path, spec.line_id, Adds::dataset);
  if (!request.spec || request.format != DatasetFormat::series)
    spec.materialize = request.format == DatasetFormat::windows ? dataset::Materialize::windows
                                                                : dataset::Materialize::series;
  DatasetBuildResponse out;
  dataset::Report report;
  dataset::Saved saved;
  if (request.format == DatasetFormat::v1) {
    const auto built = dataset::build_v1(stored, spec, limits(), call.progress, call.stop);
    if (!request.dry_run) saved = dataset::save(built, data_.path, limits());
    report = built.report;
    out.legacy = true;
  } else {
    const auto lineage =
        lineage_of(records(true).plant, {spec.line_id, spec.product_id, spec.recipe_id});
    dataset::Built built;
    if (request.dry_run) {
      built = dataset::build(stored, spec, lineage, call.progress, call.stop);
      saved = dataset::digest(built);
    } else {
      auto made = dataset::build_to_folder(stored, spec, lineage, data_.path, limits(),
                                           call.progress, call.stop);
      built = std::move(made.built);
      saved = std::move(made.saved);
    }
    spec = built.dataset.spec;
    report = std::move(built.report);
  }
  out.id = saved.id;
  out.sha256 = saved.sha256;
  out.folder = saved.folder.string();
  out.existed = saved.existed;
  out.stored = !request.dry_run;
  out.row_count = report.row_count;
  out.window_count = report.window_count;
  out.spec = to_json_value(spec);
  out.report = to_json_value(report);
  if (request.dry_run) return out;
  Json summary = to_json_value(dataset_summary(saved, report));
  summary["legacy"] = out.legacy;
  records(true).registry.add_dataset({saved.id, saved.sha256, spec.line_id, spec.product_id,
                                      spec.recipe_id, report.row_count, summary, clock_.now()});
  if (process) records(true).process_specs.cite(*process, saved.id, clock_.now());
  return out;
}

dataset::Limits App::limits() {
  registry::SettingsStore* store = settings();
  dataset::Limits out;
  out.max_rows =
      static_cast<std::int64_t>(resolve(setting_spec("dataset.maxRows"), store, "").value);
  out.quota_bytes = static_cast<std::int64_t>(
      resolve(setting_spec("job.diskQuotaMb"), store, "").value * 1048576);
  return out;
}

DeleteResponse App::delete_dataset(const DeleteRequest& request, const Call&) {
  registry::Registry& registry = records(true).registry;
  const registry::DatasetRow row = registry.dataset(request.id);
  check_free("DATASET_IN_USE", row.id);
  if (request.dry_run) {
    registry.check_unused(row.id);
  } else {
    registry.remove_dataset(row.id);
    store::remove_folder(data_.path / "datasets" / row.id);
  }
  return {{row.id}, request.dry_run};
}

registry::Inventory App::list_entities(const Empty&, const Call&) {
  std::recursive_mutex guard;
  jobs::SqliteQueue queue(records().db, guard);
  return registry::take_inventory(records().registry, data_.path, jobs::job_ids(queue));
}

DeleteResponse App::prune_entities(const PruneRequest& request, const Call& call) {
  const registry::Inventory inventory = list_entities({}, call);
  if (!request.dry_run) return {registry::prune(inventory, data_.path), false};
  DeleteResponse out{{}, true};
  for (const registry::EntityIssue& issue : inventory.issues) {
    if (issue.kind == registry::IssueKind::orphan_dir)
      out.deleted.push_back(issue.entity + "/" + issue.id);
  }
  return out;
}

}  // namespace flyball::app
