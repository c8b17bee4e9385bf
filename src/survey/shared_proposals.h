#pragma once
// Findings that tags share: a number for "no value", a beat, clocks, gaps.
#include <vector>

#include "plant/records.h"
#include "survey/proposal.h"
#include "survey/tag_facts.h"

namespace flyball::survey {

/// `facts` in the order of `tags`.
std::vector<Proposal> shared_proposals(const std::vector<plant::Tag>& tags,
                                       const std::vector<TagFacts>& facts);

}  // namespace flyball::survey
