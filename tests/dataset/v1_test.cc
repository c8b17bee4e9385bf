// Datasets by the rules of the reference system, against an oracle that is written down naively.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "core/digest.h"
#include "dataset/fixtures.h"
#include "dataset/store.h"
#include "dataset/v1_hampel.h"
#include "dataset/v1_json.h"
#include "dataset/v1_oracle.h"
#include "dataset/verify.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;
namespace fs = store::fs;

Spec v1_spec() {
  Spec spec = small_spec();
  spec.beat_ms = 2000;
  spec.variables[0].stepped = false;
  spec.variables[2].max = 60;
  spec.split = {0.2, 0.2, 7};
  return spec;
}

/// Jittered times, gaps, bad and uncertain states, spikes, values out of range.
void store_rough(historian::MemoryHistorian& h, int runs) {
  for (int i = 0; i < runs; ++i) {
    const auto run = run_named("r" + std::to_string(i), kStart + i * kDay);
    math::Random random(70 + static_cast<std::uint32_t>(i));
    const Record r = record(600, 30 + static_cast<std::uint32_t>(i));
    const auto rough = [&](const Column& x, double spread) {
      std::vector<historian::Sample> out;
      TimeUs at = run.started_at + random.index(5'000'000);
      for (const double v : x) {
        historian::Sample s{at, spread * v, {}};
        const double dice = random.uniform();
        if (dice < 0.01) s.quality = historian::kBad;
        if (dice > 0.99) s.quality = historian::kUncertain;
        if (dice > 0.5 && dice < 0.51) s.value += 1000;
        if (dice > 0.6 && dice < 0.61) s.value += 20;
        at += 700'000 + random.index(600'000) + (dice > 0.7 && dice < 0.72 ? 9'000'000 : 0);
        out.push_back(s);
      }
      return out;
    };
    h.append(run, "L1/u", rough(r.u, 1));
    h.append(run, "L1/d", rough(r.d, 5));
    h.append(run, "L1/y", rough(r.y, 1));
  }
}

std::vector<historian::Sample> stored(const historian::Historian& h, const std::string& run,
                                      const std::string& node) {
  historian::PageRequest request;
  request.node_id = node;
  request.filter.run_id = run;
  return historian::read_all(h, request);
}

