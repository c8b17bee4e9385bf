#include "jobs/worker.h"

#include <poll.h>

#include <nlohmann/json.hpp>

namespace flyball::jobs {
namespace {

using Clock = std::chrono::steady_clock;
using Got = FrameReader::Got;

/// Throws FRAME_CORRUPT, FRAME_INVALID; WORKER_PROTOCOL when it is not for us.
WorkerFrame read_frame(const std::string& line, pid_t pid) {
  const auto frame = parse_record<WorkerFrame>(open_frame(line), "FRAME_INVALID");
  if (frame.protocol_version != kProtocolVersion)
    throw Error("WORKER_PROTOCOL",
                {{"detail", "it speaks version " + std::to_string(frame.protocol_version) +
                                " of the protocol, not " + std::to_string(kProtocolVersion)}});
  if (frame.pid != pid)
    throw Error("WORKER_PROTOCOL", {{"detail", "it gives the number of another process"}});
  return frame;
}

Message protocol(std::string detail) {
  return {"WORKER_PROTOCOL", {{"detail", std::move(detail)}}};
}

Message protocol(const Error& e) {
  return e.code() == "WORKER_PROTOCOL" ? e.message() : protocol(std::string(e.what()));
}

Message interrupted(Process& process) {
  if (!process.wait(std::chrono::milliseconds(100)))
    return {"WORKER_INTERRUPTED", {{"reason", "it closed its output"}}};
  const ChildEnd end = process.reap();
  return {"WORKER_INTERRUPTED",
          {{"reason", end.signal != 0 ? "ended by signal " + std::to_string(end.signal)
                                      : "ended with exit code " + std::to_string(end.exit_code)}}};
}

}  // namespace

Worker::Worker(const WorkerOptions& options, std::unique_ptr<Process> process, int wake)
    : options_(options), process_(std::move(process)), reader_(process_->out()) {
  const Got got = reader_.next(Clock::now() + options_.ready, wake);
  if (got == Got::woken) throw Error("WORKER_RETIRING");
  if (got == Got::nothing)
    throw Error("WORKER_START_TIMEOUT",
                {{"seconds", static_cast<double>(options_.ready.count()) / 1000, "s"}});
  if (got == Got::ended) throw Error("WORKER_EXITED", {{"log", options_.process.log.string()}});
  try {
    if (got == Got::too_long)
      throw Error("WORKER_PROTOCOL", {{"detail", "a frame without an end"}});
    if (read_frame(reader_.line(), process_->pid()).type != Saying::ready)
      throw Error("WORKER_PROTOCOL", {{"detail", "its first word was not ready"}});
  } catch (const Error& e) {
    const Message why = protocol(e);
    throw Error(why.code, why.params);
  }
}

bool Worker::usable() const {
  pollfd look{process_->out(), POLLIN, 0};
  return ::poll(&look, 1, 0) == 0 && !process_->ended();
}

Worker::Answer Worker::broken(Message why) const {
  Answer out;
  out.fate = Fate::retired;
  out.failure = true;
  out.broken = std::move(why);
  return out;
}

Worker::Answer Worker::ask(const std::string& op, const Json& payload,
                           std::chrono::milliseconds deadline, int wake) {
  const std::string id = std::to_string(process_->pid()) + "-" + std::to_string(++asked_);
  WorkerRequest request{
      .req_id = id, .op = op, .payload = payload, .deadline_ms = deadline.count()};
  const auto until = Clock::now() + deadline;
  process_->allow_cpu(deadline);
  if (!send_all(process_->in(), seal_frame(to_json_value(request)), until, wake)) {
    if (Clock::now() >= until)
      return give_up(id, {"SOLVE_TIMEOUT", {{"limit", deadline.count(), "ms"}}});
    if (process_->ended()) return broken(interrupted(*process_));
    return give_up(id, {"CANCELLED", {}});
  }
  Answer out = wait_for(id, until, wake);
  if (out.broken && out.broken->code == "SOLVE_TIMEOUT")
    return give_up(id, {"SOLVE_TIMEOUT", {{"limit", deadline.count(), "ms"}}});
  if (out.broken && out.broken->code == "CANCELLED") return give_up(id, *out.broken);
  return out;
}

Worker::Answer Worker::give_up(const std::string& id, Message why) {
  WorkerRequest cancel{.req_id = id, .op = "cancel"};
  const auto until = Clock::now() + options_.grace;
  Answer out;
  if (send_all(process_->in(), seal_frame(to_json_value(cancel)), until, -1))
    out = wait_for(id, until, -1);
  const bool answered = !out.broken && out.fate == Fate::idle;
  // One that let its time pass is ended in any case; who was told to stop and did may go on.
  out.fate = answered && why.code == "CANCELLED" ? Fate::idle : Fate::retired;
  out.failure = !answered;
  out.error.reset();
  out.broken = std::move(why);
  return out;
}

Worker::Answer Worker::wait_for(const std::string& id, Clock::time_point until, int wake) {
  for (;;) {
    const Got got = reader_.next(until, wake);
    if (got == Got::nothing) return broken({"SOLVE_TIMEOUT", {{"limit", 0, "ms"}}});
    if (got == Got::woken) return broken({"CANCELLED", {}});
    if (got == Got::ended) return broken(interrupted(*process_));
    if (got == Got::too_long) return broken(protocol("a frame without an end"));
    try {
      WorkerFrame frame = read_frame(reader_.line(), process_->pid());
      if (frame.type == Saying::heartbeat) continue;
      if (frame.type != Saying::answer || frame.req_id != id)
        return broken(protocol("an answer that nobody asked for"));
      Answer out;
      out.result = std::move(frame.result);
      out.error = std::move(frame.error);
      return out;
    } catch (const Error& e) {
      return broken(protocol(e));
    }
  }
}

bool Worker::retire() {
  process_->kill_tree();
  return process_->wait(options_.confirm);
}

}  // namespace flyball::jobs
