#include "dataset/clean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "dataset/change_scale.h"
#include "dataset/fixtures.h"
#include "dataset/spikes.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

constexpr std::int64_t kRadius = 5;

std::vector<std::size_t> spikes(const Column& x, std::optional<double> resolution = {}) {
  return find_spikes(x, kRadius, resolution);
}

/// A column of n values f(i).
Column column(std::size_t n, const std::function<double(std::size_t)>& f) {
  Column x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(f(i));
  return x;
}

double plain_median(Column v) {
  std::ranges::sort(v);
  const std::size_t n = v.size();
  return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// The rule of spikes.h word by word, quadratic.
std::vector<std::size_t> spikes_by_definition(const Column& x, std::size_t k, double quantum) {
  Column change;
  for (std::size_t i = 1; i < x.size(); ++i) change.push_back(std::abs(x[i] - x[i - 1]));
  const double floor = std::max(1.4826 * plain_median(change), quantum);
  std::vector<int> side(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t start = std::min(i < k ? 0 : i - k, x.size() - (2 * k + 1));
    Column w(x.begin() + static_cast<std::ptrdiff_t>(start),
             x.begin() + static_cast<std::ptrdiff_t>(start + 2 * k + 1));
    const double median = plain_median(w);
    for (double& v : w) v = std::abs(v - median);
    if (std::abs(x[i] - median) > 5 * std::max(floor, 1.4826 * plain_median(w)))
      side[i] = x[i] > median ? 1 : -1;
  }
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < x.size();) {
    std::size_t end = i + 1;
    while (end < x.size() && side[end] == side[i]) ++end;
    if (side[i] != 0 && end - i <= 2 && i > 0 && end < x.size()) {
      for (std::size_t j = i; j < end; ++j) out.push_back(j);
    }
    i = end;
  }
  return out;
}

TEST(Spikes, AStepPassesWhereverItIs) {
  for (std::size_t at = 1; at < 40; ++at) {
    EXPECT_TRUE(spikes(column(40, [&](std::size_t i) { return i < at ? 0.0 : 7.5; })).empty())
        << at;
  }
}

TEST(Spikes, AStepInNoisePassesWhereverItIs) {
  for (std::size_t at = 1; at < 60; ++at) {
    math::Random random(static_cast<std::uint32_t>(at));
    EXPECT_TRUE(
        spikes(column(60, [&](std::size_t i) { return (i < at ? 20.0 : 60.0) + random.normal(); }))
            .empty())
        << at;
  }
}

TEST(Spikes, ABinaryTestSignalPasses) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    math::Random random(seed);
    EXPECT_TRUE(spikes(column(500, [&](std::size_t) {
                  return random.uniform() < 0.5 ? -1.0 : 1.0;
                })).empty());
    double level = 3.41;
    EXPECT_TRUE(spikes(column(500,
                              [&](std::size_t) {
                                if (random.uniform() < 0.1) level = level > 4 ? 3.41 : 6.41;
                                return level;
                              }))
                    .empty())
        << "moves are rare, so that the median change is 0";
  }
}

TEST(Spikes, AFirstOrderResponsePassesWithAndWithoutNoise) {
  for (const double tau : {0.3, 1.0, 3.0, 10.0, 50.0}) {
    for (const double noise : {0.0, 1e-6, 0.01, 0.3}) {
      math::Random random(4);
      double y = 0;
      const Column x = column(400, [&](std::size_t i) {
        const double u = i % 160 < 20 ? 0 : i % 160 < 90 ? 10 : -4;
        y += (1 - std::exp(-1 / tau)) * (u - y);
        return y + noise * random.normal();
      });
      EXPECT_TRUE(spikes(x).empty()) << "tau " << tau << ", noise " << noise;
    }
  }
}

TEST(Spikes, ARestingQuantisedSignalIsNotEmptied) {
  math::Random random(3);
  const Column x = column(
      2000, [&](std::size_t) { return std::round(10 * (20 + 0.04 * random.normal())) / 10; });
  ASSERT_EQ(
      plain_median(column(x.size() - 1, [&](std::size_t i) { return std::abs(x[i + 1] - x[i]); })),
      0);
  EXPECT_NEAR(observed_quantum(x), 0.1, 1e-12);
  EXPECT_TRUE(spikes(x).empty());
}

TEST(Spikes, ASpikeOfOneAndOfTwoSamplesIsFound) {
  math::Random random(8);
  const Column clean = column(300, [&](std::size_t i) {
    return 50 + 10 * std::sin(0.05 * static_cast<double>(i)) + 0.1 * random.normal();
  });
  for (std::size_t at = 1; at + 3 < clean.size(); at += 7) {
    Column x = clean;
    x[at] += 30;
    EXPECT_EQ(spikes(x), std::vector<std::size_t>{at});
    x[at + 1] += 30;
    EXPECT_EQ(spikes(x), (std::vector<std::size_t>{at, at + 1}));
    x[at + 2] += 30;
    EXPECT_EQ(spikes(x), std::vector<std::size_t>{}) << "three samples are no spike, at " << at;
  }
}

