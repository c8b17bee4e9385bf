#pragma once
// The plant as people name it (ISA-95, ISA-88). Ids are the names the user gave (slugs).
#include <cstdint>
#include <optional>
#include <string>

#include "core/record.h"
#include "core/time.h"

namespace flyball::plant {

enum class EvidenceSource { unassessed, real, simulation };
constexpr auto enum_names(EvidenceSource) {
  return std::array<std::string_view, 3>{"unassessed", "real", "simulation"};
}

/// One physical channel of a line. Its nodeId is LINE/TAG.
struct Tag {
  std::string name;
  std::string line_id;
  std::string unit;
  bool stepped = false;  ///< held between samples instead of sloped
  std::optional<double> min, max;
  static constexpr auto fields() {
    return std::tuple{
        field("name", &Tag::name, "unique within the line, case-sensitive").required(),
        field("lineId", &Tag::line_id, "line").required(),
        field("unit", &Tag::unit, "unit of the samples"),
        field("stepped", &Tag::stepped, "held between samples"),
        field("min", &Tag::min, "lowest value that is believed"),
        field("max", &Tag::max, "highest value that is believed")};
  }
  [[nodiscard]] std::string node_id() const { return line_id + "/" + name; }
};

/// A batch or campaign; it owns its samples.
struct Run {
  std::string id;
  std::string line_id, product_id, recipe_id;
  TimeUs started_at = 0;
  std::optional<TimeUs> ended_at;
  EvidenceSource evidence = EvidenceSource::unassessed;
  static constexpr auto fields() {
    return std::tuple{field("id", &Run::id, "name").required(),
                      field("lineId", &Run::line_id, "line").required(),
                      field("productId", &Run::product_id, "product").required(),
                      field("recipeId", &Run::recipe_id, "recipe").required(),
                      field("startedAt", &Run::started_at, "first sample").unit("us"),
                      field("endedAt", &Run::ended_at, "end, exclusive").unit("us"),
                      field("evidence", &Run::evidence, "where the samples come from")};
  }
};

}  // namespace flyball::plant
