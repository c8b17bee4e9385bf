// The embedded time-series store on 500 tags, 1 s apart: quantised, noisy, constant and jittered
// signals in turn. Every answer is compared with what was written.
//
//   bench_store [--points N] [--folder F] [--json]     rates on one store, 50 000 000 points
//   bench_store --cost [--folder F]                    a store of 5 and one of 50 million points
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>

#include "core/record.h"
#include "historian/embedded_historian.h"
#include "math/random.h"

namespace flyball::historian {
namespace {

namespace fs = std::filesystem;
constexpr int kTags = 500;
constexpr TimeUs kStart = 1'767'225'600 * kSecond;  // 2026

struct Result {
  std::int64_t points = 0;
  double copy_seconds = 0;    ///< of the samples that are written
  double append_seconds = 0;  ///< in one transaction
  double append_per_second = 0;
  double bytes_per_point = 0;
  double open_ms = 0;
  double scan_seconds = 0;  ///< every tag in one page; best of three
  double scan_per_second = 0;
  double paged_seconds = 0;            ///< every tag by pages of 20 000
  double hour_ms = 0;                  ///< median of one tag, one hour
  double live_per_second = 0;          ///< durable: 500 tags × 1 sample a commit
  double live_commit_ms = 0;           ///< the slowest
  double batch_append_per_second = 0;  ///< 1 000 runs of 20 tags × 500 samples, one transaction
  double batch_read_us = 0;            ///< one tag of one run, by filter alone
  std::int64_t peak_rss_mb = 0;
  bool answer_ok = true;
  static constexpr auto fields() {
    using R = Result;
    return FieldList{field("points", &R::points, ""),
                      field("copySeconds", &R::copy_seconds, ""),
                      field("appendSeconds", &R::append_seconds, ""),
                      field("appendPerSecond", &R::append_per_second, ""),
                      field("bytesPerPoint", &R::bytes_per_point, ""),
                      field("openMs", &R::open_ms, ""),
                      field("scanSeconds", &R::scan_seconds, ""),
                      field("scanPerSecond", &R::scan_per_second, ""),
                      field("pagedSeconds", &R::paged_seconds, ""),
                      field("hourMs", &R::hour_ms, ""),
                      field("livePerSecond", &R::live_per_second, ""),
                      field("liveCommitMs", &R::live_commit_ms, ""),
                      field("batchAppendPerSecond", &R::batch_append_per_second, ""),
                      field("batchReadUs", &R::batch_read_us, ""),
                      field("peakRssMb", &R::peak_rss_mb, ""),
                      field("answerOk", &R::answer_ok, "")};
  }
};

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string node(int tag) {
  return "L1/T" + std::to_string(tag);
}

plant::Run the_run() {
  plant::Run run;
  run.id = "r";
  run.line_id = "L1";
  run.product_id = "film";
  run.recipe_id = "standard";
  run.started_at = kStart;
  return run;
}

double rounded(double value, double power) {
  return std::round(value * power) / power;
}

/// Tag 4k: a slow walk in steps of 0.1; 4k+1: 50 ± 1 with two decimals; 4k+2: a set point; 4k+3:
/// the walk, times up to 40 ms late.
std::vector<Sample> signal(int tag, std::int64_t n) {
  math::Random random(static_cast<std::uint32_t>(tag) + 1);
  std::vector<Sample> out;
  out.reserve(static_cast<std::size_t>(n));
  double walk = 50;
  for (std::int64_t i = 0; i < n; ++i) {
    walk += 0.05 * random.normal();
    TimeUs at = kStart + i * kSecond;
    double value = rounded(walk, 10);
    if (tag % 4 == 1) value = rounded(50 + random.normal(), 100);
    if (tag % 4 == 2) value = 21.5;
    if (tag % 4 == 3) at += random.index(41) * kMillisecond;
    out.push_back({at, value, kGood});
  }
  return out;
}

/// What a reader must give back: number, and the sums of values and times in their order.
struct Sum {
  std::int64_t count = 0;
  double values = 0;
  std::uint64_t times = 0;
  void add(std::span<const Sample> samples) {
    for (const Sample& s : samples) {
      values += s.value;
      times = times * 31 + static_cast<std::uint64_t>(s.at);
    }
    count += std::ssize(samples);
  }
  bool operator==(const Sum&) const = default;
};

class Bench {
 public:
  Bench(fs::path folder, std::int64_t points) : folder_(std::move(folder)), each_(points / kTags) {
    result_.points = each_ * kTags;
  }

