#pragma once
// What studying a dataset does, step by step: identify → describe → evaluate → uq → gates → files.
// `flyball study` runs it on a dataset that it has just built, a training job in a child process on
// one that is stored. No database is touched here.
#include "app/settings.h"
#include "app/study_plan.h"
#include "app/trained.h"
#include "dataset/store.h"
#include "historian/memory_historian.h"
#include "report/study_page.h"
#include "uq/uq.h"

namespace flyball::app {

/// Everything that a study has found so far; stages fill it from top to bottom.
struct Study {
  Study(const StudyRequest& r, const Call& c) : request(r), call(c), plan(plan_study(r)) {}

  const StudyRequest& request;
  const Call& call;
  StudyPlan plan;
  historian::MemoryHistorian memory;             ///< of a text
  const historian::Historian* source = &memory;  ///< or what is stored
  std::vector<plant::Tag> tags;
  std::vector<plant::Mark> marks;  ///< of the line
  dataset::LineageInput lineage;
  std::optional<plant::ProcessSpec> process_spec;  ///< that the request cites
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

  void stage(const char* name, double fraction = 0) const;
};

/// These data cannot carry a model: an answer with a report, not a failure.
bool cannot_carry(const Error& e);

TrainOptions train_options(const Study& s);
void describe_dataset(Study& s);
void describe_identification(Study& s);
/// Evaluates, calibrates and judges what was trained; without a model every gate is unknown.
void judge(Study& s, const LiveThresholds& live, double alpha);

/// What a registry keeps of a judged study.
registry::ExperimentRow experiment_of(const Study& s, const std::string& id, TimeUs now);
/// Only of a study that passed.
registry::ModelRow model_of(const Study& s, const std::string& id,
                            const registry::ExperimentRow& experiment);
/// model.json, uq.json, io_spec.json, gates.json of a study that passed.
std::map<std::string, std::string> model_files(const Study& s, TimeUs now);

/// Writes report.html and report.json. What is kept by now stays: an interrupt no longer counts,
/// and a failure says what was kept. Throws STUDY_REPORT_FAILED.
void write_report(Study& s, const std::filesystem::path& folder, TimeUs started, TimeUs now);

}  // namespace flyball::app
