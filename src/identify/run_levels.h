#pragma once
// Runs whose CVs stand at levels of their own: the same answer to the inputs around another level,
// by a cause that is not measured (another batch of feed, another calibration).
//
//   A(q) y(t) = Σ B(q) u(t) + c_r + e(t)      one constant per run r against one for all
//
// F test of the constants at 0.1 %, in an ARX with all lags of all inputs up to 10 or rows/(20·
// signals). The level of a run is what y settles at when the inputs stand at their means of the
// run, l_r = (c_r + Σ B(1) ū_r)/A(1), kept within the run's values. Levels of a CV differ when the
// test says so and their spread over the rows is a tenth of y's within the runs or more.
#include "identify/training_data.h"

namespace flyball::identify {

/// Sets `levels_differ` and what stands below it. `integrating`: per CV; a declared
/// level has no level of its own. One run: nothing differs. Cost that of one Gram matrix per CV.
void judge_run_levels(TrainingData& data, const std::vector<bool>& integrating);

}  // namespace flyball::identify
