#pragma once
// One transaction of the embedded store.
#include <memory>

#include "historian/historian.h"

namespace flyball::historian {

class EmbeddedStore;

/// Throws DATABASE_BUSY when another writer does not end within the store's patience.
std::unique_ptr<Writer> begin_writer(EmbeddedStore& store);

}  // namespace flyball::historian
