#pragma once
// Whether open advice still holds.
#include "advise/ledger.h"
#include "govern/users.h"
#include "historian/historian.h"
#include "plant/plant_store.h"
#include "registry/registry.h"

namespace flyball::app {

/// What advice stands on.
struct AdviceRooms {
  advise::Ledger& ledger;
  registry::Registry& registry;
  plant::PlantStore& plant;
  const govern::Users& users;
  const historian::Historian& historian;
  bool writable = false;
};

/// Why open advice no longer holds; none: it does. In this order: its time is over; the binding is
/// not as it was; its profile is not in force; its model is gone, another artifact or no longer
/// shadow or production; the recipe is another; the line runs another run than the one that was
/// asked about; its confirmed operating condition is another; who put the binding in force, or
/// accepted the advice, may no longer operate the line. (Newer advice ends older when it is
/// stored.)
std::optional<advise::ExpiryCause> why_expired(const AdviceRooms& rooms,
                                               const advise::Recommendation& rec, TimeUs now);

/// The record as it is at `now`: what no longer holds is expired, and kept so where this process
/// may write.
void look_again(const AdviceRooms& rooms, advise::Recommendation& rec, TimeUs now);

/// The question as it is at `now`: what nobody answers any more is an error, and kept so where this
/// process may write.
void look_again(advise::Ledger& ledger, bool writable, advise::AdviceRun& run, TimeUs now);

}  // namespace flyball::app
