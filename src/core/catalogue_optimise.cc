// Problems of advice: what is asked, what cannot hold, what was given up.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    // problem
    {"PROBLEM_INVALID", E::invalid_argument, "{count} problem(s) in the optimisation problem"},
    {"PROBLEM_TEMPLATE", {}, "\"{template}\" is no problem template; linear_mpc_quadratic@1 and steady_response@1 are"},
    {"PROBLEM_EMPTY", {}, "a problem has at least one MV and one CV"},
    {"PROBLEM_NOT_FINITE", {}, "this value is not finite; leave out a limit that does not exist"},
    {"PROBLEM_LIMITS", {}, "the lower limit {low} is above the upper limit {high}; swap or correct them"},
    {"PROBLEM_LENGTH", {}, "{have} values where {want} are needed"},
    {"PROBLEM_SCALE", {}, "the train deviation is {value} and has to be above 0: a variable that never moved cannot be an MV or CV"},
    {"PROBLEM_MAX_MOVE", {}, "the largest move is {value} and has to be 0 or more"},
    {"PROBLEM_MARGIN_NEGATIVE", {}, "the uncertainty margin is {value} and has to be 0 or more"},
    {"PROBLEM_MARGIN_FILLS", {}, "{cv}: twice the uncertainty margin is {margin}, the band between its hard limits {band}: no value would be safe; widen the limits or get a better model"},
    {"PROBLEM_REF", {}, "{cv} is to track a reference and has none; give ref, or another role"},
    {"PROBLEM_BLOCKS", {}, "{moves} moves do not fit a horizon of {horizon} steps: blocks ascend from 0, one for each move, all below the horizon"},
    {"MPC_NOT_CONVEX", E::invalid_argument, "the cost of {variables} moves is not strictly convex: give every MV a move weight above 0"},
    {"MPC_NOT_DETECTABLE", E::invalid_argument, "the state of the model ({states} states) cannot be told from the CVs: an integrator or a disturbance that no CV shows; take it out of the model, or choose another disturbance"},
    {"MPC_INPUT_MISSING", {}, "an input of the history is missing: where the plant is now cannot be told, so there is no advice; wait for good values of every MV and DV"},
    {"MPC_ITERATIONS", {}, "stopped after {limit} changes of the working set: the plan keeps every limit of the MVs but is not proven to be the best; raise maxIter"},
    {"MPC_INACCURATE", {}, "the optimality residual is {residual}, the limit {limit}: no advice from this; look at the weights, they may lie too far apart"},
    {"MPC_NO_CHANGE", {}, "moving would save {saving} of a cost of {hold}: not worth a move, hold"},
    {"MPC_MIN_MOVE", {}, "{mv} stays where it is at this step: a first move of {move} is less than its minMove of {limit}"},
    {"MPC_MIN_MOVE_BLOCKS", {}, "the hard limits can hold, but neither with {mv} where it is nor with a first move of its minMove of {limit}: lower its minMove"},
    {"MPC_TIMEOUT", {}, "it was not done within {limit}; shorten the horizon or raise the limit"},
    {"MPC_GAP", {}, "the plan keeps every hard limit; it costs at most {gap} more than the best one"},
    {"RELAXED_SOFT", {}, "{limit} cannot be kept: {cv} lies beyond it by up to {amount} from step {step} on; give the MVs more room, or move the limit"},
    {"RELAXED_BACK", {}, "{limit} is broken now: {cv} lies beyond it by up to {amount} and is brought back as fast as the MVs may, within it from step {step} on"},
    {"RELAXED_STAYS", {}, "{limit} is broken now: {cv} lies beyond it by up to {amount}, and the MVs within their limits do not bring it back within the horizon; act by other means, or move the limit"},
    {"RELAXED_MARGIN", {}, "{cv} comes inside the uncertainty margin of {limit} by up to {amount} from step {step} on: the entered limit holds by the model, not with its uncertainty"},
    {"INFEASIBLE_LIMIT", {}, "{limit} cannot hold: the least that the MVs leave is {value} ({amount} beyond it) at step {step} or later, with {held} at its limit; move the limit, or see what else would do"},
    {"INFEASIBLE_WIDEN", {}, "{limit} at {value} would do instead"},
    {"REST_LIMIT", {}, "at rest {cv} lies beyond {limit} by {amount}: no values of the MVs within their limits keep it"},
    {"REST_REFERENCE", {}, "{cv} cannot rest at {ref}: the closest that is reached is {value}, with {limits} in the way"},
    {"REST_UNSOLVED", {}, "no resting point was found ({status}): the moves are planned for the references as given; look at prices of a level, they may have no end"},
    {"REST_TRADED", {}, "{cv} rests at {value} and not at {ref}: prices, resting values and other references weigh against it"},
    {"REST_BINDS", {}, "at rest {limit} binds: {amount} more of room would save {price} of the cost"},
    {"REST_SHAPE", {}, "the resting point has missing or wrong numbers"},
    {"REST_UNSTEADY", {}, "the stored model does not stay at the resting point: {cv} leaves it by {difference} train deviations, {limit} is the limit"},
    {"REST_STATE", {}, "the resting point rests on another disturbance than the one that is estimated"},
    {"REST_BROKEN", {}, "the resting point breaks {limit} by {amount}, which was not told"},
    {"REST_COST", {}, "the cost of the resting point is {cost}, not {solver} as claimed"},
    {"REST_NOT_BEST", {}, "the prices of the resting point do not prove it the best: up to {loss} can be saved, {limit} is the limit"},
    {"REST_NONE", {}, "no point within the limits of the MVs keeps the hard limits of the CVs (from {starts} starts); move a limit"},
    {"REST_OUTSIDE", {}, "the best point lies where no data stand behind the model: no advice; record operating points near it"},
    {"REST_STARTS", {}, "best of {starts} starts; the worst of them ended {gap} higher"},
    {"REST_LATE", {}, "the search was stopped after {limit}, before all of {all} starts; raise timeLimitMs"},
    {"VERIFY_LOCAL", {}, "a point next to it is better by {saving} of the cost of holding, {limit} is the limit"},
    {"ACTIVATE_HORIZON", {}, "the horizon is {horizon} steps and does not cover dead time ({deadTime}) and settling: {needed} steps are needed"},
    {"ACTIVATE_LIMIT", {}, "loop with {case}: {limit} is broken by {amount} at step {step}; move the limit, weigh moves more, or give a larger margin"},
    {"ACTIVATE_UNSTABLE", {}, "loop with {case}: {variable} does not come to rest; raise the moveWeight of the MVs"},
    {"ACTIVATE_NO_WEIGHT", {}, "loop with {case}: {variable} does not come to rest, and no MV has a moveWeight above 0: give them one (0.1 is usual)"},
    {"ACTIVATE_LEVEL", {}, "loop with {case}: {variable} is a level without a reference and drifts out of its soft limits; give it a reference (role track and ref), or soft limits on both sides"},
    {"ACTIVATE_TIME", {}, "loop with {case}, {at} of {count}, was at step {step} of {steps}"},
    {"ACTIVATE_NO_ADVICE", {}, "loop with {case}: no plan at step {step} keeps the hard limits"},
    {"PROBLEM_STATE", {}, "there is neither a history nor a state to start from"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_optimise() {
  return kEntries;
}

}  // namespace flyball
