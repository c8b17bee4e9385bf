// Use cases of profiles and bindings.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/advice_facts.h"
#include "app/app.h"
#include "app/caller.h"
#include "app/input.h"
#include "app/items.h"
#include "app/job_service.h"
#include "app/profile_checks.h"
#include "app/records.h"
#include "app/settings.h"
#include "model/artifact.h"
#include "optimise/activation.h"
#include "store/savepoint.h"

namespace flyball::app {
namespace {

using advise::ProfileStatus;

advise::ProfileContent content_of(const ProfileCreateRequest& request,
                                  const std::filesystem::path& data, const Call& call) {
  if (request.profile) return *request.profile;
  const Input input = open_input(request.file, data, call);
  return parse_record<advise::ProfileContent>(parse_json(input.text(), request.file),
                                              "PROFILE_INVALID");
}

template <class Setting>
void check_once(const std::vector<Setting>& settings, const char* list,
                std::vector<Problem>& problems) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (!seen.insert(settings[i].var_id).second)
      problems.push_back({std::string("/") + list + "/" + std::to_string(i),
                          {"PROFILE_TWICE", {{"variable", settings[i].var_id}}}});
  }
}

std::map<std::string, std::string> node_map(const BindRequest& request, const std::string& line,
                                            const historian::Historian& historian) {
  std::map<std::string, std::string> out;
  const std::vector<std::string> nodes = historian.nodes(line);
  for (const std::string& text : request.node) {
    const auto equals = text.find('=');
    const std::string node = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (std::ranges::find(nodes, node) == nodes.end())
      throw Error("BINDING_LINE", {{"line", line}, {"node", text}}, "/node");
    out[text.substr(0, equals)] = node;
  }
  return out;
}

void take_recipe(const plant::PlantStore& plant, const advise::Profile& p, advise::Binding& b) {
  const plant::Recipe recipe = plant.recipe({p.line_id, p.product_id, p.recipe_id});
  b.recipe_version = recipe.version;
  b.recipe_content_hash = recipe.content_hash;
}

std::string name_of(const advise::Profile& p) {
  return p.id + "@" + std::to_string(p.version);
}

/// Throws PROFILE_UNSAFE: the loop was simulated with plants that differ from the model; and
/// PROFILE_UNDECIDED: not all of them within `limit` seconds. Of a static model only the question
/// is made, which throws what does not fit.
void require_safe(const AdviceModel& model, const advise::Profile& p,
                  const advise::ContextSnapshot& context, const Call& call, double limit) {
  const optimise::ProblemIr problem = advise::problem_of({p,
                                                          model.facts,
                                                          context,
                                                          model.units,
                                                          levels_of(model.spec),
                                                          {at_rest(model)},
                                                          {},
                                                          model.unit_names});
  if (p.content.problem_template == optimise::kSteadyResponse) return;  // surfaces have no loop
  const optimise::Activation tried =
      optimise::check_activation(problem, model::unpack(model::read_artifact(model.bytes)), 0,
                                 call.stop, limit, call.progress);
  if (tried.passed) return;
  std::string detail;
  for (const Words& w : tried.reasons) detail += (detail.empty() ? "" : "; ") + w.text;
  if (tried.timed_out && tried.reasons.size() == 1)
    throw Error("PROFILE_UNDECIDED",
                {{"id", name_of(p)}, {"limit", limit, "s"}, {"detail", detail}});
  throw Error("PROFILE_UNSAFE", {{"detail", detail}});
}

/// Throws PROFILE_BASIS_CHANGED: what a profile was tried with is not what is there now. Where the
/// plant is does not count.
void require_unchanged(registry::Registry& registry, const advise::Profile& p,
                       const AdviceModel& then, const advise::ContextSnapshot& context,
                       const advise::ContextSnapshot& now) {
  const std::string& model = p.content.model_id;
  const auto changed = [&](const std::string& what) {
    return Error("PROFILE_BASIS_CHANGED", {{"id", name_of(p)}, {"what", what}});
  };
  if (!registry.has_model(model) || registry.pruned_at(model) ||
      to_json_value(registry.model(model)) != to_json_value(then.facts.row))
    throw changed("model " + model);
  for (std::size_t i = 0; i < context.limits.size(); ++i) {
    if (to_json_value(context.limits[i]) != to_json_value(now.limits[i]))
      throw changed("the limits of " + context.limits[i].var_id);
  }
}

/// What another binding decides on too is said of both; the question is refused.
void add_warnings(advise::Ledger& ledger, advise::Binding& b) try {
  b.warnings = ledger.require_alone(b);
} catch (const Error& e) {
  b.warnings = {words(e.message())};
}

}  // namespace

advise::Profile App::create_profile(const ProfileCreateRequest& request, const Call& call) {
  const advise::ProfileContent content = content_of(request, data_.path, call);
  Records& r = records(true);
  const registry::ModelRow model = r.registry.model(content.model_id);
  require_right(call, "profiles.create", Scope::request, model.line_id);
  std::vector<Problem> problems;
  check_once(content.mv, "mv", problems);
  check_once(content.cv, "cv", problems);
  check_once(content.dv, "dv", problems);
  check_profile(content, problems);
  if (!problems.empty()) throw Error::of("PROFILE_INVALID", std::move(problems));
  advise::Profile p;
  p.id = request.version_of.value_or("");
  p.line_id = model.line_id;
  p.product_id = model.product_id;
  p.recipe_id = model.recipe_id;
  p.model_artifact_hash = model.artifact_hash;
  p.content = content;
  p.created_by = caller(call).id;
  p.created_at = clock_.now();
  p = r.ledger.add_profile(std::move(p));
  if (call.change != nullptr) *call.change = {p.id, p.line_id, nullptr, name_of(p)};
  return p;
}

