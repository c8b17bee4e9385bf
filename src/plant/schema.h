#pragma once
// Lines, products, recipes with their versions, and context segments as tables of flyball.db. Tags
// and runs are in the historian, where they are atomic with their samples.
#include "store/migrations.h"

namespace flyball::plant {

/// The number is given by who lists the migrations of the file.
store::Migration migration(int number);
store::Migration mark_migration(int number);
store::Migration spec_migration(int number);

}  // namespace flyball::plant
