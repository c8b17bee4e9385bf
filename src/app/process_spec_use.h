#pragma once
// What a process-model spec states, as studies, datasets and trainings take it.
#include "app/train_requests.h"
#include "dataset/spec.h"
#include "plant/process_spec.h"

namespace flyball::app {

/// The request with roles, set-points, levels, modes, priors and pipes of the spec, and with its
/// beat, H, F, trainer, product and recipe where the request says nothing else. Throws
/// PROCESS_SPEC_AND_FLAGS for a flag that would say what the spec says.
StudyRequest stated(const StudyRequest& request, const plant::ProcessSpec& spec);

/// A training on a dataset that was built by the spec: its set-points and priors where none are
/// given.
void state(const plant::ProcessSpec& spec, TrainRequest& request);

/// Limits in the units of the tags, and delays, to the variables. A limit narrows that of the tag.
void declare(const plant::ProcessSpec& spec, dataset::Spec& out);

}  // namespace flyball::app
