#include "dataset/diff.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "dataset/fixtures.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;
namespace fs = store::fs;

class Diff : public testing::Test {
 protected:
  void SetUp() override {
    data_ = fs::temp_directory_path() / ("flyball-diff-" + std::to_string(::getpid()));
    fs::remove_all(data_);
    store_runs(h_, 5, 200);
  }
  void TearDown() override { fs::remove_all(data_); }

  fs::path saved(const Spec& spec) { return save(build(h_, spec), data_).folder; }
  static std::vector<std::string> places(const std::vector<ValueDiff>& diffs) {
    std::vector<std::string> out;
    for (const ValueDiff& d : diffs) out.push_back(d.at);
    return out;
  }

  historian::MemoryHistorian h_;
  fs::path data_;
};

TEST_F(Diff, OfADatasetWithItselfIsEmpty) {
  const fs::path a = saved(small_spec());
  const DatasetDiff d = diff(a, a);
  EXPECT_TRUE(d.same);
  EXPECT_TRUE(d.spec.empty() && d.runs.empty() && d.counts.empty() && d.norms.empty() &&
              d.lineage.empty() && d.files.empty());
}

TEST_F(Diff, NamesWhatWasAskedForAndWhatCameOfIt) {
  Spec spec = small_spec();
  spec.run_ids = {"r0", "r1", "r2", "r3"};
  const fs::path a = saved(spec);
  spec.run_ids = {"r1", "r2", "r3", "r4"};
  spec.variables[2].max = 22;
  const DatasetDiff d = diff(a, saved(spec));
  EXPECT_FALSE(d.same);
  EXPECT_EQ(d.runs_only_a, std::vector<std::string>{"r0"});
  EXPECT_EQ(d.runs_only_b, std::vector<std::string>{"r4"});
  const auto spec_at = places(d.spec);
  ASSERT_NE(std::ranges::find(spec_at, "/variables/y/max"), spec_at.end());
  EXPECT_NE(std::ranges::find(spec_at, "/runIds/0"), spec_at.end());
  const auto max = std::ranges::find(d.spec, "/variables/y/max", &ValueDiff::at);
  EXPECT_TRUE(max->a.is_null());
  EXPECT_EQ(max->b, 22);
  const auto counts = places(d.counts);
  EXPECT_NE(std::ranges::find(counts, "/cleaning/L1~1y/droppedRange"), counts.end());
  EXPECT_FALSE(d.norms.empty());
  const auto file = std::ranges::find(d.files, "arrays/r0.f64", &FileDiff::path);
  ASSERT_NE(file, d.files.end());
  EXPECT_EQ(file->a.size(), 64U);
  EXPECT_EQ(file->b, "");
  EXPECT_EQ(std::ranges::find(d.files, "arrays/r2.t.i64", &FileDiff::path), d.files.end())
      << "equal bytes are no difference";
}

TEST(DiffJson, GoesDownToTheValueThatDiffers) {
  const Json a = {{"x", {1, 2, {{"y", 3}}}}, {"only", true}, {"same", "s"}};
  const Json b = {{"x", {1, 5, {{"y", 4}}, 6}}, {"same", "s"}};
  const auto diffs = diff_json(a, b);
  ASSERT_EQ(diffs.size(), 4U);
  EXPECT_EQ(diffs[0].at, "/only");
  EXPECT_TRUE(diffs[0].b.is_null());
  EXPECT_EQ(diffs[1].at, "/x/1");
  EXPECT_EQ(diffs[2].at, "/x/2/y");
  EXPECT_EQ(diffs[3].at, "/x/3");
}

}  // namespace
}  // namespace flyball::dataset
