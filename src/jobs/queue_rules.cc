#include "jobs/queue_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include <charconv>
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

std::int64_t sequence_of(const std::optional<std::string>& cursor) {
  if (!cursor) return INT64_MAX;
  std::int64_t out = 0;
  const char* end = cursor->data() + cursor->size();
  if (cursor->empty() || cursor->front() != 'j' ||
      std::from_chars(cursor->data() + 1, end, out).ptr != end || cursor->size() < 2 || out < 0) {
    throw Error("CURSOR_INVALID", {{"cursor", *cursor}}, "/cursor");
  }
  return out;
}

std::string cursor_of(std::int64_t sequence) {
  return fmt::format("j{}", sequence);
}

}  // namespace flyball::jobs
