#include "registry/stages.h"
#include "store/columns.h"
#include "store/savepoint.h"

namespace flyball::registry {
namespace {

constexpr std::string_view kStageOf = "SELECT stage FROM models WHERE id = ?";
constexpr std::string_view kSet = "UPDATE models SET stage = ? WHERE id = ? AND stage = ?";
constexpr std::string_view kInTheWay =
    "SELECT old.id FROM models old JOIN models new ON new.id = ? "
    "WHERE old.stage = 'production' AND old.line_id = new.line_id "
    "AND old.product_id = new.product_id AND old.recipe_id = new.recipe_id "
    "AND old.purpose = new.purpose AND old.objective = new.objective";
constexpr std::string_view kAdd =
    "INSERT INTO model_stage_moves(model_id, from_stage, to_stage, at, by, reason, approval_id, "
    "replaced_by) VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
constexpr std::string_view kHistory =
    "SELECT model_id, from_stage, to_stage, at, by, reason, approval_id, replaced_by "
    "FROM model_stage_moves WHERE model_id = ? ORDER BY sequence";
constexpr std::string_view kProductionAt =
    "SELECT m.id, v.to_stage FROM model_stage_moves v JOIN models m ON m.id = v.model_id "
    "WHERE m.line_id = ? AND m.product_id = ? AND m.recipe_id = ? AND v.at <= ? "
    "AND (v.to_stage = 'production' OR v.from_stage = 'production') "
    "ORDER BY v.sequence DESC LIMIT 1";
constexpr std::string_view kInStage = "SELECT id FROM models WHERE stage = ? ORDER BY rowid DESC";

}  // namespace

bool may_move(Stage from, Stage to) {
  switch (from) {
    case Stage::candidate:
      return to == Stage::shadow || to == Stage::retired;
    case Stage::shadow:
      return to == Stage::production || to == Stage::retired;
    case Stage::production:
      return to == Stage::retired;
    case Stage::retired:
      return false;
  }
  return false;
}

void Stages::move(const StageMove& step) {
  if (!may_move(step.from, step.to)) {
    throw Error(
        "STAGE_ILLEGAL",
        {{"id", step.model_id}, {"from", enum_name(step.from)}, {"to", enum_name(step.to)}});
  }
  store::Savepoint part(db_);
  const auto set = [&](const StageMove& s) {
    if (db_.run(kSet, enum_name(s.to), s.model_id, enum_name(s.from)) != 1) {
      store::Statement q = db_.query(kStageOf, s.model_id);
      if (!q.step()) throw Error("MODEL_MISSING", {{"id", s.model_id}});
      throw Error("STAGE_RACE",
                  {{"id", s.model_id}, {"stage", q.text(0)}, {"expected", enum_name(s.from)}});
    }
    db_.run(kAdd, s.model_id, enum_name(s.from), enum_name(s.to), s.at, s.by, s.reason,
            s.approval_id, s.replaced_by);
  };
  if (step.to == Stage::production) {
    std::optional<std::string> old;
    {
      store::Statement q = db_.query(kInTheWay, step.model_id);
      if (q.step()) old = q.text(0);
    }
    if (old)
      set({*old, Stage::production, Stage::retired, step.at, step.by, step.reason, step.approval_id,
           step.model_id});
  }
  set(step);
  part.commit();
}

std::vector<StageMove> Stages::history(const std::string& model_id) {
  std::vector<StageMove> out;
  for (store::Statement q = db_.query(kHistory, model_id); q.step();)
    out.push_back({q.text(0), store::enum_column<Stage>(q, 1), store::enum_column<Stage>(q, 2),
                   q.integer(3), q.text(4), q.text(5), q.text_or_none(6), q.text_or_none(7)});
  return out;
}

std::optional<std::string> Stages::production_at(const std::string& line,
                                                 const std::string& product,
                                                 const std::string& recipe, TimeUs at) {
  store::Statement q = db_.query(kProductionAt, line, product, recipe, at);
  if (!q.step() || q.text(1) != "production") return std::nullopt;
  return q.text(0);
}

std::vector<std::string> Stages::in_stage(Stage stage) {
  std::vector<std::string> out;
  for (store::Statement q = db_.query(kInStage, enum_name(stage)); q.step();)
    out.push_back(q.text(0));
  return out;
}

}  // namespace flyball::registry
