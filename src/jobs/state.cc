#include "jobs/state.h"

#include <algorithm>

namespace flyball::jobs {
namespace {

using enum State;

struct Step {
  State from, to;
};

constexpr Step kSteps[] = {
    {queued, provisioning},     {queued, training},          {queued, failed},
    {queued, cancelled},        {queued, interrupted},       {provisioning, training},
    {provisioning, evaluating}, {provisioning, failed},      {provisioning, cancelled},
    {provisioning, timeout},    {provisioning, interrupted}, {training, evaluating},
    {training, failed},         {training, cancelled},       {training, timeout},
    {training, interrupted},    {evaluating, done},          {evaluating, failed},
    {evaluating, cancelled},    {evaluating, timeout},       {evaluating, interrupted},
};

}  // namespace

bool may_follow(State from, State to) {
  return std::ranges::any_of(kSteps, [&](Step s) { return s.from == from && s.to == to; });
}

bool terminal(State state) {
  return std::ranges::none_of(kSteps, [&](Step s) { return s.from == state; });
}

bool running(State state) {
  return state != queued && !terminal(state);
}

}  // namespace flyball::jobs
