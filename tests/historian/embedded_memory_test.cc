// The embedded store does what the one in memory does, whatever is written in whatever order.
#include <gtest/gtest.h>

#include <cmath>

#include "contract/same_content.h"
#include "historian/embedded_historian.h"
#include "historian/memory_historian.h"
#include "math/random.h"
#include "support/temp_folder.h"

namespace flyball::historian {
namespace {

using math::Random;

plant::Run a_run(Random& random) {
  const auto i = random.index(4);
  plant::Run run;
  run.id = "r" + std::to_string(i);
  run.line_id = i == 3 ? "L2" : "L1";
  run.product_id = "film";
  run.recipe_id = i == 1 ? "hot" : "cold";
  run.started_at = random.index(3);
  return run;
}

std::string a_node(Random& random, const std::string& line) {
  return line + "/T" + std::to_string(random.index(3));
}

Filter a_filter(Random& random) {
  Filter filter;
  if (random.index(3) == 0) filter.run_id = "r" + std::to_string(random.index(5));
  if (random.index(4) == 0) filter.recipe_id = "hot";
  if (random.index(4) == 0) filter.line_id = "L1";
  return filter;
}

/// After what was written last, or anywhere; sorted or not; with repeats.
std::vector<Sample> a_batch(Random& random, TimeUs& end) {
  const std::int64_t sizes[] = {1, 1, 2, 5, 30, 120};
  const std::int64_t n = sizes[random.index(6)];
  const std::int64_t way = random.index(4);
  const DurationUs step = 1 + random.index(way == 0 ? 40'000'000 : 40);
  TimeUs at = way < 2 ? end : random.index(end + 1);
  std::vector<Sample> out;
  for (std::int64_t i = 0; i < n; ++i) {
    at += way == 3 ? random.index(60) - 30 : step;
    double value = static_cast<double>(random.index(100)) / 10;
    if (random.index(20) == 0) value = std::nan("");
    out.push_back({at, value, random.index(9) == 0 ? kBad : kGood});
    end = std::max(end, at);
  }
  return out;
}

class Both {
 public:
  explicit Both(std::uint32_t seed) : random_(seed) {
    options_.chunk_samples = 4 + static_cast<std::size_t>(random_.index(40));
    options_.direct_samples = 2 + static_cast<std::size_t>(random_.index(60));
    reopen();
  }

  void write() {
    const auto mine = embedded_->begin(), truth = memory_.begin();
    const TimeUs end = end_;
    for (std::int64_t i = random_.index(4); i >= 0; --i) {
      const plant::Run run = a_run(random_);
      const std::string node = a_node(random_, run.line_id);
      const auto batch = a_batch(random_, end_);
      const AppendResult got = mine->append(run, node, batch);
      const AppendResult expected = truth->append(run, node, batch);
      ASSERT_EQ(got.stored, expected.stored);
      ASSERT_EQ(got.merged, expected.merged);
    }
    if (random_.index(5) == 0) {
      end_ = end;
      return;
    }
    mine->commit();
    truth->commit();
  }

  void reopen() {
    embedded_.reset();
    embedded_ = std::make_unique<EmbeddedHistorian>(folder_.path(), options_);
  }

  void compare() {
    expect_same_content(*embedded_, memory_);
    for (const std::string& node : memory_.nodes("")) {
      for (int i = 0; i < 4; ++i) compare_page(node);
      for (int i = 0; i < 4; ++i) compare_latest(node);
      compare_aggregate(node);
    }
    EXPECT_TRUE(embedded_->verify().empty());
  }

  Random& random() { return random_; }

 private:
  TimeUs a_time() { return random_.index(end_ + 10) - 5; }

  void compare_page(const std::string& node) {
    PageRequest request;
    request.node_id = node;
    request.filter = a_filter(random_);
    request.limit = 1 + random_.index(50);
    if (random_.index(2) == 0) request.from = a_time();
    if (random_.index(2) == 0) request.to = a_time();
    if (random_.index(4) == 0) request.after = a_time();
    const std::int64_t pages = 1 + random_.index(20);
    for (std::int64_t i = 0; i < pages; ++i) {
      const Page got = embedded_->page(request), expected = memory_.page(request);
      expect_same(got.samples, expected.samples);
      ASSERT_EQ(got.next, expected.next);
      if (!got.next) return;
      request.after = got.next;
    }
  }

  void compare_latest(const std::string& node) {
    const Filter filter = a_filter(random_);
    const TimeUs before = random_.index(2) == 0 ? INT64_MAX : a_time();
    const auto got = embedded_->latest(node, filter, before);
    const auto expected = memory_.latest(node, filter, before);
    ASSERT_EQ(got.has_value(), expected.has_value());
    if (got) expect_same({*got}, {*expected});
  }

  void compare_aggregate(const std::string& node) {
    AggregateRequest request;
    request.node_id = node;
    request.filter = a_filter(random_);
    request.from = a_time();
    request.to = request.from + 1 + random_.index(end_);
    request.bucket = 1 + (request.to - request.from) / (1 + random_.index(20));
    request.stepped = random_.index(2) == 0;
    const auto got = embedded_->aggregate(request), expected = memory_.aggregate(request);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].count, expected[i].count);
      EXPECT_EQ(got[i].mean, expected[i].mean);
      EXPECT_EQ(got[i].min, expected[i].min);
      EXPECT_EQ(got[i].max, expected[i].max);
      EXPECT_EQ(got[i].good_share, expected[i].good_share);
    }
  }

  Random random_;
  testing::TempFolder folder_;
  EmbeddedOptions options_;
  std::unique_ptr<EmbeddedHistorian> embedded_;
  MemoryHistorian memory_;
  TimeUs end_ = 0;
};

class EmbeddedIsLikeMemory : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(EmbeddedIsLikeMemory, InEverythingThatCanBeRead) {
  Both both(GetParam());
  for (int round = 0; round < 80 && !::testing::Test::HasFatalFailure(); ++round) {
    both.write();
    if (both.random().index(20) == 0) both.reopen();
    if (both.random().index(6) == 0) both.compare();
  }
  both.compare();
}

INSTANTIATE_TEST_SUITE_P(Seeds, EmbeddedIsLikeMemory, ::testing::Range(1u, 13u));

}  // namespace
}  // namespace flyball::historian
