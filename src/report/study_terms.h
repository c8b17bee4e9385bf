#pragma once
// The section of a nonlinear model's terms.
#include "report/html.h"
#include "report/study_report.h"

namespace flyball::report::study {

/// Empty when the model of the report has none.
Html terms(const StudyReport& report);

}  // namespace flyball::report::study
