// What people do with advice: look, accept, reject, say that it was applied.
#include <nlohmann/json.hpp>

#include "advise/plan_view.h"
#include "app/advice_facts.h"
#include "app/advice_sweep.h"
#include "app/app.h"
#include "app/caller.h"
#include "app/items.h"
#include "app/records.h"

namespace flyball::app {
namespace {

using advise::RecommendationStatus;

constexpr std::int64_t kEarlierLooked = 1000;

struct AdviceUnits {
  std::map<std::string, advise::UnitMap> maps;
  std::map<std::string, std::string> names;
  bool of_model = false;  ///< the model is gone, and so are the units of its tags
};

/// As the question keeps them; questions of before there were units in them do not.
AdviceUnits kept_units(const Json& problem) {
  AdviceUnits out;
  for (const char* list : {"mv", "cv"}) {
    for (const Json& term : problem.value(list, Json::array())) {
      if (!term.contains("unitOffset")) return {{}, {}, true};
      const std::string id = term.value("varId", "");
      out.maps[id] = {term.value("unitScale", 1.0), term.value("unitOffset", 0.0)};
      out.names[id] = term.value("unit", "");
    }
  }
  return out;
}

/// Throws ADVICE_PERSON: what moves a plant is decided by a person.
void require_person(const Call& call) {
  const govern::Principal who = caller(call);
  if (who.credential == govern::Credential::token || who.kind == govern::Kind::agent)
    throw Error("ADVICE_PERSON");
}

}  // namespace

/// The units of a profile's tags. Where the model is gone its advice still shows, in the units that
/// the question keeps, else in those of the model.
static AdviceUnits units_of(registry::Registry& registry, const std::filesystem::path& data,
                            const std::string& model_id, const advise::AdviceRun& run) try {
  AdviceModel model = advice_model(registry, data, model_id);
  if (model.facts.pruned) return kept_units(run.problem);
  return {std::move(model.units), std::move(model.unit_names), false};
} catch (const Error& e) {
  const bool gone = e.code() == "MODEL_MISSING" || e.code() == "DATASET_MISSING" ||
                    e.code() == "ARTIFACT_MISSING";
  if (!gone) throw;
  return kept_units(run.problem);
}

advise::Card App::card(const advise::AdviceRun& run,
                       const std::optional<advise::Recommendation>& rec) {
  Records& r = records();
  const advise::Profile p = r.ledger.profile(run.profile_id, run.profile_version);
  const AdviceUnits units = units_of(r.registry, data_.path, p.content.model_id, run);
  return advise::card_of({run, r.ledger.candidates(run.id), rec, units.maps, units.names,
                          clock_.now(), units.of_model});
}

advise::PlanView App::advice_plan(const IdRequest& request, const Call&) {
  Records& r = records();
  const auto view = [&](const std::optional<advise::Recommendation>& rec) {
    const advise::AdviceRun run = r.ledger.run(rec->run_id);
    const advise::Profile p = r.ledger.profile(run.profile_id, run.profile_version);
    const AdviceUnits units = units_of(r.registry, data_.path, p.content.model_id, run);
    return advise::plan_view({run, r.ledger.candidates(run.id), rec, units.maps, units.names,
                              clock_.now(), units.of_model});
  };
  const advise::Recommendation rec = r.ledger.recommendation(request.id);
  advise::PlanView out = view(rec);
  for (const auto& other : r.ledger.recommendations(rec.binding_id, "", kEarlierLooked)) {
    if (other.created_at >= rec.created_at) continue;
    out.earlier = view(other).cvs;
    out.earlier_sec = static_cast<double>(rec.created_at - other.created_at) / 1e6;
    break;
  }
  return out;
}

ItemsResponse App::list_advice(const AdviceListRequest& request, const Call& call) {
  Records& r = records();
  auto rows = readable(call, r.ledger.recommendations(request.binding.value_or(""),
                                                      request.line.value_or(""), 10'000));
  ItemsResponse out = page(
      rows, [](const advise::Recommendation& x) { return x.id; }, request.limit, request.cursor);
  for (Json& item : out.items) {
    auto rec = r.ledger.recommendation(item["id"].get<std::string>());
    look_again({r.ledger, r.registry, r.plant, r.govern.users, historian(), r.writable}, rec,
               clock_.now());
    item = to_json_value(rec);
  }
  return out;
}

advise::Card App::show_advice(const IdRequest& request, const Call&) {
  Records& r = records();
  advise::Recommendation rec = r.ledger.recommendation(request.id);
  look_again({r.ledger, r.registry, r.plant, r.govern.users, historian(), r.writable}, rec,
             clock_.now());
  return card(r.ledger.run(rec.run_id), rec);
}

advise::Recommendation App::decide_advice(const DecideRequest& request, RecommendationStatus to,
                                          const Call& call) {
  require_person(call);
  Records& r = records(true);
  advise::Recommendation rec = r.ledger.recommendation(request.id);
  const RecommendationStatus before = rec.status;
  look_again({r.ledger, r.registry, r.plant, r.govern.users, historian(), r.writable}, rec,
             clock_.now());
  if (to == RecommendationStatus::accepted && rec.status == RecommendationStatus::unverified &&
      request.reason.empty())
    throw Error("RECOMMENDATION_UNVERIFIED", {{"id", rec.id}}, "/reason");
  const advise::Recommendation out =
      r.ledger.decide(rec.id, to, author_of(call, request.by), request.reason, clock_.now());
  if (call.change != nullptr)
    *call.change = {rec.id, rec.line_id, enum_name(before), enum_name(out.status)};
  return out;
}

advise::Recommendation App::accept_advice(const DecideRequest& request, const Call& call) {
  return decide_advice(request, RecommendationStatus::accepted, call);
}

advise::Recommendation App::reject_advice(const DecideRequest& request, const Call& call) {
  return decide_advice(request, RecommendationStatus::rejected, call);
}

advise::Recommendation App::apply_advice(const DecideRequest& request, const Call& call) {
  return decide_advice(request, RecommendationStatus::applied, call);
}

ItemsResponse App::list_solves(const AdviceListRequest& request, const Call& call) {
  Records& r = records();
  auto rows = readable(call, r.ledger.runs(request.binding.value_or(""), 10'000));
  std::erase_if(rows, [&](const advise::AdviceRun& run) {
    return request.line && run.line_id != *request.line;
  });
  const TimeUs now = clock_.now();
  for (advise::AdviceRun& run : rows) look_again(r.ledger, r.writable, run, now);
  ItemsResponse out = page(
      rows, [](const advise::AdviceRun& x) { return x.id; }, request.limit, request.cursor);
  for (Json& item : out.items) {
    item.erase("problemIr");
    item.erase("contextSnapshot");
    item.erase("result");
  }
  return out;
}

AdviceRunResponse App::show_solve(const IdRequest& request, const Call&) {
  Records& r = records();
  advise::AdviceRun run = r.ledger.run(request.id);
  look_again(r.ledger, r.writable, run, clock_.now());
  return {std::move(run), r.ledger.candidates(request.id)};
}

}  // namespace flyball::app
