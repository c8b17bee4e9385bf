// Cleaning and grid of sloped tags: runs of 100 000 points at 1 s with planted bad quality, range
// violations and spikes; at most 10 million distinct points, which are gone through as often as
// --points asks. Rivals of goals.md §3 for 10 million: pandas 9.4 s, plain C++ with a sliding
// sorted window 0.49 s, a sorting network over 8 windows 0.068 s; the yardstick here is copying the
// samples in the same run.
//   bench_dataset [--points N] [--json]
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>
#include <vector>

#include "core/json.h"
#include "core/record.h"
#include "dataset/clean.h"
#include "dataset/grid.h"
#include "dataset/v1_grid.h"
#include "math/random.h"

namespace flyball::dataset {
namespace {

using historian::Sample;

constexpr std::int64_t kPoints = 100'000;  // of a run
constexpr std::int64_t kMostRuns = 100;
constexpr int kRepeats = 3;

enum Signal { noisy, smooth, walk, resting };
constexpr const char* kNames[] = {"noisy", "smooth", "walk", "resting"};

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

std::vector<std::vector<Sample>> plant_runs(Signal kind, std::int64_t runs) {
  std::vector<std::vector<Sample>> out;
  math::Random random(1);
  for (std::int64_t r = 0; r < runs; ++r) {
    std::vector<Sample> run;
    run.reserve(kPoints);
    double state = 0;
    for (std::int64_t i = 0; i < kPoints; ++i) {
      Sample s{(r * kPoints + i) * kSecond, value(kind, i, state, random), historian::kGood};
      if (i % 1000 == 300) s.quality = historian::kBad;
      if (i % 1000 == 600) s.value = 1e6;
      if (i % 1000 == 900) s.value += 500;
      run.push_back(s);
    }
    out.push_back(std::move(run));
  }
  return out;
}

const CleanRule kRule{-1e4, 1e4, {}, 5};

/// What came of one run.
struct Result {
  CleanCounts counts;
  double middle = 0;
};

Result ours(const std::vector<Sample>& run, Cleaned& tag, std::vector<double>& values,
            std::vector<std::uint8_t>& mask) {
  clean(run, kRule, tag);
  const Grid grid{run.front().at, kSecond, kPoints};
  const GridCounts filled = sloped_to_grid(tag, grid, 3 * kSecond, values.data(), mask.data());
  tag.counts.interpolated = filled.interpolated;
  tag.counts.missing = filled.missing;
  return {tag.counts, values[kPoints / 2]};
}

Result reference(const std::vector<Sample>& run) {
  const V1Node node = v1_node(run, kRule, kSecond, 3 * kSecond);
  return {node.counts, node.values[kPoints / 2]};
}

/// Runs first, first + stride, ... of `total`.
CleanCounts work(const std::vector<std::vector<Sample>>& data, bool v1, std::int64_t total,
                 std::int64_t first, std::int64_t stride, double& sum) {
  CleanCounts counts;
  std::vector<double> values(kPoints);
  std::vector<std::uint8_t> mask(kPoints);
  Cleaned tag;
  for (std::int64_t r = first; r < total; r += stride) {
    const auto& run = data[static_cast<std::size_t>(r) % data.size()];
    const Result result = v1 ? reference(run) : ours(run, tag, values, mask);
    counts += result.counts;
    sum += result.middle;
  }
  return counts;
}

template <class F>
double best_seconds(const F& f) {
  double best = INFINITY;
  for (int i = 0; i < kRepeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

/// A resting signal of the reference rule loses every change; a walk has a few jumps by chance.
bool is_right(const CleanCounts& c, Signal kind, bool v1, std::int64_t runs) {
  const std::int64_t planted = runs * kPoints / 1000;
  const std::int64_t more = c.dropped_spike - planted;
  if (c.dropped_quality != planted || c.dropped_range != planted || more < 0) return false;
  if (v1) return c.dropped_spike < runs * kPoints / 2;
  return more <= (kind == walk ? runs / 5 + 1 : 0) && c.missing == 0 &&
         c.interpolated == 2 * planted + c.dropped_spike;
}

/// The reference's rule by sorting each window, for the first run.
std::int64_t v1_spikes_by_sorting(const std::vector<Sample>& run) {
  std::vector<double> x;
  for (const Sample& s : run) {
    if (s.quality.good() && s.value >= *kRule.min && s.value <= *kRule.max) x.push_back(s.value);
  }
  const auto median = [](std::vector<double>& v) {
    std::ranges::sort(v);
    return v.size() % 2 == 1 ? v[v.size() / 2] : (v[v.size() / 2 - 1] + v[v.size() / 2]) / 2;
  };
  std::int64_t spikes = 0;
  for (std::int64_t i = 0, n = std::ssize(x); i < n; ++i) {
    std::vector<double> w(x.begin() + std::max<std::int64_t>(0, i - kRule.spike_radius),
                          x.begin() + std::min(n, i + kRule.spike_radius + 1));
    const double m = median(w);
    for (double& d : w) d = std::abs(d - m);
    spikes +=
        std::abs(x[static_cast<std::size_t>(i)] - m) > 3 * 1.4826 * std::max(median(w), 1e-12);
  }
  return spikes;
}

struct Case {
  std::string signal, format;
  std::int64_t threads = 1;
  double seconds = 0, points_per_second = 0;
  bool answer_ok = false;
  static constexpr auto fields() {
    return FieldList{field("signal", &Case::signal, "kind"),
                      field("format", &Case::format, "v2 or v1"),
                      field("threads", &Case::threads, "workers"),
                      field("seconds", &Case::seconds, "best of 3").unit("s"),
                      field("pointsPerSecond", &Case::points_per_second, "rate"),
                      field("answerOk", &Case::answer_ok, "what was planted was found")};
  }
};

/// The first case is the headline.
struct Report {
  std::int64_t points = 0;
  double seconds = 0, copy_seconds = 0, points_per_second = 0, ratio_to_copy = 0;
  bool answer_ok = true;
  std::vector<Case> cases;
  static constexpr auto fields() {
    using R = Report;
    return FieldList{field("points", &R::points, "gone through"),
                      field("seconds", &R::seconds, "noisy signal, v2, one thread").unit("s"),
                      field("copySeconds", &R::copy_seconds, "copying the input").unit("s"),
                      field("pointsPerSecond", &R::points_per_second, "rate"),
                      field("ratioToCopy", &R::ratio_to_copy, "seconds / copySeconds"),
                      field("answerOk", &R::answer_ok, "of all cases"),
                      field("cases", &R::cases, "every signal, format and number of threads")};
  }
};

Case measure(const std::vector<std::vector<Sample>>& data, Signal kind, bool v1,
             std::int64_t threads, std::int64_t runs) {
  Case out{kNames[kind], v1 ? "v1" : "v2", threads, 0, 0, false};
  std::vector<CleanCounts> counts;
  std::vector<double> sums;
  out.seconds = best_seconds([&] {
    counts.assign(static_cast<std::size_t>(threads), {});
    sums.assign(counts.size(), 0);
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      workers.emplace_back([&, i] {
        counts[i] = work(data, v1, runs, static_cast<std::int64_t>(i), threads, sums[i]);
      });
    }
  });
  for (std::size_t i = 1; i < counts.size(); ++i) counts[0] += counts[i];
  out.answer_ok = is_right(counts[0], kind, v1, runs);
  if (v1) {
    const auto expected = v1_spikes_by_sorting(data.front());
    out.answer_ok = out.answer_ok && reference(data.front()).counts.dropped_spike == expected;
  }
  out.points_per_second = static_cast<double>(runs * kPoints) / out.seconds;
  return out;
}

double copy_seconds(const std::vector<std::vector<Sample>>& data, std::int64_t runs) {
  std::vector<Sample> copy(kPoints);
  volatile double seen = 0;
  return best_seconds([&] {
    for (std::int64_t r = 0; r < runs; ++r) {
      const auto& run = data[static_cast<std::size_t>(r) % data.size()];
      std::memcpy(copy.data(), run.data(), run.size() * sizeof(Sample));
      seen = copy[static_cast<std::size_t>(r) % copy.size()].value;
    }
  });
}

Report run(std::int64_t points) {
  const std::int64_t runs = std::max<std::int64_t>(1, points / kPoints);
  Report out;
  out.points = runs * kPoints;
  for (const Signal kind : {noisy, smooth, walk, resting}) {
    const auto data = plant_runs(kind, std::min(runs, kMostRuns));
    if (kind == noisy) out.copy_seconds = copy_seconds(data, runs);
    for (const bool v1 : {false, true}) {
      for (const std::int64_t threads : {1, 2})
        out.cases.push_back(measure(data, kind, v1, threads, runs));
    }
  }
  for (const Case& c : out.cases) out.answer_ok = out.answer_ok && c.answer_ok;
  out.seconds = out.cases.front().seconds;
  out.points_per_second = out.cases.front().points_per_second;
  out.ratio_to_copy = out.seconds / out.copy_seconds;
  return out;
}

void print(const Report& r) {
  fmt::print("{} points, copying them {:.4f} s\n", r.points, r.copy_seconds);
  for (const Case& c : r.cases) {
    fmt::print("{:8} {} {} thread(s) {:8.4f} s {:7.1f} M points/s  {}\n", c.signal, c.format,
               c.threads, c.seconds, c.points_per_second / 1e6,
               c.answer_ok ? "answer ok" : "WRONG ANSWER");
  }
}

}  // namespace
}  // namespace flyball::dataset

int main(int argc, char** argv) {
  std::int64_t points = 10'000'000;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--json") {
      json = true;
    } else if (arg == "--points" && i + 1 < argc) {
      const std::string_view text = argv[++i];
      std::from_chars(text.data(), text.data() + text.size(), points);
    } else {
      fmt::print(stderr, "bench_dataset [--points N] [--json]\n");
      return 2;
    }
  }
  const auto report = flyball::dataset::run(points);
  if (json) {
    fmt::print("{}", flyball::pretty(flyball::to_json_value(report)));
  } else {
    flyball::dataset::print(report);
  }
  return report.answer_ok ? 0 : 1;
}
