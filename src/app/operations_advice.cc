// Operations on advice: profiles, bindings, questions, recommendations, outcomes.
#include <array>

#include "app/operation_row.h"
#include "app/operation_tables.h"

namespace flyball::app {
namespace {

using S = Scope;

// clang-format off
constexpr std::array kOperations{
    operation<&App::create_profile>("profiles.create", "optimize profile create", "POST", "/optimizer/profiles", S::request, true, "write a profile (MVs, CVs, limits, weights) or its next version, as a draft"),
    operation<&App::list_profiles>("profiles.list", "optimize profile list", "GET", "/optimizer/profiles", S::view, false, "profiles, newest first"),
    operation<&App::show_profile>("profiles.show", "optimize profile show", "GET", "/optimizer/profiles/{id}", S::view, false, "one version of a profile"),
    operation<&App::activate_profile>("profiles.activate", "optimize profile activate", "POST", "/optimizer/profiles/{id}/activate", S::operate, true, "a profile whose model may give advice goes into force; the version before retires", Special::tries),
    operation<&App::retire_profile>("profiles.retire", "optimize profile retire", "POST", "/optimizer/profiles/{id}/retire", S::operate, true, "end a profile; its open advice expires", Special::makes_room),
    operation<&App::bind_profile>("bindings.set", "optimize bind", "POST", "/optimizer/bindings", S::operate, true, "put an active profile in force on its line, or change that; open advice expires"),
    operation<&App::list_bindings>("bindings.list", "optimize bindings", "GET", "/optimizer/bindings", S::view, false, "where profiles are in force, newest first"),
    operation<&App::show_binding>("bindings.show", "optimize binding", "GET", "/optimizer/bindings/{id}", S::view, false, "one binding"),
    operation<&App::solve_advice>("bindings.solve", "optimize solve", "POST", "/optimizer/bindings/{id}/solve", S::request, true, "ask for advice from the plant as it is now", Special::asks),
    operation<&App::list_solves>("solves.list", "optimize solves", "GET", "/optimizer/runs", S::view, false, "questions asked, newest first"),
    operation<&App::show_solve>("solves.show", "optimize solve-record", "GET", "/optimizer/runs/{id}", S::view, false, "one question with its problem, context and candidates"),
    operation<&App::try_advice>("solves.try", "optimize try", "POST", "/optimizer/runs/{id}/try", S::request, false, "what a question would be answered with other limits and references; nothing is kept"),
    operation<&App::list_advice>("advice.list", "optimize list", "GET", "/optimizer/recommendations", S::view, false, "advice, newest first"),
    operation<&App::show_advice>("advice.show", "optimize show", "GET", "/optimizer/recommendations/{id}", S::view, false, "the operator's card: what to move, what it will do, which limit binds, until when"),
    operation<&App::advice_plan>("advice.plan", "optimize plan", "GET", "/optimizer/recommendations/{id}/plan", S::view, false, "every MV and CV of one advice: before now, planned, when nothing moves, interval and limits"),
    operation<&App::accept_advice>("advice.accept", "optimize accept", "POST", "/optimizer/recommendations/{id}/accept", S::operate, true, "a person accepts advice; nothing is written to a plant"),
    operation<&App::reject_advice>("advice.reject", "optimize reject", "POST", "/optimizer/recommendations/{id}/reject", S::operate, true, "a person rejects advice"),
    operation<&App::apply_advice>("advice.applied", "optimize applied", "POST", "/optimizer/recommendations/{id}/applied", S::operate, true, "a person says that accepted advice was carried out"),
    operation<&App::record_outcome>("advice.outcome", "optimize outcome", "POST", "/optimizer/recommendations/{id}/outcomes", S::evaluate, true, "what the plant did after advice was applied, from its stored series"),
    operation<&App::list_outcomes>("advice.outcomes", "optimize outcomes", "GET", "/optimizer/recommendations/{id}/outcomes", S::view, false, "outcomes of one advice, oldest first"),
    operation<&App::advice_capabilities>("optimizer.capabilities", "optimize capabilities", "GET", "/optimizer/capabilities", S::view, false, "templates, and the processes that compute advice"),
};
// clang-format on

}  // namespace

std::span<const Operation> advice_operations() {
  return kOperations;
}

}  // namespace flyball::app