ItemsResponse App::list_profiles(const AdviceListRequest& request, const Call& call) {
  return page(readable(call, records().ledger.profiles(request.line.value_or(""))), name_of,
              request.limit, request.cursor);
}

advise::Profile App::show_profile(const ProfileRequest& request, const Call&) {
  return records().ledger.profile(request.id, request.version);
}

advise::Profile App::activate_profile(const ProfileRequest& request, const Call& call) {
  Records& r = records(true);
  const advise::Profile p = r.ledger.profile(request.id, request.version);
  if (!advise::may_move(p.status, ProfileStatus::active))
    throw Error("PROFILE_STATUS", {{"id", name_of(p)},
                                   {"from", enum_name(p.status)},
                                   {"to", enum_name(ProfileStatus::active)}});
  const AdviceModel model = advice_model(r.registry, data_.path, p.content.model_id);
  advise::require_eligible(model.facts, p);
  advise::Binding anywhere;
  anywhere.line_id = p.line_id;
  const auto context = [&] {
    return context_of(historian(), r.plant, model, p, anywhere, clock_.now());
  };
  const advise::ContextSnapshot tried = context();
  // Nothing is written and no transaction is open while the loops are simulated.
  require_safe(model, p, tried, call,
               resolve(setting_spec("optimizer.activation.timeoutSeconds"), &r.settings, "").value);
  store::Savepoint transaction(r.db);
  require_unchanged(r.registry, p, model, tried, context());
  const advise::Profile out =
      r.ledger.move_profile(p.id, p.version, ProfileStatus::active, caller(call).id, clock_.now());
  transaction.commit();
  if (call.change != nullptr)
    *call.change = {p.id, p.line_id, enum_name(p.status), enum_name(out.status)};
  sweep_advice();
  return out;
}

advise::Profile App::retire_profile(const ProfileRequest& request, const Call& call) {
  Records& r = records(true);
  const advise::Profile p = r.ledger.profile(request.id, request.version);
  const advise::Profile out =
      r.ledger.move_profile(p.id, p.version, ProfileStatus::retired, caller(call).id, clock_.now());
  if (call.change != nullptr)
    *call.change = {p.id, p.line_id, enum_name(p.status), enum_name(out.status)};
  sweep_advice();
  return out;
}

advise::Binding App::bind_profile(const BindRequest& request, const Call& call) {
  Records& r = records(true);
  advise::Binding b;
  if (request.id) b = r.ledger.binding(*request.id);
  const Json before = request.id ? to_json_value(b) : Json();
  const bool other_profile = request.profile || request.version;
  const std::string profile_id = request.profile.value_or(b.profile_id);
  const advise::Profile p = r.ledger.profile(
      profile_id, request.version
                      ? request.version
                      : (other_profile ? std::nullopt : std::optional(b.profile_version)));
  require_right(call, "bindings.set", Scope::operate, p.line_id);
  if (p.status != ProfileStatus::active && request.enabled.value_or(true))
    throw Error("PROFILE_INACTIVE", {{"id", name_of(p)}, {"status", enum_name(p.status)}});
  if (request.id && b.line_id != p.line_id)
    throw Error("BINDING_LINE", {{"line", p.line_id}, {"node", b.line_id}});
  b.profile_id = p.id;
  b.profile_version = p.version;
  b.line_id = p.line_id;
  if (!request.node.empty()) b.node_map = node_map(request, p.line_id, historian());
  take_recipe(r.plant, p, b);
  b.enabled = request.enabled.value_or(true);
  b.disabled_because = b.enabled ? "" : request.reason;
  b.updated_by = caller(call).id;
  b.updated_at = clock_.now();
  b = request.id ? r.ledger.change_binding(b, advise::ExpiryCause::bindingChanged)
                 : r.ledger.add_binding(b);
  if (call.change != nullptr) *call.change = {b.id, b.line_id, before, to_json_value(b)};
  return b;
}

ItemsResponse App::list_bindings(const AdviceListRequest& request, const Call& call) {
  advise::Ledger& ledger = records().ledger;
  auto rows = readable(call, ledger.bindings(request.line.value_or("")));
  for (advise::Binding& b : rows) add_warnings(ledger, b);
  return page(
      rows, [](const advise::Binding& b) { return b.id; }, request.limit, request.cursor);
}

advise::Binding App::show_binding(const IdRequest& request, const Call&) {
  advise::Ledger& ledger = records().ledger;
  advise::Binding b = ledger.binding(request.id);
  add_warnings(ledger, b);
  return b;
}

CapabilitiesResponse App::advice_capabilities(const Empty&, const Call&) {
  CapabilitiesResponse out;
  out.templates = {std::string(optimise::kLinearMpc), std::string(optimise::kSteadyResponse)};
  if (jobs_ != nullptr) out.workers = jobs_->solvers().stats();
  return out;
}

}  // namespace flyball::app
