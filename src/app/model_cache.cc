#include "app/model_cache.h"

#include <algorithm>

namespace flyball::app {

std::shared_ptr<const ReadyModel> ModelCache::get(const registry::Registry& registry,
                                                  const registry::ModelRow& row) {
  const auto known = std::ranges::find_if(
      entries_, [&](const Entry& e) { return e.id == row.id && e.hash == row.artifact_hash; });
  if (known != entries_.end()) {
    std::rotate(known, known + 1, entries_.end());
    return entries_.back().ready;
  }
  auto ready = std::make_shared<const ReadyModel>(
      ReadyModel{evaluate::load_model(row.artifact_kind, registry.model_file(row, "model.json")),
                 parse_json(registry.model_file(row, "uq.json"), "uq.json")});
  if (entries_.size() >= capacity_) entries_.erase(entries_.begin());
  entries_.push_back({row.id, row.artifact_hash, ready});
  return ready;
}

}  // namespace flyball::app
