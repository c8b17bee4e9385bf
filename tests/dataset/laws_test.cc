// What must hold whatever the data are.
#include <gtest/gtest.h>

#include <algorithm>

#include "dataset/fixtures.h"
#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

/// Runs with gaps, spikes, bad cells and jitter-free times.
void store_rough_runs(historian::MemoryHistorian& h, int count, double factor, double shift) {
  for (int i = 0; i < count; ++i) {
    math::Random random(50 + static_cast<std::uint32_t>(i));
    Record r = record(250, 20 + static_cast<std::uint32_t>(i));
    for (std::size_t k = 0; k < 250; ++k) {
      if (random.uniform() < 0.02) r.y[k] += random.uniform() < 0.5 ? 60 : -60;
      if (random.uniform() < 0.02) r.y[k] = std::nan("");
      if (random.uniform() < 0.02) r.d[k] = std::nan("");
    }
    for (Column* x : {&r.u, &r.d, &r.y}) {
      for (double& v : *x) v = v * factor + shift;
    }
    store(h, run_named("r" + std::to_string(i), kStart + i * kDay), r);
  }
}

Built rough(int runs, double factor = 1, double shift = 0) {
  historian::MemoryHistorian h;
  store_rough_runs(h, runs, factor, shift);
  return build(h, small_spec());
}

TEST(Laws, UnitsChangeNoVerdict) {
  for (const int runs : {1, 2, 5}) {
    const Built a = rough(runs), b = rough(runs, 1000, 273.15);
    EXPECT_GT(a.report.cleaning.at("L1/y").dropped_spike, 0);
    for (const auto& [node, counts] : a.report.cleaning)
      EXPECT_EQ(counts, b.report.cleaning.at(node)) << node;
    EXPECT_EQ(to_json_value(a.dataset.blocks), to_json_value(b.dataset.blocks));
    EXPECT_EQ(a.report.windows, b.report.windows);
    for (std::size_t i = 0; i < a.dataset.runs.size(); ++i)
      EXPECT_EQ(a.dataset.runs[i].mask, b.dataset.runs[i].mask);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(b.dataset.norm.std[c] / (1000 * a.dataset.norm.std[c]), 1, 1e-10);
      EXPECT_NEAR((b.dataset.norm.mean[c] - 273.15) / 1000, a.dataset.norm.mean[c], 1e-9);
    }
  }
}

TEST(Laws, DeclaredUnitsTransformTheSeriesAndNothingElse) {
  historian::MemoryHistorian h;
  store_rough_runs(h, 1, 1, 0);
  Spec spec = small_spec();
  const Built a = build(h, spec);
  spec.variables[2].scale = 1.8;
  spec.variables[2].offset = 32;
  const Built b = build(h, spec);
  const Series &sa = a.dataset.runs[0], &sb = b.dataset.runs[0];
  EXPECT_EQ(sa.mask, sb.mask);
  for (Index i = 0; i < sa.values.rows(); ++i) {
    EXPECT_NEAR((sb.values(i, 2) - 32) / 1.8, sa.values(i, 2), 1e-12 * std::abs(sa.values(i, 2)));
  }
}

TEST(Laws, PermutedTagsRowsAndRunListsGiveTheSameDataset) {
  historian::MemoryHistorian h, shuffled;
  store_rough_runs(h, 4, 1, 0);
  for (int i = 3; i >= 0; --i) {
    const auto run = h.runs({"L1", "", "", "r" + std::to_string(i)}).at(0);
    for (const char* node : {"L1/y", "L1/u", "L1/d"}) {
      historian::PageRequest request;
      request.node_id = node;
      request.filter.run_id = run.id;
      auto rows = historian::read_all(h, request);
      math::Random random(9);
      for (std::size_t k = rows.size(); k-- > 1;)
        std::swap(rows[k], rows[static_cast<std::size_t>(random.index(std::ssize(rows)))]);
      shuffled.append(run, node, rows);
    }
  }
  Spec spec = small_spec();
  spec.run_ids = {"r0", "r1", "r2", "r3"};
  const std::string hash = digest(build(h, spec)).sha256;
  EXPECT_EQ(digest(build(shuffled, spec)).sha256, hash);
  std::ranges::reverse(spec.variables);
  spec.run_ids = {"r3", "r1", "r0", "r2", "r1"};
  EXPECT_EQ(digest(build(shuffled, spec)).sha256, hash);
}

TEST(Laws, AChangedSampleChangesTheHash) {
  historian::MemoryHistorian h;
  Record r = record(250, 1);
  store(h, run_named("r", kStart), r);
  const std::string before = digest(build(h, small_spec())).sha256;
  historian::MemoryHistorian other;
  r.d[17] = std::nextafter(r.d[17], 1e9);
  store(other, run_named("r", kStart), r);
  EXPECT_NE(digest(build(other, small_spec())).sha256, before);
}

TEST(Laws, ATimeWindowCutsEachRunAndNothingElse) {
  historian::MemoryHistorian h;
  const Record r = record(400, 1);
  store(h, run_named("r", kStart), r);
  Spec spec = small_spec();
  spec.from_us = kStart + 50 * kSecond;
  spec.to_us = kStart + 350 * kSecond;
  const Built built = build(h, spec);
  const Series& s = built.dataset.runs[0];
  ASSERT_EQ(s.values.rows(), 300);
  EXPECT_EQ(s.t.front(), *spec.from_us);
  EXPECT_EQ(s.values(0, 2), r.y[50]);
  EXPECT_EQ(s.values(299, 2), r.y[349]);
  EXPECT_EQ(built.report.cleaning.at("L1/y").total, 300);
  EXPECT_EQ(built.report.provenance.captured_at, kStart + 349 * kSecond);
}

TEST(Laws, SameInputsGiveTheSameHashAndAnotherSeedAnother) {
  EXPECT_EQ(digest(rough(5)).sha256, digest(rough(5)).sha256);
  historian::MemoryHistorian h;
  store_rough_runs(h, 5, 1, 0);
  Spec spec = small_spec();
  spec.split.seed = 43;
  EXPECT_NE(digest(build(h, spec)).sha256, digest(rough(5)).sha256);
}

TEST(Laws, ValuesOutsideAnEditedPartStay) {
  // A later sample never changes an earlier row, but where a gap is interpolated.
  historian::MemoryHistorian a, b;
  Record r = record(200, 1);
  store(a, run_named("r", kStart), r, kSecond / 4);
  for (std::size_t i = 120; i < 200; ++i) r.y[i] += 3, r.u[i] = 9;
  store(b, run_named("r", kStart), r, kSecond / 4);
  Spec spec = small_spec();
  spec.cleaning.hampel_k = 0;
  const Matrix va = build(a, spec).dataset.runs[0].values,
               vb = build(b, spec).dataset.runs[0].values;
  EXPECT_EQ(va.topRows(30), vb.topRows(30));
  EXPECT_NE(va(30, 2), vb(30, 2));
}

}  // namespace
}  // namespace flyball::dataset
