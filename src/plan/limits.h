#pragma once
// What limits leave free for the moves of a test.
#include <algorithm>

#include "core/error.h"
#include "plan/plan.h"

namespace flyball::plan {

/// Position by name; throws PLAN_NAME_UNKNOWN.
template <class T>
std::size_t index_of(const std::vector<T>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &T::name);
  if (it == list.end()) throw Error("PLAN_NAME_UNKNOWN", {{"name", name}});
  return static_cast<std::size_t>(it - list.begin());
}

/// Throws what plan() throws for a request.
void check(const Request& request);

/// Of the slowest pair; throws PLAN_NO_ROOM.
double settling_seconds(const Request& request);

/// Σ |K| a, and of levels Σ |K| a L, over the MVs of each CV: the farthest that it can go.
std::vector<double> bounds(const Request& request, const Plan& plan);

/// The largest amplitudes inside every limit, three digits; needs the plan's switch_steps.
void choose_amplitudes(const Request& request, Plan& plan);

}  // namespace flyball::plan
