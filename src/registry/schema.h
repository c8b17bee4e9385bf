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
/// The figures that a list of experiments says, beside metrics and gates that have them.
store::Migration figures_migration(int number);

/// What sets them from metrics and gates, as it stands after SET.
inline constexpr std::string_view kFigures =
    "one_step = json_extract(metrics_json, '$.oneStepTest.nrmse'), "
    "rollout = json_extract(metrics_json, '$.rolloutNrmse'), "
    "better = json_extract(metrics_json, '$.rolloutImprovement'), "
    "failed_gates_json = (SELECT json_group_array(json_extract(value, '$.id')) "
    "FROM json_each(gates_json, '$.checks') WHERE NOT json_extract(value, '$.pass'))";

}  // namespace flyball::registry
