// The chunk codec on 200 chunks of each kind of signal, one thread; items are samples. Decoded
// samples are compared with those given.
#include <benchmark/benchmark.h>

#include <cmath>

#include "historian/chunk.h"
#include "math/random.h"

namespace flyball::historian {
namespace {

enum Kind { kQuantised, kNoisy, kConstant, kJittered, kFullDoubles };
constexpr int kChunks = 200;

double rounded(double value, double power) {
  return std::round(value * power) / power;
}

/// quantised: a slow random walk in steps of 0.1; noisy: 50 ± 1 with two decimals; constant: a set
/// point; jittered: the walk at times + 0 to 40 ms beside the second; full doubles: normal noise.
std::vector<Sample> signal(Kind kind) {
  math::Random random(1);
  std::vector<Sample> out;
  double walk = 50;
  for (std::size_t i = 0; i < kChunks * kChunkSamples; ++i) {
    walk += 0.05 * random.normal();
    TimeUs at = static_cast<TimeUs>(i) * kSecond;
    double value = rounded(walk, 10);
    if (kind == kNoisy) value = rounded(50 + random.normal(), 100);
    if (kind == kConstant) value = 21.5;
    if (kind == kJittered) at += random.index(41) * kMillisecond;
    if (kind == kFullDoubles) value = random.normal();
    out.push_back({at, value, kGood});
  }
  return out;
}

std::span<const Sample> part(const std::vector<Sample>& samples, std::size_t chunk) {
  return std::span(samples).subspan(chunk * kChunkSamples, kChunkSamples);
}

void Encode(benchmark::State& state) {
  const auto samples = signal(static_cast<Kind>(state.range(0)));
  ChunkEncoder encoder;
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    for (std::size_t i = 0; i < kChunks; ++i) bytes += encoder.encode(part(samples, i)).size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples.size()));
  state.counters["bytes_per_point"] =
      static_cast<double>(bytes) / static_cast<double>(samples.size());
}

void Decode(benchmark::State& state) {
  const auto samples = signal(static_cast<Kind>(state.range(0)));
  ChunkEncoder encoder;
  ChunkDecoder decoder;
  std::vector<std::vector<std::byte>> chunks;
  std::vector<Sample> out;
  for (std::size_t i = 0; i < kChunks; ++i) {
    const auto bytes = encoder.encode(part(samples, i));
    chunks.emplace_back(bytes.begin(), bytes.end());
    out.clear();
    if (decoder.append(chunks.back(), out) != nullptr) state.SkipWithError("no chunk");
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (out[k].at != part(samples, i)[k].at || out[k].value != part(samples, i)[k].value)
        state.SkipWithError("wrong answer");
    }
  }
  for (auto _ : state) {
    for (const auto& chunk : chunks) {
      out.clear();
      benchmark::DoNotOptimize(decoder.append(chunk, out));
    }
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(samples.size()));
}

BENCHMARK(Encode)->DenseRange(kQuantised, kFullDoubles)->Unit(benchmark::kMillisecond);
BENCHMARK(Decode)->DenseRange(kQuantised, kFullDoubles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flyball::historian

BENCHMARK_MAIN();
