#pragma once
// One line of a plant as one small file (docs/formats/plant-file.md): tags, products, recipes, runs
// and context segments. The objects are the records of plant/records.h, without what the file says
// once (the line) and what follows from the rest, and with times as texts.
#include <string>
#include <string_view>
#include <vector>

#include "plant/records.h"

namespace flyball::plant {

struct PlantFile {
  struct WithHistory {
    Recipe recipe;
    std::vector<RecipeVersion> versions;  ///< ascending; may be empty
  };
  Line line;
  std::vector<Tag> tags;
  std::vector<Product> products;
  std::vector<WithHistory> recipes;
  std::vector<Run> runs;
  std::vector<ContextSegment> segments;  ///< product, recipe and evidence are those of the run
};

/// Strict: throws JSON_INVALID, or PLANT_FILE_INVALID with every problem of its form: unknown and
/// missing fields, types, times without offset, names given twice. `source` names it.
PlantFile parse_plant_file(std::string_view text, std::string_view source);

/// What parse_plant_file() reads back to the same; what is as by default is left out.
Json plant_file_json(const PlantFile& file);

}  // namespace flyball::plant
