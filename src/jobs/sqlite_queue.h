#pragma once
// The queue in flyball.db: what it says is durable when a call returns. Each call is atomic by
// itself and takes part in a transaction that the same thread has open on the same connection.
#include <mutex>

#include "jobs/queue.h"
#include "store/sqlite.h"

namespace flyball::jobs {

class SqliteQueue final : public Queue {
 public:
  /// `guard` is held by everybody who uses `db`.
  SqliteQueue(store::Database& db, std::recursive_mutex& guard, QueueLimits limits = {})
      : db_(db), guard_(guard), limits_(limits) {}

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
  store::Database& db_;
  std::recursive_mutex& guard_;
  QueueLimits limits_;
};

}  // namespace flyball::jobs
