#pragma once
// What the engineer knows before the data speak: sign or range of a gain, no gain, bounds on a dead
// time or time constant of a pair.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"

namespace flyball::identify {

enum class PriorQuantity { gain, dead_time, time_constant };
constexpr auto enum_names(PriorQuantity) {
  return std::array<std::string_view, 3>{"gain", "deadTime", "timeConstant"};
}

/// A closed range; an open end is one that the bound itself does not satisfy ("gain>0").
struct Prior {
  std::string input, cv;
  PriorQuantity quantity = PriorQuantity::gain;
  std::optional<double> low, high;  ///< gain: model units; times: seconds
  bool low_open = false, high_open = false;
  std::string text;  ///< as it was stated

  [[nodiscard]] bool zero_gain() const {
    return quantity == PriorQuantity::gain && low && high && *low == 0 && *high == 0;
  }
  [[nodiscard]] bool holds(double value) const;
  /// Whether any value of [from, to] holds.
  [[nodiscard]] bool overlaps(double from, double to) const;
};

/// "INPUT->CV gain>0", "gain=0", "gain 0.5..2", "deadTime 10s..60s", "timeConstant<5min"; blanks
/// around -> and the relation are free. Names are those of the study, so they may hold any
/// character. Adds PRIOR_UNREADABLE, PRIOR_NAME_UNKNOWN (with the nearest name) or
/// PRIOR_EMPTY (low above high, a negative time) at /prior/<index>, and per pair and quantity
/// PRIOR_CONTRADICTION where two cannot hold together.
std::vector<Prior> parse_priors(const std::vector<std::string>& texts,
                                const std::vector<std::string>& inputs,
                                const std::vector<std::string>& cvs,
                                std::vector<Problem>& problems);

enum class PriorStatus { held, imposed, removed, no_answer, violated, impossible };
constexpr auto enum_names(PriorStatus) {
  return std::array<std::string_view, 6>{"held",     "imposed",  "removed",
                                         "noAnswer", "violated", "impossible"};
}

/// What became of a prior. Estimate and 95 % range are those of the data alone; times in seconds.
struct PriorCheck {
  std::string input, cv, prior;
  PriorQuantity quantity = PriorQuantity::gain;
  PriorStatus status = PriorStatus::held;
  std::optional<double> estimate, low, high;
  static constexpr auto fields() {
    using S = PriorCheck;
    return FieldList{
        field("input", &S::input, "MV or DV"),
        field("cv", &S::cv, "controlled variable"),
        field("prior", &S::prior, "as it was stated"),
        field("quantity", &S::quantity, "what it bounds"),
        field("status", &S::status,
              "held; imposed: the fit was held to it; removed: the pair was taken out; noAnswer: "
              "the CV does not answer; violated: the 95 % range overlaps it, the model is outside; "
              "impossible: the 95 % range lies outside"),
        field("estimate", &S::estimate, "of the data alone; null: none").nullable(),
        field("low", &S::low, "95 % range").nullable(),
        field("high", &S::high, "95 % range").nullable()};
  }
};

}  // namespace flyball::identify
