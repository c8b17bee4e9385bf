#pragma once
// spec.json and manifest.json of the reference system, keys in the order of platform.md §2.4.3.
#include "dataset/v1_build.h"

namespace flyball::dataset {

std::string v1_spec_text(const Spec& spec);
std::string v1_manifest_text(const V1Dataset& dataset);

/// Windows of a part.
std::int64_t v1_windows(const V1Dataset& dataset, Part part);

}  // namespace flyball::dataset
