#pragma once
// A queue that lives as long as the object: for tests.
#include <map>
#include <mutex>

#include "jobs/queue.h"

namespace flyball::jobs {

class MemoryQueue : public Queue {
 public:
  explicit MemoryQueue(QueueLimits limits = {}) : limits_(limits) {}

  Job submit(const Submission& asked, TimeUs now) override;
  Job retry(const std::string& id, TimeUs now) override;
  std::optional<Job> claim(const std::string& owner, std::int64_t slots, TimeUs now,
                           TimeUs lease_until) override;
  bool move(const Move& step, const std::function<void()>& with) override;
  bool note(const std::string& id, std::int64_t attempt, const ProgressNote& progress) override;
  void renew(const std::string& owner, TimeUs lease_until) override;
  std::vector<Job> abandoned(const std::string& survivor, bool owner_is_gone, TimeUs now) override;
  Job job(const std::string& id) override;
  std::vector<Attempt> attempts(const std::string& id) override;
  JobPage list(const JobFilter& filter, std::int64_t limit,
               const std::optional<std::string>& cursor) override;
  std::vector<std::int64_t> count() override;
  void remove(const std::string& id) override;

 private:
  struct Entry {
    std::int64_t sequence = 0;
    Job job;  ///< its attempt is the newest
    std::vector<Attempt> earlier;
    std::int64_t waits_since = 0;  ///< sequence of the newest attempt
  };

  Entry& find(const std::string& id);
  void check_room() const;

  QueueLimits limits_;
  std::recursive_mutex mutex_;  ///< a step's `with` may call back
  std::int64_t sequence_ = 0;
  std::map<std::string, Entry> entries_;
};

}  // namespace flyball::jobs
