#include "jobs/memory_queue.h"

#include <algorithm>

#include "jobs/queue_rules.h"
#include "store/row_page.h"

namespace flyball::jobs {

MemoryQueue::Entry& MemoryQueue::find(const std::string& id) {
  const auto it = entries_.find(id);
  if (it == entries_.end()) throw_missing(id);
  return it->second;
}

void MemoryQueue::check_room() const {
  const auto waiting = std::ranges::count_if(
      entries_, [](const auto& e) { return e.second.job.attempt.state == State::queued; });
  if (waiting >= limits_.waiting) throw_queue_full(limits_);
}

Job MemoryQueue::submit(const Submission& asked, TimeUs now) {
  const std::lock_guard lock(mutex_);
  check_room();
  Job job{new_job_id(), asked, now, {}};
  ++sequence_;
  entries_[job.id] = {sequence_, job, {}, sequence_};
  return job;
}

Job MemoryQueue::retry(const std::string& id, TimeUs) {
  const std::lock_guard lock(mutex_);
  Entry& entry = find(id);
  check_retry(entry.job, limits_);
  check_room();
  entry.earlier.push_back(entry.job.attempt);
  entry.job.attempt = {};
  entry.job.attempt.number = static_cast<std::int64_t>(entry.earlier.size()) + 1;
  entry.waits_since = ++sequence_;
  return entry.job;
}

std::optional<Job> MemoryQueue::claim(const std::string& owner, std::int64_t slots, TimeUs now,
                                      TimeUs lease_until) {
  const std::lock_guard lock(mutex_);
  Entry* next = nullptr;
  std::int64_t taken = 0;
  const auto order = [](const Entry& e) {
    return std::pair(priority(e.job.asked.kind), e.waits_since);
  };
  for (auto& [id, entry] : entries_) {
    taken += running(entry.job.attempt.state) ? 1 : 0;
    if (entry.job.attempt.state != State::queued) continue;
    if (next == nullptr || order(entry) < order(*next)) next = &entry;
  }
  if (next == nullptr || taken >= slots) return std::nullopt;
  Attempt& attempt = next->job.attempt;
  attempt.state = State::provisioning;
  attempt.owner = owner;
  attempt.started_at = now;
  attempt.lease_until = lease_until;
  return next->job;
}

bool MemoryQueue::move(const Move& step, const std::function<void()>& with) {
  const std::lock_guard lock(mutex_);
  Attempt& attempt = find(step.job_id).job.attempt;
  if (attempt.number != step.attempt || attempt.state != step.from ||
      !may_follow(step.from, step.to))
    return false;
  const Attempt before = attempt;
  attempt.state = step.to;
  if (terminal(step.to)) {
    attempt.ended_at = step.at;
    attempt.lease_until.reset();
    attempt.outcome = step.outcome;
  }
  try {
    if (with) with();
  } catch (...) {
    attempt = before;
    throw;
  }
  return true;
}

bool MemoryQueue::note(const std::string& id, std::int64_t number, const ProgressNote& progress) {
  const std::lock_guard lock(mutex_);
  Attempt& attempt = find(id).job.attempt;
  if (attempt.number != number || !running(attempt.state)) return false;
  attempt.progress = progress;
  return true;
}

void MemoryQueue::renew(const std::string& owner, TimeUs lease_until) {
  const std::lock_guard lock(mutex_);
  for (auto& [id, entry] : entries_) {
    Attempt& attempt = entry.job.attempt;
    if (running(attempt.state) && attempt.owner == owner) attempt.lease_until = lease_until;
  }
}

std::vector<Job> MemoryQueue::abandoned(const std::string& survivor, bool owner_is_gone,
                                        TimeUs now) {
  const std::lock_guard lock(mutex_);
  std::vector<Job> out;
  for (const auto& [id, entry] : entries_) {
    const Attempt& attempt = entry.job.attempt;
    if (!running(attempt.state)) continue;
    const bool expired = attempt.lease_until && *attempt.lease_until < now;
    if (expired || (owner_is_gone && attempt.owner != survivor)) out.push_back(entry.job);
  }
  return out;
}

Job MemoryQueue::job(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return find(id).job;
}

std::vector<Attempt> MemoryQueue::attempts(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Entry& entry = find(id);
  std::vector<Attempt> out = entry.earlier;
  out.push_back(entry.job.attempt);
  return out;
}

JobPage MemoryQueue::list(const JobFilter& filter, std::int64_t limit,
                          const std::optional<std::string>& cursor) {
  const std::lock_guard lock(mutex_);
  const std::int64_t before = store::cursor_number(kJobList, cursor);
  std::vector<const Entry*> found;
  for (const auto& [id, entry] : entries_) {
    const Job& job = entry.job;
    if (entry.sequence < before && (!filter.state || *filter.state == job.attempt.state) &&
        (!filter.kind || *filter.kind == job.asked.kind) &&
        (filter.line_id.empty() || filter.line_id == job.asked.line_id))
      found.push_back(&entry);
  }
  std::ranges::sort(found, std::greater{}, &Entry::sequence);
  JobPage out;
  for (const Entry* entry : found) {
    if (static_cast<std::int64_t>(out.jobs.size()) == limit) {
      out.next_cursor = store::cursor_text(kJobList, find(out.jobs.back().id).sequence);
      break;
    }
    out.jobs.push_back(entry->job);
  }
  return out;
}

std::vector<std::int64_t> MemoryQueue::count() {
  const std::lock_guard lock(mutex_);
  std::vector<std::int64_t> out(kStates, 0);
  for (const auto& [id, entry] : entries_) ++out[static_cast<std::size_t>(entry.job.attempt.state)];
  return out;
}

void MemoryQueue::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Entry& entry = find(id);
  if (!terminal(entry.job.attempt.state)) throw_active(entry.job);
  entries_.erase(id);
}

}  // namespace flyball::jobs
