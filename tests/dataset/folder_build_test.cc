// build_to_folder(): one run in memory at a time, and the same files as build() and save().
#include <gtest/gtest.h>
#include <unistd.h>

#include "dataset/fixtures.h"
#include "dataset/folder.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;
namespace fs = store::fs;

class FolderBuild : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    data_ = fs::temp_directory_path() / ("flyball-fb-" + std::to_string(::getpid()) + "-" + name);
    fs::remove_all(data_);
  }
  void TearDown() override { fs::remove_all(data_); }

  static void fill(historian::MemoryHistorian& h, int runs) {
    for (int i = 0; i < runs; ++i) {
      Record r = record(200 + static_cast<std::size_t>(40 * i), 3 + static_cast<std::uint32_t>(i));
      r.d[7] = r.u[9] = r.y[33] = std::nan("");
      for (std::size_t k = 90; k < 97; ++k) r.y[k] = std::nan("");
      r.y[120] += 80;
      store(h, run_named("r" + std::to_string(i), kStart + i * kDay), r);
    }
  }
  [[nodiscard]] std::vector<std::string> folders() const {
    std::vector<std::string> out;
    for (const auto& e : fs::directory_iterator(data_ / "datasets"))
      out.push_back(e.path().filename().string());
    return out;
  }

  fs::path data_;
};

TEST_F(FolderBuild, GivesTheFilesOfBuildAndSave) {
  for (const int runs : {1, 2, 6}) {
    for (const Materialize form : {Materialize::series, Materialize::windows}) {
      historian::MemoryHistorian h;
      fill(h, runs);
      Spec spec = small_spec();
      spec.materialize = form;
      const Built built = build(h, spec);
      const Saved expected = save(built, data_ / "a");
      const BuiltFolder got = build_to_folder(h, spec, {}, data_ / "b");
      EXPECT_EQ(got.saved.sha256, expected.sha256);
      EXPECT_EQ(got.saved.id, expected.id);
      EXPECT_FALSE(got.saved.existed);
      EXPECT_EQ(got.built.dataset.norm.std, built.dataset.norm.std);
      EXPECT_TRUE(got.built.dataset.runs.empty());
      EXPECT_EQ(to_json_value(got.built.report), to_json_value(built.report));
      const Built back = load(got.saved.folder, expected.sha256);
      EXPECT_EQ(digest(back).sha256, expected.sha256);
      EXPECT_EQ(Folder(got.saved.folder).sha256_of(kReportFile),
                Folder(expected.folder).sha256_of(kReportFile));
    }
  }
}

TEST_F(FolderBuild, KeepsAnEqualDatasetAndLeavesNothingBeside) {
  historian::MemoryHistorian h;
  fill(h, 4);
  const auto first = build_to_folder(h, small_spec(), {}, data_);
  const auto second = build_to_folder(h, small_spec(), {}, data_);
  EXPECT_TRUE(second.saved.existed);
  EXPECT_EQ(folders(), std::vector<std::string>{first.saved.id});
}

TEST_F(FolderBuild, LeavesNothingBehindWhenItFails) {
  historian::MemoryHistorian h;
  fill(h, 4);
  Spec spec = small_spec();
  spec.materialize = Materialize::windows;
  EXPECT_EQ(code_of([&] { build_to_folder(h, spec, {}, data_, {10, {}}); }), "DATASET_TOO_LARGE");
  EXPECT_EQ(code_of([&] {
              build_to_folder(h, small_spec(), {}, data_, {10, 20'000});
            }),
            "DISK_QUOTA");
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(
      code_of([&] { build_to_folder(h, small_spec(), {}, data_, {}, {}, source.get_token()); }),
      "CANCELLED");
  EXPECT_TRUE(folders().empty());
}

TEST_F(FolderBuild, ASummaryIsReadWithoutTheSeries) {
  historian::MemoryHistorian h;
  fill(h, 4);
  const auto got = build_to_folder(h, small_spec(), {}, data_);
  const Built summary = load_summary(got.saved.folder, got.saved.sha256);
  EXPECT_TRUE(summary.dataset.runs.empty());
  EXPECT_EQ(to_json_value(summary.dataset.blocks), to_json_value(got.built.dataset.blocks));
  EXPECT_EQ(to_json_value(summary.report), to_json_value(got.built.report));
}

}  // namespace
}  // namespace flyball::dataset
