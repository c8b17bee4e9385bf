#pragma once
// How the marks of a line become part of a dataset's spec.
#include "dataset/spec.h"
#include "historian/historian.h"
#include "plant/plant_store.h"

namespace flyball::app {

/// Gives the spec the marks that concern it: of one of its variables or of all, and within a run
/// that it uses and its times. They are part of its hash from then on.
void follow_marks(dataset::Spec& spec, const std::vector<plant::Mark>& marks,
                  const historian::Historian& historian);

}  // namespace flyball::app
