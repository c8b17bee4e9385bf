#pragma once
// Requests and responses of lines, products, recipes, tags, runs and context segments.
#include <optional>
#include <string>
#include <vector>

#include "app/dataset_requests.h"
#include "app/requests.h"
#include "plant/plant_store.h"

namespace flyball::app {

struct LineAddRequest {
  std::string id, description;
  static constexpr auto fields() {
    using R = LineAddRequest;
    return FieldList{field("id", &R::id, "its name").required().positional(),
                      field("description", &R::description, "free text").max_length(500)};
  }
};

/// A list of what belongs to a line.
struct LineListRequest {
  std::optional<std::string> line;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using R = LineListRequest;
    return FieldList{field("line", &R::line, "of this line; default: of all"),
                      field("limit", &R::limit, "items a page").range(1, 1000),
                      field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct ProductAddRequest {
  std::string id, line = "default", description;
  static constexpr auto fields() {
    using R = ProductAddRequest;
    return FieldList{field("id", &R::id, "its name").required().positional(),
                      field("line", &R::line, "line"),
                      field("description", &R::description, "free text").max_length(500)};
  }
};

struct RecipeRequest {
  std::string id, line = "default";
  std::optional<std::string> product;
  static constexpr auto fields() {
    using R = RecipeRequest;
    return FieldList{
        field("id", &R::id, "its name").required().positional(), field("line", &R::line, "line"),
        field("product", &R::product, "product; needed when several have a recipe of this name")};
  }
};

struct RecipeResponse {
  plant::Recipe recipe;
  std::vector<plant::RecipeVersion> versions;
  static constexpr auto fields() {
    using R = RecipeResponse;
    return FieldList{field("recipe", &R::recipe, "as it is now"),
                      field("versions", &R::versions, "every version, oldest first")};
  }
};

struct RecipeAddRequest {
  std::string id, line = "default", product = "default", description;
  std::vector<std::string> param;
  std::optional<std::string> by;
  std::string reason;
  static constexpr auto fields() {
    using R = RecipeAddRequest;
    return FieldList{field("id", &R::id, "its name").required().positional(),
                      field("line", &R::line, "line"),
                      field("product", &R::product, "product"),
                      field("description", &R::description, "free text").max_length(500),
                      field("param", &R::param, "TAG=VALUE or TAG=VALUE:MIN:MAX; repeat for more"),
                      field("by", &R::by, "who makes it; default: the user of the system"),
                      field("reason", &R::reason, "why").max_length(500)};
  }
};

struct RecipeSetRequest {
  std::string id, line = "default";
  std::optional<std::string> product, description;
  std::vector<std::string> param, drop;
  std::optional<std::string> by;
  std::string reason;
  static constexpr auto fields() {
    using R = RecipeSetRequest;
    return FieldList{
        field("id", &R::id, "its name").required().positional(),
        field("line", &R::line, "line"),
        field("product", &R::product, "product; needed when several have a recipe of this name"),
        field("description", &R::description, "free text").max_length(500),
        field("param", &R::param, "TAG=VALUE or TAG=VALUE:MIN:MAX; repeat for more"),
        field("drop", &R::drop, "tag whose param is taken out; repeat for more"),
        field("by", &R::by, "who changes it; default: the user of the system"),
        field("reason", &R::reason, "why").max_length(500)};
  }
};

struct ProductDeleteRequest {
  std::string id, line = "default";
  bool dry_run = false;
  static constexpr auto fields() {
    using R = ProductDeleteRequest;
    return FieldList{field("id", &R::id, "its name").required().positional(),
                      field("line", &R::line, "line"),
                      field("dryRun", &R::dry_run, "say what would be deleted")};
  }
};

struct RecipeDeleteRequest {
  std::string id, line = "default";
  std::optional<std::string> product;
  bool dry_run = false;
  static constexpr auto fields() {
    using R = RecipeDeleteRequest;
    return FieldList{
        field("id", &R::id, "its name").required().positional(), field("line", &R::line, "line"),
        field("product", &R::product, "product; needed when several have a recipe of this name"),
        field("dryRun", &R::dry_run, "say what would be deleted")};
  }
};

struct TagRequest {
  std::string name, line = "default";
  static constexpr auto fields() {
    return FieldList{field("name", &TagRequest::name, "its name").required().positional(),
                      field("line", &TagRequest::line, "line")};
  }
};

/// How a tag goes from sample to sample.
enum class Shape { stepped, sloped };
constexpr auto enum_names(Shape) {
  return std::array<std::string_view, 2>{"stepped", "sloped"};
}

struct TagSetRequest {
  std::string name, line = "default";
  std::optional<std::string> unit;
  std::optional<plant::TagKind> kind;
  std::optional<std::vector<std::string>> states;
  std::optional<plant::Role> role;
  std::optional<Shape> shape;
  std::optional<double> min, max, resolution;
  std::optional<std::string> mode_tag, description;
  std::vector<std::string> clear;
  bool correct_unit = false;
  static constexpr auto fields() {
    using T = TagSetRequest;
    return FieldList{
        field("name", &T::name, "its name; created when it is new").required().positional(),
        field("line", &T::line, "line"),
        field("unit", &T::unit, "unit of the samples"),
        field("kind", &T::kind, "number, or digital: codes with texts"),
        field("states", &T::states, "text of code 0, 1, ... of a digital tag; repeat for more"),
        field("role", &T::role, "usual role"),
        field("shape", &T::shape, "held between samples, or moving"),
        field("min", &T::min, "lowest value that is believed"),
        field("max", &T::max, "highest value that is believed"),
        field("resolution", &T::resolution, "quantum of the sensor"),
        field("modeTag", &T::mode_tag, "digital tag that holds the mode of its loop"),
        field("description", &T::description, "free text").max_length(500),
        field("clear", &T::clear, "field to take back, such as min; repeat for more"),
        field("correctUnit", &T::correct_unit,
              "the unit was declared wrongly: stored samples keep their numbers")};
  }
};

struct TagResponse {
  plant::Tag tag;
  std::string node_id;
  std::optional<TimeUs> newest_at;
  std::vector<std::string> notes;
  static constexpr auto fields() {
    using T = TagResponse;
    return FieldList{field("tag", &T::tag, "as it is now"),
                      field("nodeId", &T::node_id, "LINE/TAG"),
                      field("newestAt", &T::newest_at, "newest sample").unit("us"),
                      field("notes", &T::notes, "what to look at")};
  }
};

struct RunListRequest {
  std::optional<std::string> line, product, recipe;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using R = RunListRequest;
    return FieldList{field("line", &R::line, "of this line; default: of all"),
                      field("product", &R::product, "of this product"),
                      field("recipe", &R::recipe, "of this recipe"),
                      field("limit", &R::limit, "items a page").range(1, 1000),
                      field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct RunRequest {
  std::string id, line = "default";
  static constexpr auto fields() {
    return FieldList{field("id", &RunRequest::id, "its name").required().positional(),
                      field("line", &RunRequest::line, "line")};
  }
};

struct RunAddRequest {
  std::string id, line = "default";
  std::optional<std::string> product;
  std::string recipe = "default";
  TimeUs start = 0;
  std::optional<TimeUs> end;
  plant::EvidenceSource evidence = plant::EvidenceSource::unassessed;
  static constexpr auto fields() {
    using R = RunAddRequest;
    return FieldList{
        field("id", &R::id, "its name").required().positional(),
        field("line", &R::line, "line"),
        field("product", &R::product, "product; needed when several have a recipe of this name"),
        field("recipe", &R::recipe, "recipe that is run"),
        field("start", &R::start, "when it began").unit("us").required(),
        field("end", &R::end, "when it ended; absent: it is running").unit("us"),
        field("evidence", &R::evidence, "where its samples come from")};
  }
};

struct RunDeleteRequest {
  std::string id, line;
  bool dry_run = false;
  static constexpr auto fields() {
    using R = RunDeleteRequest;
    return FieldList{field("id", &R::id, "run").required().positional(),
                      field("line", &R::line, "its line").required(),
                      field("dryRun", &R::dry_run, "say what would be deleted")};
  }
};

struct RunEndRequest {
  std::string id, line = "default";
  std::optional<TimeUs> end;
  static constexpr auto fields() {
    using R = RunEndRequest;
    return FieldList{field("id", &R::id, "its name").required().positional(),
                      field("line", &R::line, "line"),
                      field("end", &R::end, "when it ended; default: now").unit("us")};
  }
};

struct RunResponse {
  plant::Run run;
  std::vector<plant::ContextSegment> segments;
  static constexpr auto fields() {
    return FieldList{field("run", &RunResponse::run, "as it is now"),
                      field("segments", &RunResponse::segments, "its context segments")};
  }
};

struct SegmentListRequest {
  std::optional<std::string> line, run;
  std::optional<plant::SegmentStatus> status;
  std::int64_t limit = 100;
  std::optional<std::string> cursor;
  static constexpr auto fields() {
    using R = SegmentListRequest;
    return FieldList{field("line", &R::line, "of this line; default: of all"),
                      field("run", &R::run, "of this run"),
                      field("status", &R::status, "with this status"),
                      field("limit", &R::limit, "items a page").range(1, 1000),
                      field("cursor", &R::cursor, "nextCursor of the page before")};
  }
};

struct SegmentResponse {
  plant::ContextSegment segment;
  std::vector<plant::SegmentDecision> decisions;
  static constexpr auto fields() {
    using R = SegmentResponse;
    return FieldList{field("segment", &R::segment, "as it is now"),
                      field("decisions", &R::decisions, "all of them, oldest first")};
  }
};

struct SegmentConfirmRequest {
  std::string id;
  std::optional<std::string> by;
  std::string reason;
  std::optional<std::int64_t> recipe_version;
  static constexpr auto fields() {
    using R = SegmentConfirmRequest;
    return FieldList{
        field("id", &R::id, "segment").required().positional(),
        field("by", &R::by, "person who confirms; default: the user of the system"),
        field("reason", &R::reason, "how it is known").max_length(500),
        field("recipeVersion", &R::recipe_version, "of the recipe, when the draft's is wrong")
            .range(1, 1e9)};
  }
};

struct SegmentRejectRequest {
  std::string id;
  std::optional<std::string> by;
  std::string reason;
  static constexpr auto fields() {
    using R = SegmentRejectRequest;
    return FieldList{field("id", &R::id, "segment").required().positional(),
                      field("by", &R::by, "person who rejects; default: the user of the system"),
                      field("reason", &R::reason, "why").max_length(500)};
  }
};

struct PlantApplyRequest {
  std::string file;
  bool dry_run = false;
  std::optional<std::string> by;
  std::string reason;
  static constexpr std::string_view kInputFile = "file";
  static constexpr auto fields() {
    using R = PlantApplyRequest;
    return FieldList{
        field("file", &R::file, "plant file (docs/formats/plant-file.md)").required().positional(),
        field("dryRun", &R::dry_run, "only say what would change"),
        field("by", &R::by, "who changes it; default: the user of the system"),
        field("reason", &R::reason, "why").max_length(500)};
  }
};

struct PlantChange {
  std::string what, name;
  plant::Change change = plant::Change::unchanged;
  static constexpr auto fields() {
    using C = PlantChange;
    return FieldList{field("what", &C::what, "line, tag, product, recipe, run or segment"),
                      field("name", &C::name, "which"),
                      field("change", &C::change, "created or changed")};
  }
};

struct PlantApplyResponse {
  std::string line;
  bool dry_run = false;
  std::int64_t created = 0, changed = 0, unchanged = 0;
  std::vector<PlantChange> changes;
  std::vector<std::string> notes;
  static constexpr auto fields() {
    using R = PlantApplyResponse;
    return FieldList{field("line", &R::line, "line"),
                      field("dryRun", &R::dry_run, "nothing was changed"),
                      field("created", &R::created, "records that are new"),
                      field("changed", &R::changed, "records that differ now"),
                      field("unchanged", &R::unchanged, "records that were so already"),
                      field("changes", &R::changes, "each that was created or changed"),
                      field("notes", &R::notes, "what to look at")};
  }
};

struct PlantShowRequest {
  std::string line = "default";
  static constexpr auto fields() {
    return FieldList{field("line", &PlantShowRequest::line, "line")};
  }
};

/// A plant file: with --json what `plant apply` reads.
struct PlantShowResponse {
  std::int64_t schema_version = 1;
  Json line = Json::object();
  std::vector<Json> tags, products, recipes, runs, segments;
  static constexpr auto fields() {
    using R = PlantShowResponse;
    return FieldList{field("schemaVersion", &R::schema_version, "of the format"),
                      field("line", &R::line, "line"),
                      field("tags", &R::tags, "tags"),
                      field("products", &R::products, "products"),
                      field("recipes", &R::recipes, "recipes with their versions"),
                      field("runs", &R::runs, "runs"),
                      field("segments", &R::segments, "context segments")};
  }
};

}  // namespace flyball::app
