#pragma once
// From what identification found to the artifact, the gates' evidence and the report's dead times.
#include <string>

#include "dataset/dataset.h"
#include "gates/gates.h"
#include "identify/identify.h"
#include "model/artifact.h"
#include "report/study_report.h"

namespace flyball::app {

/// model.json, and its hash in `artifact_hash`.
std::string study_artifact(const dataset::Dataset& data, const std::string& dataset_sha256,
                           const identify::IdentifyResult& found, std::string_view trainer_version,
                           std::int64_t seed, std::string& artifact_hash);

/// What the gates want to know of identification.
void fill_evidence(const identify::Findings& findings, gates::GateInput& input);

report::DeadTime dead_time_entry(const identify::DeadTime& found);

}  // namespace flyball::app
