// The time series store on a full disk.
#include <gtest/gtest.h>

#include "contract/same_content.h"
#include "fault/historian_plan.h"
#include "historian/embedded_historian.h"
#include "historian/memory_historian.h"
#include "store/files.h"
#include "support/expect_error.h"
#include "support/small_disk.h"

namespace flyball::historian {
namespace {

using testing::SmallDisk;

/// Writes batches to both until the disk is full.
void fill(EmbeddedHistorian& store, MemoryHistorian& truth) {
  EXPECT_ERROR(
      for (;;) {
        write_batch(store, batches(truth));
        write_batch(truth, batches(truth));
      },
      "DISK_FULL");
}

TEST(HistorianOnAFullDisk, SaysSoKeepsWhatWasCommittedAndGoesOnWhenThereIsSpace) {
  const SmallDisk disk(4096);
  FLYBALL_NEEDS_DISK(disk);
  const auto filler = disk.path() / "filler";
  store::write_file(filler, std::string(2 * 1024 * 1024, 'x'));
  MemoryHistorian truth;
  {
    EmbeddedHistorian store(disk.path());
    fill(store, truth);
    const std::int64_t before = batches(truth);
    EXPECT_GT(before, 0);
    expect_same_content(store, truth);
    EXPECT_ERROR(write_batch(store, before), "DISK_FULL");
    std::filesystem::remove(filler);
    for (int i = 0; i < 10; ++i) {
      write_batch(store, batches(truth));
      write_batch(truth, batches(truth));
    }
    expect_same_content(store, truth);
    fill(store, truth);
    EXPECT_GT(batches(truth), before + 10);
  }
  const EmbeddedHistorian store(disk.path(), {.read_only = true});
  expect_same_content(store, truth);
  EXPECT_TRUE(store.verify().empty());
}

TEST(HistorianOnAFullDisk, CannotBeMade) {
  const SmallDisk disk(64);
  FLYBALL_NEEDS_DISK(disk);
  EXPECT_ERROR(EmbeddedHistorian(disk.path()), "DISK_FULL");
}

}  // namespace
}  // namespace flyball::historian
