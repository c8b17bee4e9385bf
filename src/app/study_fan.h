#pragma once
// One prediction of the test part with its band, for the page.
#include "evaluate/predictor.h"
#include "report/study_page.h"
#include "uq/uq.h"

namespace flyball::app {

/// Adds a picture per CV: the window in the middle of the longest test block, history as long as
/// the prediction. Nothing without bands per step or without a window.
void draw_fans(const dataset::Dataset& data, const evaluate::Predict& predict,
               evaluate::WindowShape shape, const uq::Uq& uq, report::StudyPictures& pictures);

}  // namespace flyball::app
