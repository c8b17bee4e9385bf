#pragma once
// The limits of the gates. Each is a live setting `gates.<name>`; a report keeps the values it
// used.
#include <map>
#include <string>
#include <string_view>

#include "core/record.h"

namespace flyball::gates {

struct Thresholds {
  double nrmse = 0.10;
  double rollout_improvement = 0.20;
  double rollout_nrmse = 0.25;
  double val_test_gap = 0.20;
  double val_floor = 0.05;
  std::int64_t min_rows = 500;
  std::int64_t min_runs = 3;
  double max_excursion = 10;
  double min_fit = 0;
  double noise_margin = 0.20;

  static constexpr auto fields() {
    using T = Thresholds;
    return FieldList{
        field("nrmse", &T::nrmse, "G1: largest one-step test NRMSE").range(0.001, 1),
        field("rolloutImprovement", &T::rollout_improvement,
              "G2: least improvement of the rollout over holding the last value")
            .range(0, 1),
        field("rolloutNrmse", &T::rollout_nrmse,
              "G2 of one-step networks and hybrids: largest rollout NRMSE")
            .range(0.001, 10),
        field("valTestGap", &T::val_test_gap, "G3: largest |test - val| / max(valFloor, val)")
            .range(0.01, 5),
        field("valFloor", &T::val_floor, "G3: val errors below this count as this").range(1e-9, 1),
        field("minRows", &T::min_rows, "G4: fewest unique usable steps")
            .range(50, 1e9)
            .unit("steps"),
        field("minRuns", &T::min_runs, "G4: fewest runs, unless train, val and test all hold steps")
            .range(1, 10000)
            .unit("runs"),
        field("maxExcursion", &T::max_excursion,
              "stable: largest distance from the train mean, in train ranges")
            .range(1, 1000),
        field("minFit", &T::min_fit,
              "stable: least free-run fit on test; of the change over F steps for a level")
            .range(-100, 100)
            .unit("%"),
        field("noiseMargin", &T::noise_margin,
              "G1: a refusal this close to the noise floor is called noise")
            .range(0, 1)};
  }
};

/// The thresholds of a named policy: "flyball@1" (the defaults) or "mission@1" (valFloor 1e-9).
/// Throws POLICY_UNKNOWN.
Thresholds policy(std::string_view name);

/// Where the values come from. A name that is absent from `sources` stands at its default.
struct Provenance {
  std::string policy = "flyball@1";
  std::int64_t settings_version = 0;
  std::map<std::string, std::string>
      sources;  ///< by field name: setting, line, environment, override
  std::map<std::string, std::string> reasons;  ///< by field name: why it was loosened
};

}  // namespace flyball::gates
