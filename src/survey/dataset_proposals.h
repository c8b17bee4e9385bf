#pragma once
// From the facts of a dataset to what a person should look at.
#include "survey/survey.h"

namespace flyball::survey {

/// Reads all lists of the survey but its proposals.
std::vector<Proposal> dataset_proposals(const dataset::Spec& spec, const DatasetSurvey& survey);

}  // namespace flyball::survey
