#pragma once
// What the report draws, from what dataset, identify and evaluate found.
#include "dataset/build.h"
#include "evaluate/evaluate.h"
#include "identify/identify.h"
#include "report/study_page.h"

namespace flyball::app {

/// Adds runs, parts and names of the dataset.
void draw_dataset(const dataset::Dataset& data, report::StudyPictures& pictures);
/// Adds step responses with 95 % bands (±1.96 standard errors) and the structures that were tried.
void draw_identification(const dataset::Dataset& data, const identify::Findings& findings,
                         report::StudyPictures& pictures);
/// Adds free runs with their inputs, errors by horizon step and residual correlations.
void draw_evaluation(const dataset::Dataset& data, const evaluate::Evaluation& evaluation,
                     const identify::Findings& findings, report::StudyPictures& pictures);

}  // namespace flyball::app
