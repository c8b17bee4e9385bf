#pragma once
// The child's side: answers one request at a time on stdin and stdout until stdin ends.
#include <functional>
#include <stop_token>

#include "core/json.h"

namespace flyball::jobs {

/// Does the work of an op; throws what refuses it. `stop` is asked for by a cancel frame, and when
/// the deadline has passed.
using WorkerBody =
    std::function<Json(const std::string& op, const Json& payload, std::stop_token stop)>;

/// Says ready, then serves; 0 when stdin ended, 1 after a frame that cannot be read. What the body
/// prints goes to stderr. One request at a time: a second one is refused (SOLVER_BUSY).
int run_worker(const WorkerBody& body);

}  // namespace flyball::jobs