  void bulk() {
    EmbeddedHistorian store(folder_);
    auto writer = store.begin();
    std::vector<Sample> copy(static_cast<std::size_t>(each_));
    for (int tag = 0; tag < kTags; ++tag) {
      const auto samples = signal(tag, each_);
      sums_.emplace_back().add(samples);
      result_.copy_seconds += seconds(
          [&] { std::memcpy(copy.data(), samples.data(), samples.size() * sizeof(Sample)); });
      result_.append_seconds += seconds([&] { writer->append(the_run(), node(tag), samples); });
    }
    result_.append_seconds += seconds([&] { writer->commit(); });
    result_.append_per_second = static_cast<double>(result_.points) / result_.append_seconds;
  }

  void size() {
    result_.bytes_per_point = static_cast<double>(fs::file_size(folder_ / "historian.db")) /
                              static_cast<double>(result_.points);
    check(!fs::exists(folder_ / "historian.db-wal"));
  }

  void open() {
    result_.open_ms = 1000 * seconds([&] {
                        const EmbeddedHistorian store(folder_);
                        check(store.latest(node(0))->at == kStart + (each_ - 1) * kSecond);
                      });
  }

  /// Every tag in one page; the best of three, as `pages`.
  void scan() {
    result_.scan_seconds = best([&](const Historian& store, PageRequest& request, Sum& sum) {
      std::vector<Sample> samples;
      const double took = seconds([&] { samples = read_all(store, request); });
      sum.add(samples);
      return took;
    });
    result_.scan_per_second = static_cast<double>(result_.points) / result_.scan_seconds;
  }

  void pages() {
    result_.paged_seconds = best([](const Historian& store, PageRequest& request, Sum& sum) {
      double took = 0;
      do {
        Page page;
        took += seconds([&] { page = store.page(request); });
        sum.add(page.samples);
        request.after = page.next;
      } while (request.after);
      return took;
    });
  }

  void hours() {
    const EmbeddedHistorian store(folder_, {.read_only = true});
    math::Random random(9);
    std::vector<double> times;
    for (int i = 0; i < 400; ++i) {
      PageRequest request;
      const int tag = static_cast<int>(random.index(kTags));
      request.node_id = node(tag);
      request.from = kStart + random.index(each_ - 3600) * kSecond;
      request.to = request.from + 3600 * kSecond;
      Page page;
      times.push_back(1000 * seconds([&] { page = store.page(request); }));
      check(page.samples.size() == 3600 && !page.next);
      if (tag % 4 == 2) check(page.samples[1234].value == 21.5);
    }
    std::ranges::sort(times);
    result_.hour_ms = times[times.size() / 2];
  }

  void live(int commits) {
    EmbeddedHistorian store(folder_);
    std::vector<std::string> nodes;
    for (int tag = 0; tag < kTags; ++tag) nodes.push_back(node(tag));
    const plant::Run run = the_run();
    double total = 0;
    for (int i = 0; i < commits; ++i) {
      const Sample sample{kStart + (each_ + i) * kSecond, 0.1 * (i % 17), kGood};
      const double took = seconds([&] {
        const auto writer = store.begin();
        for (const auto& n : nodes) writer->append(run, n, std::span(&sample, 1));
        writer->commit();
      });
      total += took;
      result_.live_commit_ms = std::max(result_.live_commit_ms, 1000 * took);
    }
    result_.live_per_second = static_cast<double>(commits) * kTags / total;
    PageRequest request;
    request.node_id = node(kTags - 1);
    request.from = kStart + each_ * kSecond;
    check(std::ssize(read_all(store, request)) == commits);
  }

  /// In a store of its own.
  void batches() {
    constexpr int kRuns = 1000, kRunTags = 20, kSamples = 500;
    const fs::path folder = folder_ / "batches";
    fs::create_directory(folder);
    EmbeddedHistorian store(folder);
    plant::Run run = the_run();
    double append = 0;
    auto writer = store.begin();
    for (int i = 0; i < kRuns; ++i) {
      run.id = std::to_string(i);
      for (int tag = 0; tag < kRunTags; ++tag) {
        auto samples = signal(tag, kSamples);
        for (Sample& s : samples) s.at += i * kSamples * kSecond;
        append += seconds([&] { writer->append(run, node(tag), samples); });
      }
    }
    append += seconds([&] { writer->commit(); });
    double read = 0;
    for (int i = 0; i < kRuns; ++i) {
      for (int tag = 0; tag < kRunTags; ++tag) {
        PageRequest request;
        request.node_id = node(tag);
        request.filter.run_id = std::to_string(i);
        Page page;
        read += seconds([&] { page = store.page(request); });
        check(page.samples.size() == kSamples);
      }
    }
    result_.batch_append_per_second = kRuns * kRunTags * kSamples / append;
    result_.batch_read_us = 1e6 * read / (kRuns * kRunTags);
  }

  Result finish() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    result_.peak_rss_mb = usage.ru_maxrss / 1024;
    return result_;
  }

