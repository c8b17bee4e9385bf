#pragma once
// The tables of flyball.db, as an append-only list of migrations.
#include <span>

#include "store/migrations.h"

namespace flyball::registry {

std::span<const store::Migration> migrations();
/// Stages, leases and shadow; the number is given by who lists the migrations of the file.
store::Migration stage_migration(int number);
/// What retention has forgotten.
store::Migration keeping_migration(int number);
/// Models judged on other datasets.
store::Migration evaluation_migration(int number);
/// Training plans.
store::Migration plan_migration(int number);

}  // namespace flyball::registry
