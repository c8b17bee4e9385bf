#pragma once
// What every implementation checks and does before it stores samples.
#include <span>
#include <string>
#include <vector>

#include "historian/historian.h"

namespace flyball::historian {

/// Throws NODE_LINE_MISMATCH when the tag is not one of the run's line.
void check_line(const plant::Run& run, const std::string& node_id);

/// Throws RUN_MISMATCH when `run` names another product or recipe than the run that is known.
void check_same_recipe(const plant::Run& known, const plant::Run& run);

/// The tag that an append creates: a number without unit.
plant::Tag plain_tag(const std::string& node_id);

/// The samples by time, of several at one time the last given. Sorts into `space` where needed; the
/// view is valid as long as both.
std::span<const Sample> in_order(std::span<const Sample> samples, std::vector<Sample>& space);

}  // namespace flyball::historian
