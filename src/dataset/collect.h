#pragma once
// The two halves of a build: each run in turn becomes a series, then all of them are split,
// normalised and summarised. The series may stay in memory or go to files in between.
#include <functional>

#include "dataset/assemble.h"
#include "dataset/build.h"

namespace flyball::dataset {

/// The runs of the recipe that the spec asks for, by start. A run still open is left out, and said
/// so in the report, unless it is named. Throws NO_RUNS, RUN_MISSING, RUN_MISMATCH.
std::vector<plant::Run> runs_asked_for(const historian::Historian& historian, const Spec& spec,
                                       Report& report);

/// Throws NO_USABLE_RUNS with the reason of each run that was dropped.
[[noreturn]] void refuse_all(const Report& report);

/// Throws NODE_MISSING with the nearest known tag of each.
void check_nodes(const historian::Historian& historian, const Spec& spec);

/// Assembles the runs of `built.dataset.spec`, fills the report's part of them and gives the series
/// of each that is usable to `keep`, in order. Throws NO_USABLE_RUNS when there is none.
void collect(const historian::Historian& historian, const LineageInput& lineage, Built& built,
             const std::function<void(Series&&)>& keep, const ProgressFn& progress,
             const std::stop_token& stop);

/// What is made of variables that do not move: a model cannot be trained on them, but judged.
enum class Still { refused, allowed };

/// Blocks, norm and the rest of the report. Throws TRAIN_EMPTY; VARIABLE_CONSTANT, MVS_CONSTANT
/// where they are `refused`.
void finish(Built& built, const RunSource& runs, const std::stop_token& stop,
            Still still = Still::refused);

}  // namespace flyball::dataset
