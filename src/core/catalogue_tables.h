#pragma once
// The catalogue's tables, one file for each part of the product.
#include "core/catalogue.h"

namespace flyball {

std::span<const CatalogueEntry> catalogue_advice();
std::span<const CatalogueEntry> catalogue_custody();
std::span<const CatalogueEntry> catalogue_data();
std::span<const CatalogueEntry> catalogue_govern();
std::span<const CatalogueEntry> catalogue_models();
std::span<const CatalogueEntry> catalogue_optimise();
std::span<const CatalogueEntry> catalogue_serve();
std::span<const CatalogueEntry> catalogue_words();
std::span<const CatalogueEntry> catalogue_service();
std::span<const CatalogueEntry> catalogue_solver();

}  // namespace flyball
