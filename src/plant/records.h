#pragma once
// The plant as people name it (ISA-95, ISA-88). Ids are the names the user gave (slugs).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"

namespace flyball::plant {

enum class EvidenceSource { unassessed, real, simulation };
constexpr auto enum_names(EvidenceSource) {
  return std::array<std::string_view, 3>{"unassessed", "real", "simulation"};
}

/// What a tag is to the control of its line.
enum class Role { mv, cv, dv };
constexpr auto enum_names(Role) {
  return std::array<std::string_view, 3>{"mv", "cv", "dv"};
}

/// digital: the samples are codes, whose texts stand in `states`.
enum class TagKind { number, digital };
constexpr auto enum_names(TagKind) {
  return std::array<std::string_view, 2>{"number", "digital"};
}

/// One physical channel of a line. Its nodeId is LINE/TAG.
struct Tag {
  std::string name;
  std::string line_id;
  std::string unit;
  TagKind kind = TagKind::number;
  std::vector<std::string> states;  ///< of a digital tag: the text of code 0, 1, ...
  std::optional<Role> role;
  std::optional<bool> stepped;  ///< held between samples; absent: MVs and digital tags are
  std::optional<double> min, max;
  std::optional<double> resolution;
  std::optional<std::string> mode_tag;  ///< short name of the digital tag of its loop's mode
  std::string description;
  static constexpr auto fields() {
    return std::tuple{
        field("name", &Tag::name, "unique within the line, case-sensitive").required(),
        field("lineId", &Tag::line_id, "line").required(),
        field("unit", &Tag::unit, "unit of the samples"),
        field("kind", &Tag::kind, "number, or digital: codes with texts"),
        field("states", &Tag::states, "of a digital tag: the text of code 0, 1, ..."),
        field("role", &Tag::role, "usual role: manipulated, controlled or disturbance variable"),
        field("stepped", &Tag::stepped,
              "held between samples; default: MVs and digital tags are held, others sloped"),
        field("min", &Tag::min, "lowest value that is believed"),
        field("max", &Tag::max, "highest value that is believed"),
        field("resolution", &Tag::resolution, "quantum of the sensor"),
        field("modeTag", &Tag::mode_tag, "digital tag that holds the mode of its loop"),
        field("description", &Tag::description, "free text").max_length(500)};
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
