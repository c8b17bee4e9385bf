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
    {"PROBLEM_STATE", {}, "there is neither a history nor a state to start from"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_optimise() {
  return kEntries;
}

}  // namespace flyball
