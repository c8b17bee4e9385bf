#pragma once
// From what identification found to the artifact, the gates' evidence and the report's dead times.
#include <string>

#include "app/trained.h"
#include "core/digest.h"
#include "dataset/dataset.h"
#include "gates/gates.h"
#include "identify/identify.h"
#include "model/artifact.h"
#include "report/study_report.h"

namespace flyball::app {

/// The columns of a dataset as every model file names them: MVs, DVs, CVs with their train box.
std::vector<model::ArtifactVariable> file_variables(const dataset::Dataset& data);

/// What the files of dynamic models begin with.
template <class Artifact>
void fill_head(const FileContext& context, Index history, Index horizon,
               std::string_view trainer_version, Artifact& a) {
  a.spec_ref = sha256(canonical(to_json_value(context.data.spec)));
  a.dataset_sha256 = context.dataset_sha256;
  a.beat_ms = context.data.spec.beat_ms;
  a.history_steps = history;
  a.horizon_steps = horizon;
  a.variables = file_variables(context.data);
  a.seed = context.seed;
  a.trainer_version = trainer_version;
}

/// model.json of a linear model.
ModelFile linear_file(const FileContext& context, const identify::IdentifyResult& found,
                      std::string_view trainer_version);

/// Steps until the slowest answer has settled; 0 where one does not.
Index settling_steps(const identify::Findings& findings);

/// What the gates want to know of identification.
void fill_evidence(const identify::Findings& findings, gates::GateInput& input);

/// The moves that tell those apart that moved together.
void fill_moves(const std::vector<diagnose::SeparatingMove>& moves, gates::GateInput& input);

report::DeadTime dead_time_entry(const identify::DeadTime& found);

}  // namespace flyball::app
