#pragma once
// The life of one attempt at a job, declared once: nine states and which may follow which.
//
//   queued ─→ provisioning ─→ training ─→ evaluating ─→ done
//      └──→ training ──────────┘
//   Every state that is not terminal may also end as failed, cancelled or interrupted, every one
//   that runs as timeout. A terminal state is never left: a retry is a new attempt.
#include <array>
#include <string_view>

namespace flyball::jobs {

enum class State {
  queued,
  provisioning,
  training,
  evaluating,
  done,
  failed,
  cancelled,
  timeout,
  interrupted
};
constexpr auto enum_names(State) {
  return std::array<std::string_view, 9>{"queued", "provisioning", "training", "evaluating", "done",
                                         "failed", "cancelled",    "timeout",  "interrupted"};
}
inline constexpr int kStates = 9;

/// Nothing follows it.
bool terminal(State state);
/// Holds a slot: started and not ended.
bool running(State state);
/// Whether `to` may directly follow `from`; false for from == to.
bool may_follow(State from, State to);

}  // namespace flyball::jobs
