#include <array>

#include "contract/queue_contract.h"
#include "jobs/memory_queue.h"
#include "jobs/schema.h"
#include "jobs/sqlite_queue.h"
#include "store/migrations.h"
#include "support/temp_folder.h"

namespace flyball::jobs {
namespace {

struct MemoryFactory {
  std::unique_ptr<Queue> make(QueueLimits limits) { return std::make_unique<MemoryQueue>(limits); }
};

/// With its own connection on the file, as another process would have.
struct Opened {
  explicit Opened(const std::filesystem::path& path) : db(path) {
    const std::array migrations{migration(1)};
    store::migrate(db, migrations);
  }
  store::Database db;
  std::recursive_mutex guard;
};
class OpenedQueue final : private Opened, public Queue {
 public:
  OpenedQueue(const std::filesystem::path& path, QueueLimits limits)
      : Opened(path), queue_(db, guard, limits) {}
  Job submit(const Submission& asked, TimeUs now) override { return queue_.submit(asked, now); }
  Job retry(const std::string& id, TimeUs now) override { return queue_.retry(id, now); }
  std::optional<Job> claim(const std::string& owner, std::int64_t slots, TimeUs now,
                           TimeUs lease) override {
    return queue_.claim(owner, slots, now, lease);
  }
  bool move(const Move& step, const std::function<void()>& with) override {
    return queue_.move(step, with);
  }
  bool note(const std::string& id, std::int64_t attempt, const ProgressNote& p) override {
    return queue_.note(id, attempt, p);
  }
  void renew(const std::string& owner, TimeUs until) override { queue_.renew(owner, until); }
  std::vector<Job> abandoned(const std::string& survivor, bool gone, TimeUs now) override {
    return queue_.abandoned(survivor, gone, now);
  }
  Job job(const std::string& id) override { return queue_.job(id); }
  std::vector<Attempt> attempts(const std::string& id) override { return queue_.attempts(id); }
  JobPage list(const JobFilter& filter, std::int64_t limit,
               const std::optional<std::string>& cursor) override {
    return queue_.list(filter, limit, cursor);
  }
  std::vector<std::int64_t> count() override { return queue_.count(); }
  void remove(const std::string& id) override { queue_.remove(id); }

 private:
  SqliteQueue queue_;
};

struct SqliteFactory {
  testing::TempFolder folder;
  int files = 0;
  std::unique_ptr<Queue> make(QueueLimits limits) {
    return std::make_unique<OpenedQueue>(folder.path() / (std::to_string(++files) + ".db"), limits);
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, QueueContract, MemoryFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, QueueContract, SqliteFactory);

TEST(SqliteQueue, TwoProcessesNeverGetTheSameJob) {
  testing::TempFolder folder;
  OpenedQueue one(folder.path() / "q.db", {200, 2}), two(folder.path() / "q.db", {200, 2});
  for (int i = 0; i < 100; ++i) one.submit(ask(), i);
  std::vector<std::string> got[2];
  {
    std::jthread a([&] {
      while (const auto j = one.claim("a", 100, 1, 2)) got[0].push_back(j->id);
    });
    std::jthread b([&] {
      while (const auto j = two.claim("b", 100, 1, 2)) got[1].push_back(j->id);
    });
  }
  std::set<std::string> all(got[0].begin(), got[0].end());
  all.insert(got[1].begin(), got[1].end());
  EXPECT_EQ(all.size(), 100u);
  EXPECT_EQ(got[0].size() + got[1].size(), 100u);
}

TEST(State, TerminalOnesAreNeverLeftAndEveryOtherCanBeCancelled) {
  for (int i = 0; i < kStates; ++i) {
    const State s = static_cast<State>(i);
    for (int j = 0; j < kStates; ++j)
      EXPECT_FALSE(terminal(s) && may_follow(s, static_cast<State>(j)));
    EXPECT_EQ(!terminal(s), may_follow(s, State::cancelled) && may_follow(s, State::interrupted));
    EXPECT_EQ(may_follow(s, State::done), s == State::evaluating);
  }
}

}  // namespace
}  // namespace flyball::jobs
