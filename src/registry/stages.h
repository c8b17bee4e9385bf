#pragma once
// The stages of a model and how it moves: candidate → shadow → production → retired.
//
// Every move is compare-and-set on the stage and leaves a row of history. At most one model is in
// production for a (line, product, recipe, purpose, objective): the database itself refuses a
// second, and a promotion retires the one before it in the same transaction.
#include <optional>
#include <string>
#include <vector>

#include "registry/registry.h"

namespace flyball::registry {

/// Production only from shadow; every stage may be retired; retired is the end.
bool may_move(Stage from, Stage to);

/// One move of one model; rows are only added.
struct StageMove {
  std::string model_id;
  Stage from = Stage::candidate, to = Stage::shadow;
  TimeUs at = 0;
  std::string by, reason;
  std::optional<std::string> approval_id;  ///< of a move into production
  std::optional<std::string> replaced_by;  ///< of a model that made way
  static constexpr auto fields() {
    using S = StageMove;
    return FieldList{
        field("modelId", &S::model_id, "mdl-..."),
        field("from", &S::from, "stage before"),
        field("to", &S::to, "stage after"),
        field("at", &S::at, "when").unit("us"),
        field("by", &S::by, "person"),
        field("reason", &S::reason, "why"),
        field("approvalId", &S::approval_id, "approval that allowed it"),
        field("replacedBy", &S::replaced_by, "model that took its place in production")};
  }
};

class Stages {
 public:
  explicit Stages(store::Database& db) : db_(db) {}

  /// Throws MODEL_MISSING, STAGE_ILLEGAL, STAGE_RACE (it is no longer in `from`).
  void move(const StageMove& step);
  /// Oldest first.
  [[nodiscard]] std::vector<StageMove> history(const std::string& model_id);
  /// The model that was in production for a recipe at a time; none when there was none.
  [[nodiscard]] std::optional<std::string> production_at(const std::string& line,
                                                         const std::string& product,
                                                         const std::string& recipe, TimeUs at);
  /// Models in a stage, newest first.
  [[nodiscard]] std::vector<std::string> in_stage(Stage stage);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
