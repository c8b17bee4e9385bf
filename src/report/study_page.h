#pragma once
// report.html of `flyball study`: one page that stands alone. The verdict first, then the evidence.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "report/study_report.h"

namespace flyball::report {

/// Measured and predicted CV over one block, engineering units; NaN where missing.
struct FreeRunTrace {
  std::string cv, unit, block, run;  ///< block: train, val, test
  std::vector<TimeUs> t;
  std::vector<double> actual, predicted;
};

/// An input over the same rows.
struct InputTrace {
  std::string tag, unit, block, run;
  bool stepped = true;
  std::vector<TimeUs> t;
  std::vector<double> value;
};

/// Answer of one CV to a unit step of one input, engineering units, row k is the answer after k
/// steps. Empty centre: no picture, the note says why. low and high: 95 % band, may be empty.
struct StepAnswer {
  std::string input, cv, input_unit, cv_unit;
  std::vector<double> centre, low, high;
  std::optional<double> gain, gain_low, gain_high;  ///< absent for a CV that integrates
  std::optional<std::int64_t> settling_steps;       ///< to within 2 % of the final value
  std::string note;
};

/// Error over train standard deviation at k = 1 … F steps ahead.
struct HorizonCurve {
  std::string cv, block;
  std::vector<double> model, persistence;
  std::optional<double> noise_floor;  ///< one-step error of the high-order ARX
};

/// A correlation function; the bound is of the confidence given, the same on both sides.
struct Correlation {
  std::string cv, input;  ///< input empty: autocorrelation of the residuals of the CV
  std::int64_t first_lag = 0;
  std::vector<double> values;
  double bound = 0;
  double confidence_percent = 99;
  std::optional<bool> pass;
};

/// One prediction of the test part with its band. Steps before 0 are history.
struct UncertaintyFan {
  std::string cv, unit, run;
  std::vector<double> step, actual;
  std::vector<double> ahead, predicted, low, high;  ///< at ahead = 0 … h−1
};

/// A structure that was tried, lower scores are better.
struct Candidate {
  std::string structure;  ///< "na 2 nb 2, in differences"
  std::optional<double> score;
  bool chosen = false;
  std::string note;
};

/// A CV against one input, the others at their train mean; NaN where the model does not hold.
/// Points are moved to that mean by the model: curve + residual.
struct ResponseCurve {
  std::string cv, input, cv_unit, input_unit;
  std::vector<double> x, centre, low, high;  ///< band: 95 % of the surface
  std::vector<double> train_x, train_y, test_x, test_y;
};

/// A CV against one input at three values of another.
struct ResponseSlices {
  std::string cv, input, other, cv_unit, input_unit, other_unit;
  std::vector<double> x;
  std::vector<double> at;              ///< values of `other`
  std::vector<std::vector<double>> y;  ///< per value; NaN where the model does not hold
};

/// Operating points of a CV: measured, and predicted by the surface.
struct PointCloud {
  std::string cv, unit;
  std::vector<double> train_predicted, train_actual, test_predicted, test_actual;
};

/// How the time of one run was used: train, val, test, or left out (purge).
struct PartSpan {
  std::string run, part;
  TimeUs from = 0, to = 0;
};

/// What the page draws beside the record, filled by the use case from what identify and evaluate
/// found.
struct StudyPictures {
  std::string title;  ///< of the record, for the heading; empty: "Study"
  double beat_ms = 0;
  bool elapsed_time =
      false;  ///< the record had no time column: times are shown since the run's start
  std::vector<std::string> mvs, dvs, cvs;
  std::vector<FreeRunTrace> free_run;
  std::vector<InputTrace> inputs;
  std::vector<StepAnswer> step_answers;
  std::vector<HorizonCurve> horizon;
  std::vector<Correlation> residual_tests;
  std::vector<UncertaintyFan> fans;
  std::vector<Candidate> candidates;
  std::vector<PartSpan> parts;
  std::vector<ResponseCurve> response_curves;  ///< of a static model
  std::vector<ResponseSlices> response_slices;
  std::vector<PointCloud> point_clouds;
};

/// The page. Same record and pictures give the same bytes; what is absent is explained, never an
/// error.
std::string render_study(const StudyReport& report, const StudyPictures& pictures);

}  // namespace flyball::report
