#pragma once
// What was stored since a model was trained, as its predictions are compared with it.
#include <map>
#include <vector>

#include "dataset/build.h"

namespace flyball::app {

/// The end of the newest row that training saw.
TimeUs trained_until(const dataset::Built& built);

/// What a model in shadow has not predicted yet: its dataset's spec over later times, all of it in
/// one part. Runs without predictions go together; one that grew goes on where its last prediction
/// ended, so that no time is predicted twice.
std::vector<dataset::Spec> later_specs(const dataset::Built& built,
                                       const historian::Historian& historian,
                                       const std::map<std::string, TimeUs>& newest);

}  // namespace flyball::app
