#pragma once
// People, tokens, approvals and the audit trail as tables of flyball.db; it stands on those of
// plant/schema.h.
#include "store/migrations.h"

namespace flyball::govern {

/// The number is given by who lists the migrations of the file.
store::Migration migration(int number);
/// What was begun and not yet written into the trail.
store::Migration intent_migration(int number);

}  // namespace flyball::govern
