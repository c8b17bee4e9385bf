#pragma once
// Requests and answers about the stages of models.
#include "core/record.h"
#include "registry/shadow_log.h"
#include "registry/stages.h"

namespace flyball::app {

/// Where a person may move a model without a second one.
enum class OpenStage { shadow, retired };
constexpr auto enum_names(OpenStage) {
  return std::array<std::string_view, 2>{"shadow", "retired"};
}

struct StageRequest {
  std::string id;
  OpenStage to = OpenStage::shadow;
  std::string reason;
  static constexpr auto fields() {
    using S = StageRequest;
    return FieldList{field("id", &S::id, "mdl-...").required().positional(),
                     field("to", &S::to, "stage after").required(),
                     field("reason", &S::reason, "why").max_length(2000)};
  }
};

struct PromotionRequest {
  std::string id, reason;
  std::optional<std::string> waive;
  static constexpr auto fields() {
    using P = PromotionRequest;
    return FieldList{
        field("id", &P::id, "mdl-...").required().positional(),
        field("reason", &P::reason, "why it should be in production").max_length(2000),
        field("waive", &P::waive,
              "why it should be without enough shadow evidence; stays on the model for all to see")
            .max_length(2000)};
  }
};

struct ProductionRequest {
  std::string line = "default", product = "default", recipe = "default";
  std::optional<TimeUs> at;
  static constexpr auto fields() {
    using P = ProductionRequest;
    return FieldList{field("line", &P::line, "line"), field("product", &P::product, "product"),
                     field("recipe", &P::recipe, "recipe"),
                     field("at", &P::at, "at this time; default: now").unit("us")};
  }
};

struct StageHistory {
  std::string id;
  registry::Stage stage = registry::Stage::candidate;
  std::vector<registry::StageMove> moves;
  static constexpr auto fields() {
    using S = StageHistory;
    return FieldList{field("id", &S::id, "mdl-..."), field("stage", &S::stage, "now"),
                     field("moves", &S::moves, "oldest first")};
  }
};

}  // namespace flyball::app
