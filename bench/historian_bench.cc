// Text import of 10 columns × 1 000 000 rows (about 90 MB) against a scan of the same bytes that
// only finds line ends and parses doubles; both give the same sum.
#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "historian/import.h"
#include "historian/memory_historian.h"
#include "math/random.h"

namespace flyball::historian {
namespace {

constexpr int kRows = 1'000'000, kColumns = 10;

const std::string& table() {
  static const std::string text = [] {
    math::Random random(1);
    std::string out;
    char cell[32];
    for (int row = 0; row < kRows; ++row) {
      for (int i = 0; i < kColumns; ++i) {
        const auto end =
            std::to_chars(cell, cell + 32, 50 + 20 * random.normal(), std::chars_format::fixed, 5)
                .ptr;
        out.append(cell, end);
        out += i + 1 < kColumns ? ',' : '\n';
      }
    }
    return out;
  }();
  return text;
}

double scan_sum(std::string_view text) {
  double sum = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    const char* const stop = found == nullptr ? end : static_cast<const char*>(found);
    while (at < stop) {
      double value = 0;
      at = std::from_chars(at, stop, value).ptr + 1;
      sum += value;
    }
    at = stop + 1;
  }
  return sum;
}

void Scan(benchmark::State& state) {
  const std::string& text = table();
  for (auto _ : state) benchmark::DoNotOptimize(scan_sum(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

void Read(benchmark::State& state) {
  const double expected = scan_sum(table());
  for (auto _ : state) {
    LayoutRequest request;
    request.evenly_spaced = true;
    const TextTable read = read_table(table(), request, {}, {});
    double sum = 0;
    for (const Column& column : read.columns) {
      for (const double value : column.values) sum += value;
    }
    if (read.rows() != kRows || std::abs(sum - expected) > 1e-9 * std::abs(expected))
      state.SkipWithError("wrong answer");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

void Import(benchmark::State& state) {
  for (auto _ : state) {
    MemoryHistorian store;
    ImportOptions options;
    options.period = kSecond;
    const ImportResult result = import_text(table(), options, store);
    if (result.stored != kRows || result.tags.back().good != kRows)
      state.SkipWithError("wrong answer");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

BENCHMARK(Scan)->Unit(benchmark::kMillisecond);
BENCHMARK(Read)->Unit(benchmark::kMillisecond);
BENCHMARK(Import)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flyball::historian

BENCHMARK_MAIN();
