#include "dataset/store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "dataset/fixtures.h"
#include "dataset/manifest.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;
namespace fs = store::fs;

class DatasetFolder : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    data_ =
        fs::temp_directory_path() / ("flyball-dataset-" + std::to_string(::getpid()) + "-" + name);
    fs::remove_all(data_);
  }
  void TearDown() override { fs::remove_all(data_); }

  static Built example(int runs = 2) {
    historian::MemoryHistorian h;
    for (int i = 0; i < runs; ++i) {
      Record r = record(120, 5 + static_cast<std::uint32_t>(i));
      r.d[7] = std::nan("");
      r.u[9] = std::nan("");
      store(h, run_named("run " + std::to_string(i), kStart + i * kDay), r);
    }
    return build(h, small_spec());
  }

  static std::string slurp(const fs::path& p) {
    std::ifstream in(p, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void spill(const fs::path& p, const std::string& bytes) {
    std::ofstream(p, std::ios::binary | std::ios::trunc) << bytes;
  }
  std::vector<fs::path> files(const fs::path& folder) {
    std::vector<fs::path> out;
    for (const auto& e : fs::recursive_directory_iterator(folder)) {
      if (e.is_regular_file()) out.push_back(e.path());
    }
    return out;
  }

  fs::path data_;
};

bool same_numbers(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a(i), y = b(i);
    if (!(x == y || (std::isnan(x) && std::isnan(y)))) return false;
  }
  return true;
}

TEST_F(DatasetFolder, ReadsBackWhatWasWritten) {
  const Built built = example();
  const Saved saved = save(built, data_);
  EXPECT_FALSE(saved.existed);
  EXPECT_EQ(saved.id, "ds-" + saved.sha256.substr(0, 16));
  const Built back = load(saved.folder, saved.sha256);
  ASSERT_EQ(back.dataset.runs.size(), built.dataset.runs.size());
  for (std::size_t i = 0; i < built.dataset.runs.size(); ++i) {
    const Series &a = built.dataset.runs[i], &b = back.dataset.runs[i];
    EXPECT_EQ(a.run_id, b.run_id);
    EXPECT_EQ(a.t, b.t);
    EXPECT_TRUE(same_numbers(a.values, b.values));
    EXPECT_EQ(a.mask, b.mask);
  }
  EXPECT_EQ(to_json_value(built.dataset.spec), to_json_value(back.dataset.spec));
  EXPECT_EQ(to_json_value(built.dataset.blocks), to_json_value(back.dataset.blocks));
  EXPECT_EQ(built.dataset.norm.mean, back.dataset.norm.mean);
  EXPECT_EQ(built.dataset.norm.std, back.dataset.norm.std);
  EXPECT_EQ(to_json_value(built.report), to_json_value(back.report));
  EXPECT_EQ(digest(back).sha256, saved.sha256) << "what was read has the hash of what was written";
}

TEST_F(DatasetFolder, HasTheSameHashEachTimeAndAnotherForOtherData) {
  EXPECT_EQ(digest(example()).sha256, digest(example()).sha256);
  Built other = example();
  other.dataset.runs[1].values(3, 2) += 1e-9;
  EXPECT_NE(digest(example()).sha256, digest(other).sha256);
  other = example();
  other.dataset.spec.note = "changed";
  EXPECT_NE(digest(example()).sha256, digest(other).sha256);
  other = example();
  other.report.warnings.clear();
  EXPECT_EQ(digest(example()).sha256, digest(other).sha256) << "report.json is outside the hash";
}

TEST_F(DatasetFolder, KeepsAnEqualDatasetThatIsThere) {
  const Saved first = save(example(), data_);
  const Saved second = save(example(), data_);
  EXPECT_TRUE(second.existed);
  EXPECT_EQ(first.folder, second.folder);
  int folders = 0;
  for (const auto& e : fs::directory_iterator(data_ / "datasets"))
    folders += e.is_directory() ? 1 : 0;
  EXPECT_EQ(folders, 1);
}

