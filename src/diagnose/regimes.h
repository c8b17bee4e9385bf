#pragma once
// Does one linear model hold over the whole range? A CV's answer below and above a level of each
// signal.
//
//   y(t) = φ(t)ᵀθ + I(t)·(δ + Σₘ γₘ cₘ(t)) + e(t),   I(t) = 1 where s(t) is above the level
//
// φ a high-order ARX with its inputs, cₘ what that ARX alone says input m contributes at t. Under
// one linear plant δ and all γ are 0: an F test on them together. Where s is itself an input that
// the CV answers, max(s − level, 0) at that input's lags stands for I·c of it: an effect that bends
// there. s is an input at the lag of its dead time, or y(t−1), so it is known before e(t). The
// level is the one of seven (the 20 % to 80 % quantiles of s) of the largest likelihood, less ln N
// per column; p-values are multiplied by the number of levels, signals and CVs tried (Bonferroni).
// (Chow 1960; Andrews 1993.)
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"
#include "identify/identify.h"

namespace flyball::diagnose {

inline constexpr double kRegimeLevel = 0.01;  ///< of all tests of a record together

/// One side of the level.
struct Regime {
  double from = 0, to = 0;
  std::int64_t rows = 0;
  double bias = 0, bias_std_error = 0, spread = 0;
  static constexpr auto fields() {
    using S = Regime;
    return FieldList{
        field("from", &S::from, "least value of the splitting signal, model units"),
        field("to", &S::to, "largest value"),
        field("rows", &S::rows, "time steps").unit("steps"),
        field("bias", &S::bias, "mean one-step error of one model for all, units of the CV"),
        field("biasStdError", &S::bias_std_error, "standard error"),
        field("spread", &S::spread,
              "standard deviation of the one-step error, each with its own "
              "gains")};
  }
};

/// Gain of one input above the level over its gain below.
struct GainChange {
  std::string input;
  double ratio = 1, std_error = 0;
  static constexpr auto fields() {
    using S = GainChange;
    return FieldList{field("input", &S::input, "MV or DV"),
                     field("ratio", &S::ratio, "gain above the level over gain below"),
                     field("stdError", &S::std_error, "to first order, the level given")};
  }
};

/// One CV, one splitting signal.
struct RegimeTest {
  std::string cv, by;
  double level = 0, p_value = 1, p_spread = 1;
  bool detected = false, spread_detected = false, material = false;
  Regime below, above;
  std::vector<GainChange> gains;
  std::optional<double> valid_from, valid_to;
  static constexpr auto fields() {
    using S = RegimeTest;
    return FieldList{
        field("cv", &S::cv, "controlled variable"),
        field("by", &S::by, "splitting signal; the CV itself: its last value"),
        field("level", &S::level, "where the two sides meet, model units"),
        field("pValue", &S::p_value, "of bias and gains together, corrected for all tests"),
        field("pSpread", &S::p_spread, "of the error's spread, corrected for all tests"),
        field("detected", &S::detected, "pValue below 1 %"),
        field("spreadDetected", &S::spread_detected, "pSpread below 1 %"),
        field("material", &S::material,
              "detected, and a gain that differs by a quarter or a bias of half the error"),
        field("below", &S::below, "up to the level"),
        field("above", &S::above, "above it"),
        field("gains", &S::gains, "inputs whose change of gain can be told"),
        field("validFrom", &S::valid_from, "side whose gain the model is nearest to"),
        field("validTo", &S::valid_to, "side whose gain the model is nearest to")};
  }
};

/// Every CV by every input that moved and, when its model is not in differences, by itself. Up to
/// 20 000 rows, evenly over train; not of a CV that is held (held.h). Cost per CV rows·p·(p + 7·(nu + 1)²).
std::vector<RegimeTest> regimes_of(const dataset::Dataset& data,
                                   const identify::IdentifyResult& found);

}  // namespace flyball::diagnose
