#pragma once
// The problem that a profile asks about the plant as it is now: settings and samples in the units
// of the tags become model units (value = source·scale + offset, differences by |scale| only).
#include <map>

#include "advise/context.h"
#include "advise/eligibility.h"

namespace flyball::advise {

/// From the tag's unit to the model's.
struct UnitMap {
  double scale = 1, offset = 0;
  [[nodiscard]] double value(double source) const { return source * scale + offset; }
  [[nodiscard]] double difference(double source) const {
    return source * (scale < 0 ? -scale : scale);
  }
  [[nodiscard]] double source(double model) const { return (model - offset) / scale; }
};

struct ProblemParts {
  const Profile& profile;
  const ModelFacts& model;
  const ContextSnapshot& context;
  std::map<std::string, UnitMap> units;       ///< by variable; absent: as it is
  std::vector<std::string> integrating;       ///< CVs that are levels
  std::vector<optimise::HistoryRow> history;  ///< model units, MVs and DVs as in the model, CVs
  std::map<std::string, std::vector<double>> forecasts;  ///< by DV, the tag's unit, P values
  std::map<std::string, std::string> unit_names;         ///< by variable, for words
};

/// MVs of the model that the profile does not move, and those in manual, are held where they are;
/// CVs that it does not name have weight 0. The margin of a CV is its band per step, where the
/// evidence has one for the whole horizon. Throws LIMIT_MISSING (an MV without a limit from
/// anybody), LIMITS_EMPTY, ADVICE_INPUT_MISSING (the newest row lacks an MV or DV), and what
/// optimise::check() throws.
optimise::ProblemIr problem_of(const ProblemParts& parts);

}  // namespace flyball::advise
