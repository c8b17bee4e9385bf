#include "app/lineage_use.h"

namespace flyball::app {
namespace {

dataset::ContextStatus status_of(plant::SegmentStatus status) {
  switch (status) {
    case plant::SegmentStatus::confirmed:
      return dataset::ContextStatus::confirmed;
    case plant::SegmentStatus::rejected:
      return dataset::ContextStatus::rejected;
    case plant::SegmentStatus::draft:
      break;
  }
  return dataset::ContextStatus::draft;
}

}  // namespace

dataset::LineageInput lineage_of(const plant::PlantStore& store, const plant::RecipeKey& key) {
  dataset::LineageInput out;
  const auto recipe = store.find_recipe(key);
  if (!recipe) return out;
  out.recipe_version = recipe->version;
  out.recipe_content_hash = recipe->content_hash;
  for (const plant::ContextSegment& s : store.segments({.line_id = key.line_id})) {
    if (s.product_id != key.product_id || s.recipe_id != key.id) continue;
    out.confirmed.push_back({s.run_id,
                             s.id,
                             s.recipe_version,
                             s.recipe_content_hash,
                             {s.from, s.to},
                             status_of(s.status)});
  }
  return out;
}

}  // namespace flyball::app
