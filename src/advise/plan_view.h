#pragma once
// A plan as people look at it: every MV and CV before now and ahead, in the units of the tags, with
// what would come when nothing moves, the interval and the limits in force.
#include "advise/card.h"

namespace flyball::advise {

/// One variable. `history` ends with the newest complete step; `planned` is what the MV is set to
/// in the steps from now on, or the CV after them. Empty low and high: no interval is known.
struct PlanTrace {
  std::string var_id, unit;
  std::vector<std::optional<double>> history;
  std::vector<double> planned, hold, low, high;
  std::optional<double> hard_min, hard_max, soft_min, soft_max, ref, rest;
  static constexpr auto fields() {
    using T = PlanTrace;
    return FieldList{field("varId", &T::var_id, "tag"),
                     field("unit", &T::unit, "of the tag"),
                     field("history", &T::history, "oldest first, up to now; null: missing"),
                     field("planned", &T::planned, "per step from now on"),
                     field("hold", &T::hold, "per step when nothing is moved"),
                     field("low", &T::low, "of the interval, per step; empty: not known"),
                     field("high", &T::high, "of the interval"),
                     field("hardMin", &T::hard_min, "limit in force"),
                     field("hardMax", &T::hard_max, "limit in force"),
                     field("softMin", &T::soft_min, "limit in force"),
                     field("softMax", &T::soft_max, "limit in force"),
                     field("ref", &T::ref, "reference, or ideal resting value"),
                     field("rest", &T::rest, "where it should rest, where that was asked")};
  }
};

struct PlanView {
  double beat_sec = 1;
  std::vector<PlanTrace> mvs, cvs;
  std::vector<PlanTrace> earlier;  ///< CVs as the advice before this one had them
  double earlier_sec = 0;
  static constexpr auto fields() {
    using P = PlanView;
    return FieldList{field("beatSec", &P::beat_sec, "length of a step").unit("s"),
                     field("mvs", &P::mvs, "manipulated variables"),
                     field("cvs", &P::cvs, "controlled variables"),
                     field("earlier", &P::earlier, "CVs in the advice before this one"),
                     field("earlierSec", &P::earlier_sec, "that it was given earlier").unit("s")};
  }
};

/// The candidate that was advised. Without a recommendation, or without its candidate, no traces.
/// History: at most twice the horizon.
PlanView plan_view(const CardParts& parts);

}  // namespace flyball::advise
