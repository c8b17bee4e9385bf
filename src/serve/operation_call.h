#pragma once
// One request that asks for an operation, from who calls to the answer; on a thread of the pool.
#include "serve/events.h"
#include "serve/idempotency.h"
#include "serve/pool.h"
#include "serve/router.h"

namespace flyball::serve {

struct CallContext {
  const Router& router;
  Hub& hub;
  Idempotency& answers;
  const Clock& clock;
  std::stop_token stop;  ///< the service ends
};

/// Throws what refuses it; the caller makes the problem of it.
Response call_operation(Worker& worker, const Match& match, const Request& request,
                        const CallContext& context);

/// The same for a tool of an agent; the body of the answer.
Json run_tool(Worker& worker, const app::Operation& operation, const Json& json,
              const Caller& caller, const CallContext& context);

/// Lane in which an operation runs.
inline Lane lane_of(const app::Operation& operation) {
  if (operation.special == app::Special::asks) return Lane::ask;
  if (operation.special == app::Special::tries) return Lane::attempt;
  return operation.writes ? Lane::write : Lane::read;
}

}  // namespace flyball::serve