TEST(Spikes, ASpikeOnAFlatSignalIsFound) {
  Column x(100, 12.0);
  x[40] = 12.5;
  EXPECT_EQ(spikes(x), std::vector<std::size_t>{40});
  EXPECT_TRUE(spikes(x, 0.1).empty()) << "five quanta are within the declared resolution";
  EXPECT_EQ(spikes(x, 0.099), std::vector<std::size_t>{40});
}

TEST(Spikes, AnExcursionAtAnEndOfTheRunIsKept) {
  Column x(100, 12.0);
  x[0] = x[98] = x[99] = 50;
  EXPECT_TRUE(spikes(x).empty());
}

TEST(Spikes, FollowTheDefinition) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    math::Random random(seed);
    double walk = 0;
    const double smooth = random.uniform(), spread = random.uniform(0, 3);
    const std::size_t n = 20 + static_cast<std::size_t>(random.index(3000));
    const Column x = column(n, [&](std::size_t) {
      walk = smooth * walk + random.normal();
      const double rare = random.uniform() < 0.03 ? 40 * random.normal() : 0;
      return 100 + spread * walk + rare;
    });
    for (const std::int64_t k : {1, 2, 3, 5, 8}) {
      EXPECT_EQ(find_spikes(x, k, 0.5), spikes_by_definition(x, static_cast<std::size_t>(k), 0.5))
          << seed << " " << k;
      EXPECT_EQ(find_spikes(x, k, {}),
                spikes_by_definition(x, static_cast<std::size_t>(k), observed_quantum(x)));
    }
  }
}

TEST(Spikes, AShortRunHasNone) {
  Column x(12, 1.0);
  x[5] = 100;
  EXPECT_TRUE(spikes(x).empty());
  x.push_back(1.0);
  EXPECT_EQ(spikes(x), std::vector<std::size_t>{5});
}

TEST(MedianAbsChange, IsTheMedianWhateverTheLength) {
  for (const std::size_t n : {2U, 3U, 10U, 11U, 5000U, 20'001U, 50'000U}) {
    math::Random random(static_cast<std::uint32_t>(n));
    for (const double coarse : {0.0, 0.5, 20.0}) {
      const Column x = column(n, [&](std::size_t) {
        const double v = random.normal();
        return coarse > 0 ? coarse * std::round(v / coarse) : v;
      });
      const Column change = column(n - 1, [&](std::size_t i) { return std::abs(x[i + 1] - x[i]); });
      EXPECT_EQ(median_abs_change(x), plain_median(change)) << n << " " << coarse;
    }
  }
}

TEST(Clean, DropsInOrderAndCountsEach) {
  Column y(100, 1.0);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 1.0 : 1.1;
  auto s = samples(y, 0, kSecond);
  s[10].quality = historian::kBad;
  s[10].value = 1e9;
  s[20].quality = historian::kUncertain;
  s[30].value = std::nan("");
  s[40].value = 1e9;
  s[50].value = 8;
  s[60].value = INFINITY;
  const Cleaned c = clean(s, {0.0, 10.0, {}, kRadius});
  EXPECT_EQ(c.counts, (CleanCounts{100, 1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(c.x.size(), 95U);
  EXPECT_EQ(c.t.size(), 95U);
  EXPECT_EQ(c.breaks,
            (std::vector<TimeUs>{10 * kSecond, 30 * kSecond, 40 * kSecond, 60 * kSecond}));
  EXPECT_NE(std::ranges::find(c.t, 20 * kSecond), c.t.end()) << "uncertain is kept";
  EXPECT_EQ(std::ranges::find(c.t, 50 * kSecond), c.t.end());
}

TEST(Clean, LeavesSpikesOfAnMvAlone) {
  Column y(100, 1.0);
  y[50] = 8;
  EXPECT_EQ(clean(samples(y, 0, kSecond), {{}, {}, {}, 0}).x, y);
}

/// Rests at 32, jumps to 33 for a sample or two, and drifts by hundredths in between.
TEST(Clean, WhatHappensTooOftenIsNoSpike) {
  std::vector<historian::Sample> samples;
  for (int i = 0; i < 2000; ++i) {
    const double value = i % 11 == 5 ? 33 : i % 40 < 3 ? 32 + 0.01 * (i % 3) : 32;
    samples.push_back({i * kSecond, value, historian::kGood});
  }
  CleanRule rule;
  rule.spike_radius = 5;
  const Cleaned toggles = clean(samples, rule);
  EXPECT_EQ(toggles.x.size(), samples.size());
  EXPECT_EQ(toggles.counts.dropped_spike, 0);
  EXPECT_GT(toggles.counts.kept_suspects, 100);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].value = i % 400 == 25 ? 33 : std::min(samples[i].value, 32.02);
  const Cleaned rare = clean(samples, rule);
  EXPECT_EQ(rare.counts.dropped_spike, 5);
  EXPECT_EQ(rare.counts.kept_suspects, 0);
}

}  // namespace
}  // namespace flyball::dataset
