#pragma once
// What people marked, as a build follows it.
//
// bad: samples of a sloped tag inside the stretch are dropped, so that no bucket and no spike test
// sees them; a stepped tag has no value in buckets that touch the stretch and afterwards holds what
// it was set to meanwhile. batch: in a run with batches, rows that lie in none of them have no
// value, nor has the row in which one ends and the next begins: blocks are batches. steady: rows of
// operating points for static models (steady.h). What is blank for a mark counts as `marked`, not
// as missing.
#include <vector>

#include "core/time.h"
#include "dataset/clean.h"
#include "dataset/dataset.h"
#include "dataset/grid.h"

namespace flyball::dataset {

/// Bad stretches of a variable: ascending, disjoint.
std::vector<Interval> bad_stretches(const Spec& spec, const Variable& variable);

/// Stretches of a kind: ascending; batches and steady stretches may touch but not overlap.
std::vector<Interval> stretches(const Spec& spec, plant::MarkKind kind);

/// The rows of a grid that no batch of the run holds: 1. Empty when no batch meets the grid.
std::vector<std::uint8_t> outside_batches(const Spec& spec, const Grid& grid);

/// Blanks what is marked in one column of a series and counts it.
void blank_marked(const Variable& variable, const std::vector<Interval>& bad,
                  const std::vector<std::uint8_t>& outside, const Grid& grid, double* value,
                  std::uint8_t* mask, CleanCounts& counts);

}  // namespace flyball::dataset
