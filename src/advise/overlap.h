#pragma once
// Two bindings that are both in force on a line. What one of them moves is the other's neither to
// move nor to steer: their advice could be opposite. Nodes are compared, not names of variables.
#include "advise/profile.h"
#include "core/words.h"

namespace flyball::advise {

struct InForce {
  Binding binding;
  Profile profile;
};

/// A node that both would decide on: MV of both, or MV of one and CV of the other. `asks` is the
/// one that is to come into force, `holds` the one that is. None: they go together.
std::optional<Message> conflict(const InForce& asks, const InForce& holds);

/// CVs of both: each takes the other's moves for a disturbance.
std::vector<Message> shared_cvs(const InForce& asks, const InForce& holds);

}  // namespace flyball::advise
