// Advice that no longer holds ends: at each look, and when the service sweeps.
#include "app/advice_sweep.h"

#include "app/advice_facts.h"
#include "app/app.h"
#include "app/records.h"

namespace flyball::app {

using advise::ExpiryCause;

namespace {

/// A person who may not operate the line any more. Who is no user (the owner of the data folder at
/// the command line) has nothing that could be withdrawn.
bool withdrawn(const govern::Users& users, const std::string& id, const std::string& line) {
  const auto user = users.find(id);
  if (!user) return false;
  const auto right = govern::Right::operate;
  return !govern::authorise(govern::principal_of(*user, govern::Credential::session),
                            {"bindings.set", right, line, {}})
              .allowed;
}

}  // namespace

std::optional<ExpiryCause> why_expired(const AdviceRooms& r, const advise::Recommendation& rec,
                                       TimeUs now) {
  if (now > rec.valid_until) return ExpiryCause::time;
  const advise::AdviceRun run = r.ledger.run(rec.run_id);
  const advise::Binding binding = r.ledger.binding(rec.binding_id);
  if (!binding.enabled || binding.revision != run.binding_revision)
    return ExpiryCause::bindingChanged;
  const advise::Profile profile = r.ledger.profile(run.profile_id, run.profile_version);
  if (profile.status != advise::ProfileStatus::active) return ExpiryCause::profileRetired;
  if (!r.registry.has_model(profile.content.model_id)) return ExpiryCause::modelMissing;
  const registry::ModelRow model = r.registry.model(profile.content.model_id);
  if (model.artifact_hash != rec.model_artifact_hash || r.registry.pruned_at(model.id))
    return ExpiryCause::modelMissing;
  if (model.stage != registry::Stage::shadow && model.stage != registry::Stage::production)
    return ExpiryCause::modelRetired;
  const auto recipe = r.plant.find_recipe({profile.line_id, profile.product_id, profile.recipe_id});
  if (!recipe || recipe->version != binding.recipe_version ||
      recipe->content_hash != binding.recipe_content_hash)
    return ExpiryCause::recipeChanged;
  const auto running = active_run(r.historian, rec.line_id, now);
  if (!running || running->id != run.context.value("runId", "")) return ExpiryCause::runChanged;
  if (condition_of(r.plant, rec.line_id, running->id) != run.context.value("conditionId", ""))
    return ExpiryCause::conditionChanged;
  if (withdrawn(r.users, binding.updated_by, rec.line_id) ||
      (rec.status == advise::RecommendationStatus::accepted &&
       withdrawn(r.users, rec.decided_by, rec.line_id)))
    return ExpiryCause::permissionChanged;
  return std::nullopt;
}

void look_again(const AdviceRooms& r, advise::Recommendation& rec, TimeUs now) {
  if (!advise::is_open(rec.status)) return;
  const auto cause = why_expired(r, rec, now);
  if (!cause) return;
  if (r.writable) r.ledger.expire(rec.id, *cause, now);
  rec.status = advise::RecommendationStatus::expired;
  rec.status_label = advise::label(rec.status, rec.evidence);
  rec.expiry_cause = cause;
  rec.expired_at = now;
}

void look_again(advise::Ledger& ledger, bool writable, advise::AdviceRun& run, TimeUs now) {
  if (!ledger.abandoned(run, now)) return;
  if (writable) ledger.end_abandoned(now);
  run = ledger.run(run.id);  // it may have been answered since it was read
  const auto why = ledger.abandoned(run, now);
  if (!why) return;
  run.status = advise::RunStatus::error;
  run.code = why->code;
  run.reason = why->text();
  run.finished_at = now;
}

void App::sweep_advice() {
  Records& r = records(true);
  const TimeUs now = clock_.now();
  r.ledger.expire_old(now);
  r.ledger.end_abandoned(now);
  const AdviceRooms rooms{r.ledger, r.registry, r.plant, r.govern.users, historian(), true};
  for (advise::Recommendation& rec : r.ledger.open_recommendations()) look_again(rooms, rec, now);
}

}  // namespace flyball::app
