// A writer that is killed at any moment has lost nothing that it acknowledged, and nothing of the
// batch that it was writing is there in part.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "contract/same_content.h"
#include "fault/historian_plan.h"
#include "historian/embedded_historian.h"
#include "historian/memory_historian.h"
#include "support/temp_folder.h"

namespace flyball::historian {
namespace {

constexpr int kKills = 60;

/// Writes batch after batch and says so on a pipe.
class WriterProcess {
 public:
  WriterProcess(const std::filesystem::path& folder, const EmbeddedOptions& options) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    acknowledged_ = ends[0];
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      write_on(folder, options, ends[1]);
    }
    ::close(ends[1]);
  }
  ~WriterProcess() { ::close(acknowledged_); }
  WriterProcess(const WriterProcess&) = delete;
  WriterProcess& operator=(const WriterProcess&) = delete;

  /// The last batch that it acknowledged, -1 for none.
  std::int64_t kill() {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself";
    std::int64_t last = -1;
    for (std::int64_t k; ::read(acknowledged_, &k, sizeof k) == sizeof k;) last = k;
    return last;
  }

 private:
  [[noreturn]] static void write_on(const std::filesystem::path& folder,
                                    const EmbeddedOptions& options, int pipe) {
    try {
      EmbeddedHistorian store(folder, options);
      for (std::int64_t k = batches(store);; ++k) {
        write_batch(store, k);
        if (::write(pipe, &k, sizeof k) != sizeof k) break;
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    ::_exit(1);
  }

  pid_t pid_ = -1;
  int acknowledged_ = -1;
};

TEST(HistorianKilled, KeepsWhatWasAcknowledgedAndNothingInPart) {
  const testing::TempFolder folder;
  MemoryHistorian truth;
  math::Random random(1);
  int unacknowledged = 0;
  for (int round = 0; round < kKills; ++round) {
    SCOPED_TRACE(round);
    EmbeddedOptions options;
    if (round % 2 == 0) options = {.chunk_samples = 32, .direct_samples = 16};
    const std::int64_t before = batches(truth);
    WriterProcess writer(folder.path(), options);
    std::this_thread::sleep_for(std::chrono::microseconds(random.index(60'000)));
    const std::int64_t acknowledged = std::max(before, writer.kill() + 1);

    if (!EmbeddedHistorian::exists(folder.path())) continue;  // killed before it began
    const EmbeddedHistorian store(folder.path(), {.read_only = round % 3 == 0});
    const std::int64_t stored = batches(store);
    ASSERT_GE(stored, acknowledged);
    ASSERT_LE(stored, acknowledged + 1) << "at most the batch whose word did not get out";
    unacknowledged += stored > acknowledged ? 1 : 0;
    while (batches(truth) < stored) write_batch(truth, batches(truth));
    expect_same_content(store, truth);
    ASSERT_TRUE(store.verify().empty());
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(batches(truth), kKills) << "the writers got something done";
  RecordProperty("batches", static_cast<int>(batches(truth)));
  // Most die while they wait for the disk: what they wrote then is there all the same.
  RecordProperty("committedButNotAcknowledged", unacknowledged);
}

}  // namespace
}  // namespace flyball::historian
