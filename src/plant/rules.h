#pragma once
// What must hold of a record by itself and beside the others of its line. Every rule that is broken
// becomes a problem at a JSON Pointer below `at`.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "plant/records.h"

namespace flyball::plant {

/// sha256 of the canonical JSON of the params in the order of their tags.
std::string content_hash(std::vector<RecipeParam> params);

/// A name that may stand (TAG_NAME_INVALID), min <= max (RANGE_EMPTY), resolution > 0
/// (RESOLUTION_INVALID), states of digital tags only (STATES_UNEXPECTED), a mode tag that is
/// another, digital tag of the line (MODE_TAG_UNFIT). `tags`: those of the line.
void check(const Tag& tag, std::span<const Tag> tags, const std::string& at,
           std::vector<Problem>& problems);

/// Limits of tags of the line (NODE_LINE_MISMATCH) with min <= max.
void check(const Product& product, std::span<const Tag> tags, const std::string& at,
           std::vector<Problem>& problems);

/// Each param is of a tag of the line, once (NAME_TWICE), and its value is within the limits of the
/// param, the product and the tag (RECIPE_LIMIT).
void check(const Recipe& recipe, const Product& product, std::span<const Tag> tags,
           const std::string& at, std::vector<Problem>& problems);

/// Says when the unit of a tag is not one that can be converted (TAG_UNIT_UNKNOWN): it may stand,
/// but only as text.
std::optional<Message> unit_note(const Tag& tag);

}  // namespace flyball::plant
