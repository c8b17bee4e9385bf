#pragma once
// Jobs and their attempts as tables of flyball.db.
#include "store/migrations.h"

namespace flyball::jobs {

/// The number is given by who lists the migrations of the file.
store::Migration migration(int number);
store::Migration notice_migration(int number);

}  // namespace flyball::jobs