 private:
  /// The least time of three passes over all tags.
  template <class Read>
  double best(Read read) {
    const EmbeddedHistorian store(folder_, {.read_only = true});
    double least = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < 3; ++pass) {
      double took = 0;
      for (int tag = 0; tag < kTags; ++tag) {
        PageRequest request;
        request.node_id = node(tag);
        Sum sum;
        took += read(store, request, sum);
        check(sum == sums_[static_cast<std::size_t>(tag)]);
      }
      least = std::min(least, took);
    }
    return least;
  }

  void check(bool ok) { result_.answer_ok = result_.answer_ok && ok; }

  fs::path folder_;
  std::int64_t each_;
  std::vector<Sum> sums_;
  Result result_;
};

Result run_rates(const fs::path& folder, std::int64_t points) {
  Bench bench(folder, points);
  bench.bulk();
  bench.size();
  bench.open();
  bench.scan();
  bench.pages();
  bench.hours();
  bench.live(1200);
  bench.batches();
  return bench.finish();
}

/// Without scan(), which holds a tag as a whole.
Result run_cost(const fs::path& folder, std::int64_t points) {
  Bench bench(folder, points);
  bench.bulk();
  bench.size();
  bench.open();
  bench.pages();
  bench.hours();
  return bench.finish();
}

void print(const Result& r) {
  fmt::print("bulk append                {:>12.1f} M points/s, {:.1f} x a copy\n",
             r.append_per_second / 1e6, r.append_seconds / r.copy_seconds);
  fmt::print("bytes a point, of {:>9} {:>11.2f}\n", r.points, r.bytes_per_point);
  fmt::print("open                       {:>12.2f} ms\n", r.open_ms);
  fmt::print("full scan                  {:>12.1f} M points/s, {:.1f} x a copy\n",
             r.scan_per_second / 1e6, r.scan_seconds / r.copy_seconds);
  const double paged = static_cast<double>(r.points) / r.paged_seconds;
  fmt::print("full scan by page          {:>12.1f} M points/s\n", paged / 1e6);
  fmt::print("one tag, one hour          {:>12.3f} ms\n", r.hour_ms);
  fmt::print("live, durable              {:>12.0f} points/s, slowest commit {:.1f} ms\n",
             r.live_per_second, r.live_commit_ms);
  fmt::print("1 000 runs                 {:>12.1f} M points/s, {:.1f} us to read a tag of one\n",
             r.batch_append_per_second / 1e6, r.batch_read_us);
  fmt::print("peak memory                {:>12} MB\n", r.peak_rss_mb);
  fmt::print("answers                    {:>12}\n", r.answer_ok ? "right" : "WRONG");
}

/// In a process of its own, whose peak memory is that of this store alone.
int cost_row(const fs::path& folder, std::int64_t points) {
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result r = run_cost(folder, points);
    fmt::print("{:>12} {:>10.2f} {:>8.2f} {:>9.2f} {:>9.3f} {:>12.2f} {:>8} {:>7}\n", r.points,
               r.append_seconds, r.bytes_per_point, r.open_ms, r.hour_ms, r.paged_seconds,
               r.peak_rss_mb, r.answer_ok ? "right" : "WRONG");
    std::fflush(stdout);
    ::_exit(r.answer_ok ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? 0 : 1;
}

int run(int argc, char** argv) {
  std::int64_t points = 50'000'000;
  fs::path folder = fs::temp_directory_path();
  bool json = false, cost = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--json") json = true;
    if (flag == "--cost") cost = true;
    if (flag == "--points" && i + 1 < argc) points = std::atoll(argv[++i]);
    if (flag == "--folder" && i + 1 < argc) folder = argv[++i];
  }
  points = std::max<std::int64_t>(points, 4000 * kTags);  // an hour of each tag
  folder /= "flyball-store-bench-" + std::to_string(::getpid());
  const auto fresh = [&] {
    fs::remove_all(folder);
    fs::create_directories(folder);
  };
  fresh();
  int exit_code = 0;
  if (cost) {
    fmt::print(
        "      points  append, s  B/point  open, ms  hour, ms  all read, s  RSS, MB  answer\n");
    for (const std::int64_t n : {5'000'000, 50'000'000}) {
      exit_code |= cost_row(folder, n);
      fresh();
    }
  } else {
    const Result result = run_rates(folder, points);
    if (json) {
      fmt::print("{}\n", pretty(to_json_value(result)));
    } else {
      print(result);
    }
    exit_code = result.answer_ok ? 0 : 1;
  }
  fs::remove_all(folder);
  return exit_code;
}

}  // namespace
}  // namespace flyball::historian

int main(int argc, char** argv) {
  return flyball::historian::run(argc, argv);
}
