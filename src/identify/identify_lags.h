#pragma once
// First- and second-order-plus-dead-time models of every pair, in the units of the plant.
#include <string>
#include <vector>

#include "identify/identify.h"

namespace flyball::identify {

/// One pair. Standard errors hold the residuals' autocorrelation; 95 % intervals are ± 1.96 of
/// them.
struct LagModel {
  std::string input, cv;
  double gain = 0, gain_std_error = 0;
  double time_constant = 0, time_constant_std_error = 0;
  double second_time_constant = 0, second_std_error = 0;
  double dead_time = 0, dead_time_std_error = 0;
  double fit = 0;
  bool fits = true, told = true;
  static constexpr auto fields() {
    using S = LagModel;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("cv", &S::cv, "controlled variable"),
        field("gain", &S::gain, "steady state, model units"),
        field("gainStdError", &S::gain_std_error, "standard error"),
        field("timeConstant", &S::time_constant, "of the slower lag").unit("s"),
        field("timeConstantStdError", &S::time_constant_std_error, "standard error").unit("s"),
        field("secondTimeConstant", &S::second_time_constant, "0: first order").unit("s"),
        field("secondStdError", &S::second_std_error, "standard error").unit("s"),
        field("deadTime", &S::dead_time, "before the answer begins").unit("s"),
        field("deadTimeStdError", &S::dead_time_std_error, "standard error").unit("s"),
        field("fit", &S::fit, "of the CV by all its pairs together, free run over train").unit("%"),
        field(
            "fits", &S::fits,
            "false: the model of the study simulates the CV clearly better, the answer has another "
            "shape (resonant, inverse, immediate) and these numbers are not those of the plant"),
        field("told", &S::told,
              "false: three of its time constants are longer than any stretch of train, which so "
              "does not hold the answer to its end: gain and time constant are not told by it")};
  }
};

/// The pairs in the model of identify_arx on the same dataset; CVs that integrate or that an MV in
/// a loop moves are left out: a simulation takes the controller's answer for the plant's. A CV gets
/// second-order pairs when they lower N ln(mean square) + parameters·ln N. An input that answers at
/// once is taken with a dead time of 0.
std::vector<LagModel> identify_lags(const dataset::Dataset& data, const IdentifyResult& arx);

}  // namespace flyball::identify
