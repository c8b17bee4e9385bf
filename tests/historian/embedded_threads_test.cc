// Readers beside a writer: none waits for the other, and each answer is of one commit.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "historian/embedded_historian.h"
#include "support/temp_folder.h"

namespace flyball::historian {
namespace {

plant::Run the_run() {
  plant::Run run;
  run.id = "r";
  run.line_id = "L1";
  run.product_id = "film";
  run.recipe_id = "hot";
  return run;
}

std::vector<Sample> all(const Historian& store, const std::string& node) {
  PageRequest request;
  request.node_id = node;
  return read_all(store, request);
}

TEST(EmbeddedThreads, ReadersSeeWholeCommitsWhileAWriterIsAtWork) {
  const testing::TempFolder folder;
  EmbeddedHistorian store(folder.path(), {.chunk_samples = 32, .direct_samples = 24});
  std::atomic<bool> done = false;
  std::atomic<int> torn = 0, read = 0;
  const auto look = [&] {
    while (!done) {
      const auto samples = all(store, "L1/T");
      // Commit k rewrites all times so far with the value k: one answer never holds two values.
      for (const Sample& s : samples) torn += s.value != samples.front().value ? 1 : 0;
      const auto latest = store.latest("L1/T");
      torn += !samples.empty() && (!latest || latest->value < samples.back().value) ? 1 : 0;
      ++read;
    }
  };
  std::thread first(look), second(look);
  for (int k = 1; k <= 100; ++k) {
    const auto writer = store.begin();
    std::vector<Sample> batch;
    for (TimeUs at = 0; at < k; ++at) batch.push_back({at, static_cast<double>(k), kGood});
    for (std::size_t i = 0; i < batch.size(); i += 20)
      writer->append(the_run(), "L1/T",
                     std::span(batch).subspan(i, std::min<std::size_t>(20, batch.size() - i)));
    writer->commit();
  }
  done = true;
  first.join();
  second.join();
  EXPECT_EQ(torn, 0);
  EXPECT_GT(read, 0);
  EXPECT_EQ(all(store, "L1/T").size(), 100u);
}

TEST(EmbeddedThreads, AReaderDoesNotWaitForAWriterThatIsOpen) {
  const testing::TempFolder folder;
  EmbeddedHistorian store(folder.path());
  store.append(the_run(), "L1/T", std::vector<Sample>{{1, 1, kGood}});
  const auto writer = store.begin();
  writer->append(the_run(), "L1/T", std::vector<Sample>{{2, 2, kGood}});
  std::thread reader([&] { EXPECT_EQ(all(store, "L1/T").size(), 1u); });
  reader.join();
  writer->commit();
  EXPECT_EQ(all(store, "L1/T").size(), 2u);
}

TEST(EmbeddedThreads, WritersOfSeveralThreadsTakeTurns) {
  const testing::TempFolder folder;
  EmbeddedHistorian store(folder.path());
  const auto write = [&](TimeUs start) {
    for (TimeUs i = 0; i < 50; ++i)
      store.append(the_run(), "L1/T", std::vector<Sample>{{start + 2 * i, 0, kGood}});
  };
  std::thread even(write, 0), odd(write, 1);
  even.join();
  odd.join();
  EXPECT_EQ(all(store, "L1/T").size(), 100u);
}

}  // namespace
}  // namespace flyball::historian
