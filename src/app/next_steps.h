#pragma once
// What to do after a study, in plain words, the most useful first.
#include <optional>
#include <vector>

#include "core/words.h"
#include "gates/gates.h"
#include "identify/findings.h"

namespace flyball::app {

/// From a refusal before the gates, the gates that failed, and what identification noticed.
std::vector<Words> next_steps(const std::optional<Error>& refusal, const gates::GateReport& gates,
                              const identify::Findings* findings);

}  // namespace flyball::app
