#pragma once
// From a plant file to records, and back.
#include "app/plant_use.h"
#include "plant/plant_file.h"

namespace flyball::app {

/// Creates and changes what the file says; what it does not name stays. Tags are replaced as a
/// whole. Nothing is changed when anything is refused: throws PLANT_FILE_INVALID with every
/// problem at its place in the file. With dry_run nothing is changed either, the answer is the
/// same.
PlantApplyResponse apply_plant(const Plant& plant, const plant::PlantFile& file,
                               const plant::Author& author, bool dry_run);

/// Everything that is known of a line. Throws NAME_MISSING.
plant::PlantFile read_plant(const Plant& plant, const std::string& line);

}  // namespace flyball::app
