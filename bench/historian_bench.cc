// Text import of 10 columns × 1 000 000 rows (about 90 MB) against a scan of the same bytes that
// only finds line ends and parses doubles; both give the same sum. "scans" is the time in scans:
// the goal of Read is 2.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <ctime>

#include "historian/import_plan.h"
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

/// Of this process: what else runs on the machine does not count.
template <class F>
double seconds(F&& f) {
  const std::clock_t begin = std::clock();
  f();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The better of two, beside the work that is compared with it.
double scan_seconds() {
  const auto scan = [] { benchmark::DoNotOptimize(scan_sum(table())); };
  return std::min(seconds(scan), seconds(scan));
}

void Scan(benchmark::State& state) {
  const std::string& text = table();
  for (auto _ : state) benchmark::DoNotOptimize(scan_sum(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

void Read(benchmark::State& state) {
  const double expected = scan_sum(table());
  const double scan = scan_seconds();
  double fastest = 1e9;
  for (auto _ : state) {
    LayoutRequest request;
    request.evenly_spaced = true;
    TextTable read;
    fastest = std::min(fastest, seconds([&] { read = read_table(table(), request, {}, {}); }));
    double sum = 0;
    for (const Column& column : read.columns) {
      for (const double value : column.values) sum += value;
    }
    if (read.rows() != kRows || std::abs(sum - expected) > 1e-9 * std::abs(expected))
      state.SkipWithError("wrong answer");
  }
  state.counters["scans"] = fastest / scan;
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

void Import(benchmark::State& state) {
  const double scan = scan_seconds();
  double fastest = 1e9;
  for (auto _ : state) {
    MemoryHistorian store;
    ImportOptions options;
    options.period = kSecond;
    ImportResult result;
    fastest = std::min(fastest, seconds([&] { result = import_text(table(), options, store); }));
    if (result.stored != kRows || result.tags.back().good != kRows)
      state.SkipWithError("wrong answer");
  }
  state.counters["scans"] = fastest / scan;
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

/// The same numbers with a time of a zone in each row.
void ReadWithTimes(benchmark::State& state) {
  static const std::string text = [] {
    std::string out = "time,a,b,c,d,e,f,g,h,i,j\n";
    std::string_view rest = table();
    for (TimeUs t = 0; !rest.empty(); t += kSecond) {
      const auto end = rest.find('\n') + 1;
      std::string time = format_time(1'767'225'600 * kSecond + t);
      time.pop_back();
      time[10] = ' ';
      out.append(time).append(",").append(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    return out;
  }();
  const double scan = scan_seconds(), expected = scan_sum(table());
  double fastest = 1e9;
  for (auto _ : state) {
    LayoutRequest request;
    request.time.zone = "Europe/Berlin";
    TextTable read;
    fastest = std::min(fastest, seconds([&] { read = read_table(text, request, {}, {}); }));
    double sum = 0;
    for (const Column& column : read.columns) {
      for (const double value : column.values) sum += value;
    }
    if (read.times.size() != kRows || std::abs(sum - expected) > 1e-9 * std::abs(expected))
      state.SkipWithError("wrong answer");
  }
  state.counters["scans"] = fastest / scan;
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

/// All of an import but storing.
void Plan(benchmark::State& state) {
  const double scan = scan_seconds();
  double fastest = 1e9;
  for (auto _ : state) {
    const MemoryHistorian store;
    ImportOptions options;
    options.period = kSecond;
    ImportPlan plan;
    fastest = std::min(fastest, seconds([&] { plan = plan_text(table(), options, store); }));
    if (plan.account.stored != kRows || plan.account.tags.back().good != kRows)
      state.SkipWithError("wrong answer");
  }
  state.counters["scans"] = fastest / scan;
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(table().size()));
}

BENCHMARK(Scan)->Unit(benchmark::kMillisecond);
BENCHMARK(Read)->Unit(benchmark::kMillisecond);
BENCHMARK(ReadWithTimes)->Unit(benchmark::kMillisecond);
BENCHMARK(Plan)->Unit(benchmark::kMillisecond);
BENCHMARK(Import)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flyball::historian

BENCHMARK_MAIN();
