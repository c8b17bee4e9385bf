#pragma once
// The sections of the study page, one function each; study_page.h puts them together.
#include "report/html.h"
#include "report/study_page.h"
#include "report/svg.h"

namespace flyball::report::study {

Html verdict(const StudyReport& report, const StudyPictures& pictures);
Html gate_table(const StudyReport& report);
Html free_run(const StudyReport& report, const StudyPictures& pictures);
Html leaderboard(const StudyReport& report);  ///< what auto@1 tried
Html steps(const StudyReport& report, const StudyPictures& pictures);
Html dead_times(const StudyReport& report, const StudyPictures& pictures);
Html loops(const StudyReport& report, const StudyPictures& pictures);
Html tuning(const StudyReport& report, const StudyPictures& pictures);       ///< lag models
Html stated(const StudyReport& report, const StudyPictures& pictures);  ///< priors, collinear MVs
Html gain_matrix(const StudyReport& report);
Html ranges(const StudyReport& report, const StudyPictures& pictures);       ///< per regime
Html horizon(const StudyPictures& pictures);
Html residuals(const StudyPictures& pictures);
Html uncertainty(const StudyReport& report, const StudyPictures& pictures);
Html data(const StudyReport& report, const StudyPictures& pictures);
Html surfaces(const StudyReport& report, const StudyPictures& pictures);
Html surface_points(const StudyReport& report, const StudyPictures& pictures);
Html operating_points(const StudyReport& report);
Html making(const StudyReport& report, const StudyPictures& pictures);

/// MVs, then DVs; those that the dead times or step answers name when the pictures list none.
std::vector<std::string> inputs_of(const StudyReport& report, const StudyPictures& pictures);
std::vector<std::string> cvs_of(const StudyReport& report, const StudyPictures& pictures);

/// The unit of a tag in the pictures, "" when unknown; of a quotient, "(m³/h)/V".
std::string unit_of(const StudyPictures& pictures, const std::string& tag);
std::string per_unit(const std::string& cv_unit, const std::string& input_unit);

/// A number of report.json, NaN when absent or null.
double value_of(const Json& object, const char* field);

/// "3 steps", "1 step".
std::string steps_text(std::int64_t steps);

/// The physical range of a dead time found at lag `low` … `high`: [(low−1)·beat, high·beat], not
/// below 0.
std::string dead_time_range(std::int64_t low, std::int64_t high, double beat_ms);

/// Seconds since the run's origin, and the axis that shows them.
std::vector<double> seconds_since(TimeUs origin, const std::vector<TimeUs>& t);
XAxis time_axis(const StudyPictures& pictures, TimeUs origin);

/// First instant of the run in the pictures: where elapsed time counts from.
TimeUs origin_of(const StudyPictures& pictures, const std::string& run);

}  // namespace flyball::report::study
