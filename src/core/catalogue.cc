#include "core/catalogue.h"

#include <algorithm>
#include <vector>

#include "core/catalogue_tables.h"

namespace flyball {

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> all = [] {
    std::vector<CatalogueEntry> entries;
    for (const auto& table :
         {catalogue_data(), catalogue_models(), catalogue_words(), catalogue_service(),
          catalogue_govern(), catalogue_serve(), catalogue_custody(), catalogue_optimise(),
          catalogue_advice(), catalogue_solver()}) {
      entries.insert(entries.end(), table.begin(), table.end());
    }
    return entries;
  }();
  return all;
}

const CatalogueEntry* find_entry(std::string_view code) {
  const auto all = catalogue();
  const auto it = std::ranges::find(all, code, &CatalogueEntry::code);
  return it == all.end() ? nullptr : &*it;
}

}  // namespace flyball
