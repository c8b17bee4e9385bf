#pragma once
// Does a CV first move the other way? A model of too high an order often says so by chance.
#include <string>
#include <vector>

#include "core/record.h"
#include "identify/findings.h"

namespace flyball::diagnose {

inline constexpr double kInverseLeast = 0.02;  ///< of the gain: less is not told

/// The largest excursion of a step response against its gain before it first has the gain's sign,
/// as a share of the gain.
struct InverseResponse {
  std::string input, cv;
  double share = 0, low = 0, high = 0;
  std::int64_t at = 0;
  bool certain = false;
  static constexpr auto fields() {
    using S = InverseResponse;
    return FieldList{field("input", &S::input, "MV or DV"),
                      field("cv", &S::cv, "controlled variable"),
                      field("share", &S::share, "excursion over gain"),
                      field("low", &S::low, "95 % range; 0: none"),
                      field("high", &S::high, "95 % range"),
                      field("at", &S::at, "where it is largest").unit("steps"),
                      field("certain", &S::certain, "the 95 % range does not reach 0")};
  }
};

/// Pairs whose model answers first against its gain by 2 % of it or more. Nothing is said where the
/// way of the gain means nothing: its 95 % interval holds 0, it is below a twentieth of the largest
/// answer, or the answer rings (once past the gain by a tenth of it, it falls as far below again).
std::vector<InverseResponse> inverse_responses_of(const identify::Findings& findings);

}  // namespace flyball::diagnose
