#pragma once
// What the audit trail says of a retention run.
#include <nlohmann/json.hpp>

#include "custody/retention.h"

namespace flyball::app {

inline Json retention_summary(const custody::RetentionRun& run) {
  Json ids = Json::array();
  for (const custody::Removal& r : run.removed) ids.push_back(r.what + "/" + r.id);
  return {{"removed", ids}, {"bytes", run.bytes}, {"dryRun", run.dry_run}};
}

}  // namespace flyball::app
