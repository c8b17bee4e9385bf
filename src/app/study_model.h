#pragma once
// From what identification found to the artifact, the gates' evidence and the report's dead times.
#include <string>

#include "app/trained.h"
#include "dataset/dataset.h"
#include "gates/gates.h"
#include "identify/identify.h"
#include "model/artifact.h"
#include "report/study_report.h"

namespace flyball::app {

/// The columns of a dataset as every model file names them: MVs, DVs, CVs with their train box.
std::vector<model::ArtifactVariable> file_variables(const dataset::Dataset& data);

/// model.json of a linear model.
ModelFile linear_file(const FileContext& context, const identify::IdentifyResult& found,
                      std::string_view trainer_version);

/// What the gates want to know of identification.
void fill_evidence(const identify::Findings& findings, gates::GateInput& input);

report::DeadTime dead_time_entry(const identify::DeadTime& found);

}  // namespace flyball::app
