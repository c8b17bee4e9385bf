// Cleaning and grid of one sloped tag, 10 million points as 100 runs of 100 000 at 1 s with planted
// bad quality, range violations and spikes. Rivals of goals.md §3: pandas 9.4 s, plain C++ with a
// sliding sorted window 0.49 s, a sorting network over 8 windows 0.068 s; here the yardstick of the
// same run is copying the samples.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <thread>
#include <vector>

#include "dataset/clean.h"
#include "dataset/grid.h"
#include "math/random.h"

namespace flyball::dataset {
namespace {

using historian::Sample;

constexpr std::int64_t kRuns = 100;
constexpr std::int64_t kPoints = 100'000;

enum Signal { noisy, smooth, walk, resting };

double value(Signal kind, std::int64_t i, double& state, math::Random& random) {
  const auto t = static_cast<double>(i);
  switch (kind) {
    case noisy:
      return 50 + 10 * std::sin(t * std::numbers::pi / 3000) + random.normal();
    case smooth:
      return 50 + 10 * std::sin(t * std::numbers::pi / 300) + 1e-3 * random.normal();
    case walk:
      return 50 + (state = 0.999 * state + random.normal());
    case resting:
      return 50 + std::round(0.4 * random.normal()) / 10;
  }
  return 0;
}

struct Planted {
  std::vector<std::vector<Sample>> runs;
  std::int64_t bad = 0, range = 0, spikes = 0;
};

Planted plant_runs(Signal kind) {
  Planted out;
  math::Random random(1);
  for (std::int64_t r = 0; r < kRuns; ++r) {
    std::vector<Sample> run;
    run.reserve(kPoints);
    double state = 0;
    for (std::int64_t i = 0; i < kPoints; ++i) {
      Sample s{(r * kPoints + i) * kSecond, value(kind, i, state, random), historian::kGood};
      if (i % 1000 == 300) s.quality = historian::kBad, ++out.bad;
      if (i % 1000 == 600) s.value = 1e6, ++out.range;
      if (i % 1000 == 900) s.value += 500, ++out.spikes;
      run.push_back(s);
    }
    out.runs.push_back(std::move(run));
  }
  return out;
}

/// Cleans and aligns runs first, first + stride, ...; the sums of what came out.
CleanCounts clean_and_align(const Planted& data, std::size_t first, std::size_t stride,
                            double& sum) {
  CleanCounts counts;
  std::vector<double> values(kPoints);
  std::vector<std::uint8_t> mask(kPoints);
  Cleaned tag;
  for (std::size_t r = first; r < data.runs.size(); r += stride) {
    const auto& run = data.runs[r];
    clean(run, {-1e4, 1e4, {}, 5}, tag);
    const Grid grid{run.front().at, kSecond, kPoints};
    const GridCounts filled = sloped_to_grid(tag, grid, 3 * kSecond, values.data(), mask.data());
    tag.counts.interpolated = filled.interpolated;
    tag.counts.missing = filled.missing;
    counts += tag.counts;
    sum += values[kPoints / 2];
  }
  return counts;
}

void CleanAndAlign(benchmark::State& state) {
  const Planted data = plant_runs(static_cast<Signal>(state.range(0)));
  const auto threads = static_cast<std::size_t>(state.range(1));
  for (auto _ : state) {
    std::vector<CleanCounts> counts(threads);
    std::vector<double> sums(threads);
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 0; i < threads; ++i) {
        workers.emplace_back([&, i] { counts[i] = clean_and_align(data, i, threads, sums[i]); });
      }
    }
    for (std::size_t i = 1; i < threads; ++i) counts[0] += counts[i];
    // A random walk of ten million steps has a few jumps that are spikes by the rule.
    const std::int64_t more = counts[0].dropped_spike - data.spikes;
    const std::int64_t filled = data.bad + data.range + counts[0].dropped_spike;
    if (counts[0].dropped_quality != data.bad || counts[0].dropped_range != data.range ||
        more < 0 || more > (state.range(0) == walk ? 20 : 0) || counts[0].interpolated != filled ||
        counts[0].missing != 0) {
      state.SkipWithError("not what was planted");
    }
    benchmark::DoNotOptimize(sums);
  }
  state.SetItemsProcessed(state.iterations() * kRuns * kPoints);
}
BENCHMARK(CleanAndAlign)
    ->ArgNames({"signal", "threads"})
    ->ArgsProduct({{noisy, smooth, walk, resting}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void CopySamples(benchmark::State& state) {
  const Planted data = plant_runs(noisy);
  std::vector<Sample> copy(kPoints);
  for (auto _ : state) {
    for (const auto& run : data.runs) {
      std::copy(run.begin(), run.end(), copy.begin());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * kRuns * kPoints);
}
BENCHMARK(CopySamples)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flyball::dataset

BENCHMARK_MAIN();
