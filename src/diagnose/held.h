#pragma once
// Is a CV a slower signal that was held?
#include "identify/training_data.h"

namespace flyball::diagnose {

/// Nine of ten changes of the CV come a multiple of the usual stay (2 steps or more) after the one
/// before; 20 changes at least. What acts between its samples then shows late by as much, which
/// no model that is the same in every step explains. O(rows).
bool held_cv(const identify::TrainingData& data, Index cv);

}  // namespace flyball::diagnose