std::string slurp(const fs::path& p) {
  std::ifstream in(p, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<float> floats(const std::string& bytes) {
  std::vector<float> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

class V1 : public testing::Test {
 protected:
  void SetUp() override {
    data_ = fs::temp_directory_path() / ("flyball-v1-" + std::to_string(::getpid()));
    fs::remove_all(data_);
    store_rough(h_, kRuns);
  }
  void TearDown() override { fs::remove_all(data_); }

  std::vector<oracle::Run> expected_runs(std::map<std::string, oracle::Counts>& counts) {
    std::vector<oracle::Run> out;
    for (int i = 0; i < kRuns; ++i) {
      const std::string id = "r" + std::to_string(i);
      std::vector<oracle::Grid> nodes;
      for (const Variable& v : spec_.variables) {
        nodes.push_back(
            oracle::node_grid(stored(h_, id, v.node_id), v, spec_, counts[id + " " + v.node_id]));
      }
      out.push_back(oracle::run_of(id, nodes, spec_));
    }
    return out;
  }

  static constexpr int kRuns = 6;
  historian::MemoryHistorian h_;
  Spec spec_ = v1_spec();
  fs::path data_;
};

TEST_F(V1, HasTheCountsAndTheGridOfTheRules) {
  std::map<std::string, oracle::Counts> counts;
  const auto expected = expected_runs(counts);
  const V1Dataset d = build_v1(h_, spec_);
  ASSERT_EQ(d.runs.size(), expected.size());
  for (const V1Run& run : d.runs) {
    const auto e = std::ranges::find(expected, run.run_id, &oracle::Run::id);
    ASSERT_EQ(run.values.rows(), std::ssize(e->rows));
    for (Index i = 0; i < run.values.rows(); ++i) {
      for (Index c = 0; c < 3; ++c) {
        const double a = run.values(i, c),
                     b = e->rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << run.run_id << i << "/" << c;
      }
    }
    EXPECT_EQ(run.windows.size(), e->windows.size());
    for (const Variable& v : spec_.variables) {
      const CleanCounts& got = d.report.run_cleaning.at(run.run_id).at(v.node_id);
      const oracle::Counts& want = counts.at(run.run_id + " " + v.node_id);
      EXPECT_EQ(got.dropped_quality, want.state);
      EXPECT_EQ(got.dropped_range, want.range);
      EXPECT_EQ(got.dropped_spike, want.hampel);
      EXPECT_EQ(got.interpolated, want.interpolated);
      EXPECT_GT(want.state, 0);
      EXPECT_GT(want.hampel, 0);
      EXPECT_GT(want.interpolated, 0);
    }
  }
}

TEST_F(V1, HasTheSplitTheScalesAndTheArraysOfTheRules) {
  std::map<std::string, oracle::Counts> counts;
  auto expected = expected_runs(counts);
  // Six runs, a fifth each: one run of test, then one of val, the rest train.
  const auto order = oracle::shuffled(kRuns, 7);
  std::vector<std::size_t> arrays(order.begin() + 2, order.end());
  arrays.push_back(order[1]);
  arrays.push_back(order[0]);
  const V1Dataset d = build_v1(h_, spec_);
  std::vector<oracle::Window> train, all;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    EXPECT_EQ(d.runs[i].run_id, expected[arrays[i]].id);
    EXPECT_EQ(d.runs[i].part, i < 4 ? Part::train : i == 4 ? Part::val : Part::test);
    for (const auto& w : expected[arrays[i]].windows) {
      if (i < 4) train.push_back(w);
      all.push_back(w);
    }
  }
  const Saved saved = save(d, data_);
  const auto check = [&](const char* name, std::vector<double> oracle::Window::*part,
                         std::size_t width, const V1Norm& norm) {
    std::vector<double> mean, std;
    oracle::normalise(train, part, width, mean, std);
    EXPECT_EQ(norm.mean, mean);
    EXPECT_EQ(norm.std, std);
    std::vector<float> values;
    for (const auto& w : all) {
      for (std::size_t i = 0; i < (w.*part).size(); ++i) {
        const std::size_t c = i % width;
        values.push_back(static_cast<float>(((w.*part)[i] - mean[c]) / std[c]));
      }
    }
    EXPECT_EQ(floats(slurp(saved.folder / "arrays" / (std::string(name) + ".f32"))), values);
  };
  check("x", &oracle::Window::x, 3, d.x);
  check("u", &oracle::Window::u, 1, d.u);
  check("y", &oracle::Window::y, 1, d.y);
  EXPECT_EQ(d.u.std[0], 1) << "the floor of the reference: u moves by less than 1";
}

TEST_F(V1, IsHashedOverSpecPathsAndBytes) {
  const Saved saved = save(build_v1(h_, spec_), data_);
  std::string bytes = slurp(saved.folder / "spec.json");
  for (const char* path : {"manifest.json", "arrays/x.f32", "arrays/u.f32", "arrays/y.f32"})
    bytes += path + slurp(saved.folder / path);
  EXPECT_EQ(saved.sha256, sha256(bytes));
  const Verified v = verify(saved.folder, saved.sha256);
  EXPECT_EQ(v.form, Form::v1);
  EXPECT_TRUE(v.legacy);
  EXPECT_TRUE(v.compared);
  EXPECT_EQ(v.files, 5);
  EXPECT_TRUE(save(build_v1(h_, spec_), data_).existed);
  EXPECT_EQ(code_of([&] { (void)load(saved.folder); }), "DATASET_LEGACY") << "never trained on";
}

TEST_F(V1, FindsOneFlippedBitInEveryFile) {
  const Saved saved = save(build_v1(h_, spec_), data_);
  math::Random random(5);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(saved.folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string good = slurp(entry.path());
    for (int trial = 0; trial < 8; ++trial) {
      std::string bad = good;
      auto& byte = bad[static_cast<std::size_t>(random.index(std::ssize(bad)))];
      byte = static_cast<char>(byte ^ (1 << random.index(8)));
      std::ofstream(entry.path(), std::ios::binary) << bad;
      EXPECT_EQ(code_of([&] { verify(saved.folder); }), "DATASET_CORRUPT") << entry.path();
    }
    std::ofstream(entry.path(), std::ios::binary) << good;
  }
  EXPECT_EQ(files, 6);
  EXPECT_NO_THROW(verify(saved.folder));
}

/// A folder as the reference leaves it: another name, no report of ours, and for version 2 more.
TEST_F(V1, VerifiesFoldersOfTheReference) {
  const Saved saved = save(build_v1(h_, spec_), data_);
  const fs::path folder = data_ / "datasets" / "ds-m1abcd23-x7k2p9";
  fs::rename(saved.folder, folder);
  fs::remove(folder / "report.json");
  EXPECT_TRUE(verify(folder, saved.sha256).compared);
  const Verified alone = verify(folder);
  EXPECT_EQ(alone.sha256, saved.sha256);
  EXPECT_FALSE(alone.compared) << "nothing says what it should be";
  EXPECT_EQ(code_of([&] { verify(folder, std::string(64, '0')); }), "DATASET_CORRUPT");

  // The row's specJson is what is hashed, not the file.
  std::string bytes = "{}";
  for (const char* path : {"manifest.json", "arrays/x.f32", "arrays/u.f32", "arrays/y.f32"})
    bytes += path + slurp(folder / path);
  EXPECT_TRUE(verify(folder, sha256(bytes), "{}").compared);

  Json manifest = parse_json(slurp(folder / "manifest.json"), "manifest.json");
  manifest["version"] = 2;
  manifest["artifacts"] = {{"x", "arrays/x.f32"},       {"u", "arrays/u.f32"},
                           {"y", "arrays/y.f32"},       {"sidecar", "arrays/sidecar.json"},
                           {"mask", "arrays/mask.f32"}, {"timestamps", "arrays/timestamps.f64"}};
  std::ofstream(folder / "manifest.json") << manifest.dump(2);
  std::ofstream(folder / "arrays" / "timestamps.f64") << "t";
  std::ofstream(folder / "arrays" / "mask.f32") << "m";
  std::ofstream(folder / "arrays" / "sidecar.json") << "{}";
  bytes = slurp(folder / "spec.json");
  for (const char* path : {"manifest.json", "arrays/x.f32", "arrays/u.f32", "arrays/y.f32",
                           "arrays/timestamps.f64", "arrays/mask.f32", "arrays/sidecar.json"})
    bytes += path + slurp(folder / path);
  const Verified two = verify(folder, sha256(bytes));
  EXPECT_EQ(two.form, Form::v2);
  EXPECT_EQ(two.files, 8);
  manifest["artifacts"]["sidecar"] = "../../../outside";
  std::ofstream(folder / "manifest.json") << manifest.dump(2);
  EXPECT_EQ(code_of([&] { verify(folder); }), "DATASET_CORRUPT");
}

TEST_F(V1, NeedsNoControlAndThenHasOneColumnOfZeros) {
  Spec spec = v1_spec();
  spec.variables.erase(spec.variables.begin());
  const V1Dataset d = build_v1(h_, spec);
  const Saved saved = save(d, data_);
  const auto u = floats(slurp(saved.folder / "arrays" / "u.f32"));
  EXPECT_EQ(std::ssize(u), 2 * d.report.window_count);
  EXPECT_TRUE(std::ranges::all_of(u, [](float v) { return v == 0; }));
  EXPECT_NO_THROW(verify(saved.folder, saved.sha256));
}

TEST_F(V1, RefusesWhatTheReferenceDoesNotTake) {
  const auto refused = [&](const auto& change) {
    Spec spec = v1_spec();
    change(spec);
    return code_of([&] { build_v1(h_, spec); });
  };
  EXPECT_EQ(refused([](Spec& s) { s.beat_ms = 999; }), "V1_SPEC_INVALID");
  EXPECT_EQ(refused([](Spec& s) { s.beat_ms = 1000.5; }), "V1_SPEC_INVALID");
  EXPECT_EQ(refused([](Spec& s) { s.beat_ms = 3'600'001; }), "V1_SPEC_INVALID");
  EXPECT_EQ(refused([](Spec& s) { s.variables[1].scale = 2; }), "V1_SPEC_INVALID");
  EXPECT_EQ(refused([](Spec& s) { s.variables.resize(1); }), "V1_SPEC_INVALID");
  EXPECT_EQ(refused([](Spec& s) { s.variables.pop_back(); }), "SPEC_INVALID") << "no target";
  EXPECT_EQ(refused([](Spec& s) { s.window.horizon_steps = 513; }), "SPEC_INVALID");
  EXPECT_EQ(code_of([&] { build_v1(h_, v1_spec(), {10, {}}); }), "DATASET_TOO_LARGE");
}

TEST(V1Spec, IsWrittenKeyByKey) {
  Spec spec = v1_spec();
  spec.run_ids = {"b", "a"};
  spec.from_us = 1'500'000;
  spec.note = "n";
  EXPECT_EQ(v1_spec_text(spec), R"({
  "lineId": "L1",
  "productId": "P1",
  "recipeId": "R1",
  "runIds": [
    "b",
    "a"
  ],
  "nodes": [
    {
      "nodeId": "L1/u",
      "role": "control"
    },
    {
      "nodeId": "L1/d",
      "role": "feature"
    },
    {
      "nodeId": "L1/y",
      "role": "target"
    }
  ],
  "fromMs": 1500,
  "beatMs": 2000,
  "window": {
    "historySteps": 3,
    "horizonSteps": 2
  },
  "cleaning": {
    "hampelK": 5,
    "maxInterpMs": 6000,
    "maxDropRatio": 0.3
  },
  "split": {
    "valRatio": 0.2,
    "testRatio": 0.2,
    "seed": 7
  },
  "purpose": "mpc_surrogate",
  "note": "n"
})");
}

TEST(V1Spikes, AreThoseOfTheDefinitionForEveryRadius) {
  math::Random random(12);
  for (const std::int64_t k : {1, 2, 3, 5, 8, 16, 17, 40}) {
    for (const std::size_t n : {std::size_t{2 * 40 + 3}, std::size_t{300}, std::size_t{997}}) {
      std::vector<double> x(n);
      for (double& v : x) v = random.uniform() < 0.3 ? 5 : random.normal();
      std::vector<std::size_t> expected;
      const auto count = static_cast<std::int64_t>(n);
      for (std::int64_t i = 0; count > 2 * k + 2 && i < count; ++i) {
        std::vector<double> w(x.begin() + std::max<std::int64_t>(0, i - k),
                              x.begin() + std::min(count, i + k + 1));
        const double med = oracle::median(w), here = x[static_cast<std::size_t>(i)];
        for (double& d : w) d = std::abs(d - med);
        if (std::abs(here - med) > 3 * 1.4826 * std::max(oracle::median(w), 1e-12))
          expected.push_back(static_cast<std::size_t>(i));
      }
      EXPECT_EQ(v1_spikes(x, k), expected) << "k " << k << " n " << n;
      EXPECT_FALSE(n == 997 && expected.empty());
    }
  }
  EXPECT_TRUE(v1_spikes(std::vector<double>{1, 1, 9, 1}, 1).empty()) << "n is not above 2k + 2";
}

}  // namespace
}  // namespace flyball::dataset
