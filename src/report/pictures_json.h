#pragma once
// What the pages of a study draw beside its record, on a wire: pictures.json.
#include "report/study_page.h"

namespace flyball::report {

/// {schemaVersion, beatMs, elapsedTime, units: tag → unit, freeRun[], inputs[], parts[], fans[],
/// responseCurves[], pointClouds[]}. Times in µs since the epoch; what is missing is null.
/// Cost: one pass over every series.
Json pictures_json(const StudyPictures& pictures);

}  // namespace flyball::report
