#pragma once
// The plant as people name it (ISA-95, ISA-88). Ids are the names the user gave (slugs).
#include <array>
#include <cstdint>
#include <map>
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
    return FieldList{
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

/// As it says, else MVs and digital tags are.
inline bool is_stepped(const Tag& tag, Role role) {
  return tag.stepped.value_or(role == Role::mv || tag.kind == TagKind::digital);
}

/// A batch or campaign; it owns its samples.
struct Run {
  std::string id;
  std::string line_id, product_id, recipe_id;
  TimeUs started_at = 0;
  std::optional<TimeUs> ended_at;
  EvidenceSource evidence = EvidenceSource::unassessed;
  static constexpr auto fields() {
    return FieldList{field("id", &Run::id, "name").required(),
                     field("lineId", &Run::line_id, "line").required(),
                     field("productId", &Run::product_id, "product").required(),
                     field("recipeId", &Run::recipe_id, "recipe").required(),
                     field("startedAt", &Run::started_at, "first sample").unit("us"),
                     field("endedAt", &Run::ended_at, "end, exclusive").unit("us"),
                     field("evidence", &Run::evidence, "where the samples come from")};
  }
};

/// One production line: tags, products, recipes and runs belong to it. Two lines never mix.
struct Line {
  std::string id;
  std::string description;
  static constexpr auto fields() {
    return FieldList{field("id", &Line::id, "name").required(),
                     field("description", &Line::description, "free text").max_length(500)};
  }
};

struct Range {
  std::optional<double> min, max;
  static constexpr auto fields() {
    return FieldList{field("min", &Range::min, "lowest allowed"),
                     field("max", &Range::max, "highest allowed")};
  }
};

/// Its name is unique within the line.
struct Product {
  std::string id;
  std::string line_id;
  std::string description;
  std::map<std::string, Range> limits;  ///< by tag: what any recipe of it must keep
  static constexpr auto fields() {
    using P = Product;
    return FieldList{field("id", &P::id, "name, unique within the line").required(),
                     field("lineId", &P::line_id, "line").required(),
                     field("description", &P::description, "free text").max_length(500),
                     field("limits", &P::limits, "by tag: what every recipe keeps")};
  }
};

struct RecipeParam {
  std::string tag;
  double value = 0;
  std::optional<double> min, max;
  static constexpr auto fields() {
    using P = RecipeParam;
    return FieldList{field("tag", &P::tag, "tag of the recipe's line").required(),
                     field("value", &P::value, "set value").required(),
                     field("min", &P::min, "lowest allowed in this recipe"),
                     field("max", &P::max, "highest allowed in this recipe")};
  }
};

/// How a product is made. Its name is unique within the product. Every change of the params is a
/// new version; old versions stay.
struct Recipe {
  std::string id;
  std::string product_id, line_id;
  std::string description;
  std::vector<RecipeParam> params;  ///< by tag
  std::int64_t version = 0;         ///< 1, 2, ...
  std::string content_hash;         ///< content_hash(params)
  static constexpr auto fields() {
    using R = Recipe;
    return FieldList{field("id", &R::id, "name, unique within the product").required(),
                     field("productId", &R::product_id, "product").required(),
                     field("lineId", &R::line_id, "line").required(),
                     field("description", &R::description, "free text").max_length(500),
                     field("params", &R::params, "set values"),
                     field("version", &R::version, "counts the changes of params"),
                     field("contentHash", &R::content_hash, "sha256 over the params")};
  }
};

struct RecipeVersion {
  std::int64_t version = 0;
  std::vector<RecipeParam> params;
  std::string content_hash;
  TimeUs created_at = 0;  ///< it is in force from here on; the first one also before
  std::string by, reason;
  static constexpr auto fields() {
    using V = RecipeVersion;
    return FieldList{field("version", &V::version, "number"),
                     field("params", &V::params, "set values"),
                     field("contentHash", &V::content_hash, "sha256 over the params"),
                     field("createdAt", &V::created_at, "in force from here on").unit("us"),
                     field("by", &V::by, "who made it"),
                     field("reason", &V::reason, "why")};
  }
};

enum class SegmentStatus { draft, confirmed, rejected };
constexpr auto enum_names(SegmentStatus) {
  return std::array<std::string_view, 3>{"draft", "confirmed", "rejected"};
}

/// An interval of a run during which the recipe's version and content are known. It is proposed as
/// a draft and counts when a person has confirmed it.
struct ContextSegment {
  std::string id;
  std::string line_id, run_id, product_id, recipe_id;
  std::int64_t recipe_version = 0;
  std::string recipe_content_hash;
  std::string condition_id;
  TimeUs from = 0, to = 0;  ///< [from, to)
  SegmentStatus status = SegmentStatus::draft;
  std::optional<std::string> confirmed_by, rejected_by;
  std::optional<TimeUs> confirmed_at, rejected_at;
  std::string reason;  ///< of the last decision
  EvidenceSource evidence = EvidenceSource::unassessed;
  static constexpr auto fields() {
    using S = ContextSegment;
    return FieldList{field("segmentId", &S::id, "seg-..., from line, run and times").required(),
                     field("lineId", &S::line_id, "line").required(),
                     field("runId", &S::run_id, "run").required(),
                     field("productId", &S::product_id, "product").required(),
                     field("recipeId", &S::recipe_id, "recipe").required(),
                     field("recipeVersion", &S::recipe_version, "version of the recipe"),
                     field("recipeContentHash", &S::recipe_content_hash, "of that version"),
                     field("conditionId", &S::condition_id, "operating condition, free name"),
                     field("from", &S::from, "begin").unit("us"),
                     field("to", &S::to, "end, exclusive").unit("us"),
                     field("status", &S::status, "draft, confirmed or rejected"),
                     field("confirmedBy", &S::confirmed_by, "person"),
                     field("rejectedBy", &S::rejected_by, "person"),
                     field("confirmedAt", &S::confirmed_at, "when").unit("us"),
                     field("rejectedAt", &S::rejected_at, "when").unit("us"),
                     field("reason", &S::reason, "of the last decision"),
                     field("evidenceSource", &S::evidence, "where the samples come from")};
  }
};

/// What a person says of a stretch of a line's history: bad: not to be used; steady: at an
/// operating point; batch: one batch, what lies between batches is no production.
enum class MarkKind { bad, steady, batch };
constexpr auto enum_names(MarkKind) {
  return std::array<std::string_view, 3>{"bad", "steady", "batch"};
}

/// A stretch that a person marked. Datasets built later follow it; those that exist do not change.
struct Mark {
  std::string id;
  std::string line_id;
  std::string tag;  ///< of a bad stretch: only this tag; empty: all
  MarkKind kind = MarkKind::bad;
  TimeUs from = 0, to = 0;  ///< [from, to)
  std::string by, reason;
  TimeUs at = 0;
  static constexpr auto fields() {
    using M = Mark;
    return FieldList{field("id", &M::id, "mark-...").required(),
                     field("lineId", &M::line_id, "line").required(),
                     field("tag", &M::tag, "only this tag; empty: all of the line"),
                     field("kind", &M::kind, "bad, steady or batch"),
                     field("from", &M::from, "begin").unit("us"),
                     field("to", &M::to, "end, exclusive").unit("us"),
                     field("by", &M::by, "who marked it"),
                     field("reason", &M::reason, "why"),
                     field("at", &M::at, "when it was marked").unit("us")};
  }
};

}  // namespace flyball::plant
