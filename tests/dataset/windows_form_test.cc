#include "dataset/windows_form.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "dataset/fixtures.h"
#include "dataset/manifest.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

Spec windows_spec() {
  Spec spec = small_spec();
  spec.materialize = Materialize::windows;
  return spec;
}

Built example(int runs) {
  historian::MemoryHistorian h;
  for (int i = 0; i < runs; ++i) {
    Record r = record(150, 5 + static_cast<std::uint32_t>(i));
    r.d[7] = r.y[60] = r.u[40] = std::nan("");
    for (std::size_t k = 90; k < 97; ++k) r.d[k] = std::nan("");
    store(h, run_named("r" + std::to_string(i), kStart + i * kDay), r);
  }
  return build(h, windows_spec());
}

template <class T>
std::vector<T> array(const Built& b, WindowArray which) {
  std::string bytes;
  const RunSource runs = in_memory(b.dataset.runs);
  emit_windows(which, b.dataset.spec, b.dataset.blocks, b.dataset.norm, runs,
               [&](std::string_view piece) { bytes += piece; });
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// Windows straight from their definition.
struct Expected {
  std::vector<float> x, u, y, mask;
  std::vector<double> t;
};
Expected by_definition(const Built& b) {
  Expected out;
  const Norm& norm = b.dataset.norm;
  const auto z = [&](const Series& s, Index row, Index c) {
    const auto k = static_cast<std::size_t>(c);
    return static_cast<float>((s.values(row, c) - norm.mean[k]) / norm.std[k]);
  };
  for (const Part part : {Part::train, Part::val, Part::test}) {
    for (const Block* block : b.dataset.part(part)) {
      const Series& s = b.dataset.run(block->run_id);
      for (Index t = block->first_step + 3; t + 2 <= block->first_step + block->steps; ++t) {
        bool good = true;
        for (Index i = t - 3; i < t + 2; ++i)
          good = good && s.mask.row(i).minCoeff() > 0 && (i < t || s.mask(i, 2) == 1);
        if (!good) continue;
        for (Index i = t - 3; i < t + 2; ++i) {
          for (Index c = 0; c < 3 && i < t; ++c) out.x.push_back(z(s, i, c));
          if (i >= t) out.u.push_back(z(s, i, 0));
          if (i >= t) out.y.push_back(z(s, i, 2));
          out.mask.push_back(s.mask.row(i).maxCoeff() == 2 ? 2.0F : 1.0F);
          out.t.push_back(static_cast<double>(s.t[static_cast<std::size_t>(i)]) / 1000);
        }
      }
    }
  }
  return out;
}

TEST(WindowsForm, HoldsWhatTheDefinitionSays) {
  for (const int runs : {1, 4}) {
    const Built b = example(runs);
    const Expected e = by_definition(b);
    EXPECT_EQ(array<float>(b, WindowArray::x), e.x);
    EXPECT_EQ(array<float>(b, WindowArray::u), e.u);
    EXPECT_EQ(array<float>(b, WindowArray::y), e.y);
    EXPECT_EQ(array<float>(b, WindowArray::mask), e.mask);
    EXPECT_EQ(array<double>(b, WindowArray::timestamps), e.t);
    EXPECT_EQ(std::ssize(e.y), 2 * b.report.window_count);
    EXPECT_NE(std::ranges::find(e.mask, 2.0F), e.mask.end());
  }
}

TEST(WindowsForm, TheManifestNamesEveryArrayAndItsShape) {
  const Built b = example(4);
  const Manifest m = manifest_of(b, "");
  ASSERT_TRUE(m.shapes);
  EXPECT_EQ(m.shapes->x, (std::vector<std::int64_t>{b.report.window_count, 3, 3}));
  EXPECT_EQ(m.shapes->u, (std::vector<std::int64_t>{b.report.window_count, 2, 1}));
  EXPECT_EQ(m.artifacts.mask, "arrays/mask.f32");
  EXPECT_EQ(m.artifacts.series.size(), 4U) << "the platform judges by the series";
  const auto sizes =
      array<float>(b, WindowArray::x).size() + array<float>(b, WindowArray::u).size() +
      array<float>(b, WindowArray::y).size() + array<float>(b, WindowArray::mask).size() +
      2 * array<double>(b, WindowArray::timestamps).size();
  std::int64_t series = 0;
  for (const SeriesFiles& s : m.artifacts.series) series += s.steps * (3 * 9 + 8);
  EXPECT_EQ(array_bytes(m), static_cast<std::int64_t>(4 * sizes) + series);
}

TEST(WindowsForm, AColumnThatIsConstantInTrainIsZero) {
  historian::MemoryHistorian h;
  Record r = record(150, 5);
  r.d.assign(150, 12.5);
  store(h, run_named("r", kStart), r);
  const Built b = build(h, windows_spec());
  const auto x = array<float>(b, WindowArray::x);
  for (std::size_t i = 1; i < x.size(); i += 3) EXPECT_EQ(x[i], 0.0F);
}

TEST(WindowsForm, AFlippedBitInAnyFileIsFoundAndNamed) {
  const auto data =
      store::fs::temp_directory_path() / ("flyball-windows-" + std::to_string(::getpid()));
  const Saved saved = save(example(1), data);
  EXPECT_EQ(load(saved.folder).dataset.runs.size(), 1U);
  math::Random random(3);
  int files = 0;
  for (const auto& entry : store::fs::recursive_directory_iterator(saved.folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string good = store::read_file(entry.path());
    std::string bad = good;
    auto& byte = bad[static_cast<std::size_t>(random.index(std::ssize(bad)))];
    byte = static_cast<char>(byte ^ (1 << random.index(8)));
    store::write_file(entry.path(), bad);
    try {
      (void)load(saved.folder);
      ADD_FAILURE() << entry.path();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), "DATASET_CORRUPT");
      EXPECT_EQ(std::get<std::string>(e.message().params.at(1).value),
                store::fs::relative(entry.path(), saved.folder).string());
    }
    store::write_file(entry.path(), good);
  }
  EXPECT_EQ(files, 3 + 5 + 1 + 3);
  store::fs::remove_all(data);
}

TEST(Limits, AreCheckedBeforeAnythingIsWritten) {
  const auto data =
      store::fs::temp_directory_path() / ("flyball-limits-" + std::to_string(::getpid()));
  const Built b = example(1);
  Limits limits;
  limits.max_rows = b.report.window_count - 1;
  EXPECT_EQ(code_of([&] { save(b, data, limits); }), "DATASET_TOO_LARGE");
  limits.max_rows = b.report.window_count;
  limits.quota_bytes = array_bytes(manifest_of(b, "")) - 1;
  try {
    save(b, data, limits);
    FAIL() << "one byte above the quota";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "DISK_QUOTA");
    EXPECT_EQ(e.errc(), Errc::resource_exhausted);
  }
  EXPECT_FALSE(store::fs::exists(data));
  ++*limits.quota_bytes;
  EXPECT_NO_THROW(save(b, data, limits));
  limits.max_rows = 100'000;
  EXPECT_EQ(code_of([&] { save(example(2), data, limits); }), "DISK_QUOTA")
      << "what is there counts";
  Built series = example(2);
  series.dataset.spec.materialize = Materialize::series;
  EXPECT_NO_THROW(save(series, data, {1, {}})) << "the series form has no limit of rows";
  store::fs::remove_all(data);
}

}  // namespace
}  // namespace flyball::dataset
