#pragma once
// A model goes into production when a second person approves what the digest names.
#include <string_view>

#include "govern/approvals.h"
#include "registry/registry.h"
#include "registry/stages.h"

namespace flyball::app {

inline constexpr std::string_view kPromotion = "models.promote";

/// sha256 over the model, its dataset and every file of it (the gate report is one of them).
std::string promotion_digest(registry::Registry& registry, const registry::ModelRow& model);

/// Part of the transaction of the decision: the model is loaded once more, then moved. Throws what
/// loading and moving throw; then nothing is decided.
void carry_out_promotion(registry::Registry& registry, registry::Stages& stages,
                         const govern::Approval& approval, TimeUs now);

}  // namespace flyball::app
