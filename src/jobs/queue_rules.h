#pragma once
// What every implementation of the queue does in the same way.
#include "jobs/queue.h"

namespace flyball::jobs {

/// "job-" and 12 random hexadecimal digits.
std::string new_job_id();

/// Throws JOB_NOT_RETRYABLE, RETRY_EXHAUSTED.
void check_retry(const Job& job, const QueueLimits& limits);

[[noreturn]] void throw_queue_full(const QueueLimits& limits);
[[noreturn]] void throw_missing(const std::string& id);
[[noreturn]] void throw_active(const Job& job);

inline constexpr char kJobList = 'j';  ///< of cursors, by sequence

}  // namespace flyball::jobs
