#pragma once
// From the facts of the tags of a line to what a person should look at.
#include <vector>

#include "plant/records.h"
#include "survey/proposal.h"
#include "survey/tag_facts.h"

namespace flyball::survey {

/// Declared to be held between samples: stepped, an MV, or digital.
bool is_declared_stepped(const plant::Tag& tag);

/// Findings that several tags share first, then tag by tag. `facts` in the order of `tags`.
std::vector<Proposal> tag_proposals(const std::vector<plant::Tag>& tags,
                                    const std::vector<TagFacts>& facts);

}  // namespace flyball::survey
