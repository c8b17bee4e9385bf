#pragma once
// Every change of the schema of flyball.db, in order.
#include <vector>

#include "store/migrations.h"

namespace flyball::app {

std::vector<store::Migration> migrations();

}  // namespace flyball::app
