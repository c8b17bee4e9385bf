#pragma once
// static_response@1 in a study: training, evidence, file and pictures of its kind.
#include "app/trained.h"
#include "evaluate/evaluate.h"
#include "report/study_page.h"
#include "uq/uq.h"

namespace flyball::app {

/// Operating points by the rule of train, then surfaces. Errors of identify_static.
Trained train_static(const dataset::Dataset& data, const TrainOptions& options, const Call& call);

/// Errors at the operating points of val and test, and the uncertainty evidence of them.
evaluate::Evaluation judge_static(const dataset::Dataset& data, const Trained& trained,
                                  const evaluate::Options& options, double alpha, uq::UqResult& uq);

/// Inputs that moved, CVs that answer (joint F test at 1 %), noise floors.
void fill_static_evidence(const identify::StaticFindings& findings, gates::GateInput& input);

/// Response curves, slices, and points beside predictions.
void draw_static(const dataset::Dataset& data, const StaticTrained& statics,
                 const evaluate::Evaluation& evaluation, report::StudyPictures& pictures);

}  // namespace flyball::app
