#include "jobs/queue_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace flyball::jobs {

std::string new_job_id() {
  std::random_device device;
  const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
  return fmt::format("job-{:012x}", bits & 0xffffffffffff);
}

std::vector<std::string> job_ids(Queue& queue) {
  std::vector<std::string> out;
  std::optional<std::string> cursor;
  do {
    const JobPage page = queue.list({}, 1000, cursor);
    for (const Job& job : page.jobs) out.push_back(job.id);
    cursor = page.next_cursor;
  } while (cursor);
  std::ranges::sort(out);
  return out;
}

void check_retry(const Job& job, const QueueLimits& limits) {
  const State state = job.attempt.state;
  if (!terminal(state) || state == State::done)
    throw Error("JOB_NOT_RETRYABLE", {{"id", job.id}, {"state", enum_name(state)}});
  if (job.attempt.number > limits.retries)
    throw Error("RETRY_EXHAUSTED", {{"id", job.id}, {"limit", limits.retries}});
}

void throw_queue_full(const QueueLimits& limits) {
  throw Error("QUEUE_FULL", {{"limit", limits.waiting}});
}

void throw_missing(const std::string& id) {
  throw Error("JOB_MISSING", {{"id", id}});
}

void throw_active(const Job& job) {
  throw Error("JOB_ACTIVE", {{"id", job.id}, {"state", enum_name(job.attempt.state)}});
}

}  // namespace flyball::jobs
