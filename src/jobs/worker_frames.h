#pragma once
// What the pool and a worker say to each other, protocol version 1.
//
//   pool → worker   {protocolVersion, reqId, op, payload, deadlineMs}; op "cancel": ends `reqId`
//   worker → pool   ready (first), heartbeat (each second while it works), then one answer
#include <string>

#include "core/record.h"
#include "core/words.h"
#include "jobs/frame.h"

namespace flyball::jobs {

struct WorkerRequest {
  std::int64_t protocol_version = kProtocolVersion;
  std::string req_id = {}, op = {};
  Json payload = Json::object();
  std::int64_t deadline_ms = 0;
  static constexpr auto fields() {
    using R = WorkerRequest;
    return FieldList{field("protocolVersion", &R::protocol_version, "1").required(),
                     field("reqId", &R::req_id, "of this request").required(),
                     field("op", &R::op, "solve, cancel, ...").required(),
                     field("payload", &R::payload, "of the op"),
                     field("deadlineMs", &R::deadline_ms, "time that is left").unit("ms")};
  }
};

enum class Saying { ready, heartbeat, answer };
constexpr auto enum_names(Saying) {
  return std::array<std::string_view, 3>{"ready", "heartbeat", "answer"};
}

/// Whatever a worker says. `error`: the work was refused, by a code of the catalogue.
struct WorkerFrame {
  std::int64_t protocol_version = kProtocolVersion;
  Saying type = Saying::answer;
  std::int64_t pid = 0;
  std::string req_id = {};
  Json result = {};
  std::optional<Words> error = {};
  static constexpr auto fields() {
    using F = WorkerFrame;
    return FieldList{field("protocolVersion", &F::protocol_version, "1").required(),
                     field("type", &F::type, "ready, heartbeat or answer").required(),
                     field("pid", &F::pid, "process that says it").required(),
                     field("reqId", &F::req_id, "request that it answers"),
                     field("result", &F::result, "of the op"),
                     field("error", &F::error, "why there is none")};
  }
};

/// The error of an answer, thrown here as it was thrown there; SOLVER_ERROR for a code that the
/// catalogue does not know as an error.
[[noreturn]] void throw_worker_error(const Words& error);

}  // namespace flyball::jobs