TEST_F(DatasetFolder, NamesTheFileInWhichOneBitFlipped) {
  const Saved saved = save(example(), data_);
  const auto all = files(saved.folder);
  EXPECT_EQ(all.size(), 4U + 2 * 3U);
  math::Random random(11);
  for (const fs::path& file : all) {
    const std::string good = slurp(file);
    for (int trial = 0; trial < 8; ++trial) {
      std::string bad = good;
      auto& byte =
          bad[static_cast<std::size_t>(random.index(static_cast<std::int64_t>(bad.size())))];
      byte = static_cast<char>(byte ^ (1 << random.index(8)));
      spill(file, bad);
      try {
        (void)load(saved.folder, saved.sha256);
        ADD_FAILURE() << "a flipped bit in " << file << " was not noticed";
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), "DATASET_CORRUPT");
        EXPECT_EQ(e.message().params.at(1).name, "file");
        EXPECT_EQ(std::get<std::string>(e.message().params.at(1).value),
                  fs::relative(file, saved.folder).string())
            << e.what();
      }
    }
    spill(file, good);
  }
  EXPECT_NO_THROW(load(saved.folder, saved.sha256));
}

TEST_F(DatasetFolder, NamesAMissingAndAShortenedFile) {
  const Saved saved = save(example(), data_);
  const fs::path victim = saved.folder / "arrays" / "run%200.f64";
  const std::string good = slurp(victim);
  fs::remove(victim);
  EXPECT_EQ(code_of([&] { (void)load(saved.folder); }), "DATASET_CORRUPT");
  spill(victim, good.substr(0, good.size() - 8));
  EXPECT_EQ(code_of([&] { (void)load(saved.folder); }), "DATASET_CORRUPT");
  EXPECT_EQ(code_of([&] { save(example(), data_); }), "DATASET_CORRUPT")
      << "a damaged folder is not taken for good";
  EXPECT_EQ(code_of([&] { (void)load(data_ / "datasets" / "ds-0000000000000000"); }),
            "FILE_NOT_FOUND");
}

TEST_F(DatasetFolder, RefusesAnotherDatasetThanTheOneAskedFor) {
  const Saved saved = save(example(), data_);
  EXPECT_EQ(code_of([&] { (void)load(saved.folder, std::string(64, '0')); }), "DATASET_CORRUPT");
  const fs::path renamed = saved.folder.parent_path() / "ds-0123456789abcdef";
  fs::rename(saved.folder, renamed);
  EXPECT_EQ(code_of([&] { (void)load(renamed); }), "DATASET_CORRUPT");
}

TEST_F(DatasetFolder, CarriesNoClockAndNoPath) {
  const Saved saved = save(example(), data_);
  for (const char* name : {"spec.json", "manifest.json", "arrays/sidecar.json"}) {
    EXPECT_EQ(slurp(saved.folder / name).find(data_.string()), std::string::npos);
  }
  const Manifest m =
      parse_record<Manifest>(parse_json(slurp(saved.folder / "manifest.json"), "manifest.json"));
  EXPECT_EQ(m.version, 2);
  EXPECT_EQ(m.provenance.captured_at, static_cast<double>(kStart + kDay + 119 * kSecond) / 1000);
  EXPECT_EQ(m.control_nodes, std::vector<std::string>{"L1/u"});
}

TEST(FileName, IsSafeAndDistinct) {
  EXPECT_EQ(file_name_of("batch-7_a.2"), "batch-7_a.2");
  EXPECT_EQ(file_name_of("../etc/passwd"), "%2E.%2Fetc%2Fpasswd");
  EXPECT_EQ(file_name_of(".."), "%2E.");
  EXPECT_EQ(file_name_of("100%"), "100%25");
  const std::string long_a(300, 'a'), long_b = long_a + "b";
  EXPECT_LE(file_name_of(long_a).size(), 200U);
  EXPECT_NE(file_name_of(long_a), file_name_of(long_b));
}

}  // namespace
}  // namespace flyball::dataset
