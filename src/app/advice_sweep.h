#pragma once
// Whether open advice still holds.
#include "advise/ledger.h"
#include "plant/plant_store.h"
#include "registry/registry.h"

namespace flyball::app {

/// What advice stands on.
struct AdviceRooms {
  advise::Ledger& ledger;
  registry::Registry& registry;
  plant::PlantStore& plant;
  bool writable = false;
};

/// Why open advice no longer holds; none: it does.
std::optional<advise::ExpiryCause> why_expired(const AdviceRooms& rooms,
                                               const advise::Recommendation& rec, TimeUs now);

/// The record as it is at `now`: what no longer holds is expired, and kept so where this process
/// may write.
void look_again(const AdviceRooms& rooms, advise::Recommendation& rec, TimeUs now);

}  // namespace flyball::app
