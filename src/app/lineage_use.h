#pragma once
// What the plant records say of the runs of a recipe, as the dataset builder takes it.
#include "dataset/lineage.h"
#include "plant/plant_store.h"

namespace flyball::app {

/// The newest version of the recipe and the context segments of its runs; empty when the recipe is
/// not known.
dataset::LineageInput lineage_of(const plant::PlantStore& store, const plant::RecipeKey& key);

}  // namespace flyball::app
