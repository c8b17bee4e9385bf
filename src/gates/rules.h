#pragma once
// One function a gate. Each fills value, threshold, pass and reasons; judge() names and collects.
#include "gates/gates.h"

namespace flyball::gates {

/// What a gate sees.
struct Case {
  const GateInput& input;
  const Thresholds& limits;
  const evaluate::Metrics* metrics;  ///< null: there is no evaluation
};

Check one_step_error(const Case& c);                ///< G1
Check rollout_improvement(const Case& c);           ///< G2 of linear and polynomial models
Check rollout_error(const Case& c);                 ///< G2 of one-step networks and hybrids
Check generalisation(const Case& c);                ///< G3
Check coverage(const Case& c, bool parts_suffice);  ///< G4; parts may stand in for runs
Check artifact(const Case& c);                      ///< G5
Check stable(const Case& c);
Check informative(const Case& c);
Check sealed(const Case& c);
Check priors(const Case& c);

/// Adds a reason.
void say(Check& check, std::string code, std::vector<Param> params);

/// The number as a parameter; "none" in a text when absent.
double or_nan(const std::optional<double>& value);

const CvEvidence* find_cv(const GateInput& input, const std::string& id);

}  // namespace flyball::gates
