#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "core/json.h"
#include "registry/registry.h"

namespace flyball::app {

/// Of a model's interval, per CV in model units; empty when it has none.
inline std::vector<double> half_width(const registry::Registry& registry,
                                      const registry::ModelRow& row) {
  const Json uq = parse_json(registry.model_file(row, "uq.json"), "uq.json");
  if (!uq["uq"].is_object()) return {};
  return uq["uq"]["qhatPerCv"].get<std::vector<double>>();
}

}  // namespace flyball::app
