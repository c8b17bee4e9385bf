#pragma once
#include "store/migrations.h"

namespace flyball::advise {

/// Tables of the ledger of advice.
store::Migration migration(int number);

/// Who answers a question, and until when.
store::Migration run_migration(int number);

}  // namespace flyball::advise
