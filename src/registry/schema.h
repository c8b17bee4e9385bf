#pragma once
// The tables of flyball.db, as an append-only list of migrations.
#include <span>

#include "store/migrations.h"

namespace flyball::registry {

std::span<const store::Migration> migrations();

}  // namespace flyball::registry
