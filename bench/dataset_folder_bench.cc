// Building a dataset to a folder from a historian that makes its samples up as they are asked for:
// time, and the most memory that was in use. Memory must depend on the length of a run alone, time
// on the number of points.
//   bench_dataset_folder [--runs N] [--steps N] [--tags N] [--store] [--json]
// With --store the samples go into historian.db first and come from there; a year of 20 tags at 1
// s:
//   bench_dataset_folder --store --runs 12 --steps 2628000 --tags 20
#include <fmt/core.h>
#include <sys/resource.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

#include "core/json.h"
#include "core/record.h"
#include "dataset/store.h"
#include "historian/embedded_historian.h"

namespace flyball::dataset {
namespace {

using historian::Sample;

constexpr TimeUs kStart = 1'767'225'600'000'000;

struct Size {
  std::int64_t runs = 20, steps = 100'000, tags = 20;
  bool store = false;
};

/// Sample i of a tag at second i: an MV steps every 50 s, others follow with noise of a hash.
double value_of(std::int64_t tag, std::int64_t i) {
  const auto mix = [](std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
  };
  const auto seed = static_cast<std::uint64_t>(tag) << 40;
  if (tag == 0) return mix(seed + static_cast<std::uint64_t>(i / 50)) < 0.5 ? 3 : 5;
  return 20 + std::sin(static_cast<double>(i) / 700) + mix(seed + static_cast<std::uint64_t>(i));
}

class MadeUpHistorian final : public historian::Historian {
 public:
  explicit MadeUpHistorian(const Size& size) : size_(size) {
    for (std::int64_t t = 0; t < size.tags; ++t) {
      plant::Tag tag;
      tag.name = fmt::format("t{:02}", t);
      tag.line_id = "L1";
      index_[tag.node_id()] = t;
      tags_.push_back(std::move(tag));
    }
    for (std::int64_t r = 0; r < size.runs; ++r) {
      const TimeUs from = kStart + r * (size.steps + 1000) * kSecond;
      runs_.push_back({fmt::format("r{:04}", r), "L1", "P1", "R1", from,
                       from + size.steps * kSecond, plant::EvidenceSource::simulation});
    }
  }

  std::unique_ptr<historian::Writer> begin() override { throw Error("CANCELLED"); }

  [[nodiscard]] historian::Page page(const historian::PageRequest& request) const override {
    const auto run = std::ranges::find(runs_, request.filter.run_id, &plant::Run::id);
    const std::int64_t tag = index_.at(request.node_id);
    std::int64_t i = request.after ? (*request.after - run->started_at) / kSecond + 1 : 0;
    historian::Page out;
    const std::int64_t end = std::min(size_.steps, i + request.limit);
    out.samples.reserve(static_cast<std::size_t>(end - i));
    for (; i < end; ++i)
      out.samples.push_back({run->started_at + i * kSecond, value_of(tag, i), historian::kGood});
    if (end < size_.steps) out.next = out.samples.back().at;
    return out;
  }
  [[nodiscard]] std::optional<Sample> latest(const std::string&, const historian::Filter&,
                                             TimeUs) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::vector<plant::Run> runs(const historian::Filter& filter, bool) const override {
    std::vector<plant::Run> out;
    for (const plant::Run& run : runs_) {
      if (filter.passes(run)) out.push_back(run);
    }
    return out;
  }
  [[nodiscard]] std::vector<plant::Tag> tags(const std::string&) const override { return tags_; }
  [[nodiscard]] std::vector<historian::ImportRecord> imports(const std::string&,
                                                             std::int64_t) const override {
    return {};
  }

 private:
  Size size_;
  std::vector<plant::Tag> tags_;
  std::vector<plant::Run> runs_;
  std::map<std::string, std::int64_t, std::less<>> index_;
};

Spec spec_of(const MadeUpHistorian& h) {
  Spec spec;
  spec.line_id = "L1";
  spec.product_id = "P1";
  spec.recipe_id = "R1";
  for (const plant::Tag& tag : h.tags("L1")) {
    Variable& v = spec.variables.emplace_back();
    v.id = tag.name;
    v.node_id = tag.node_id();
    v.role = v.id == "t00" ? Role::mv : v.id == "t01" ? Role::cv : Role::dv;
    v.stepped = v.role == Role::mv;
    v.scale = 1;
    v.offset = 0;
  }
  spec.beat_ms = 1000;
  return spec;
}

struct Report {
  std::int64_t points = 0;
  double append_seconds = 0, open_ms = 0, store_bytes_per_point = 0;
  double seconds = 0, points_per_second = 0, run_mb = 0, peak_mb = 0;
  bool answer_ok = false;
  static constexpr auto fields() {
    using R = Report;
    return FieldList{field("points", &R::points, "samples"),
                      field("appendSeconds", &R::append_seconds, "into the store").unit("s"),
                      field("openMs", &R::open_ms, "of the full store").unit("ms"),
                      field("storeBytesPerPoint", &R::store_bytes_per_point, "of the database"),
                      field("seconds", &R::seconds, "build and write").unit("s"),
                      field("pointsPerSecond", &R::points_per_second, "rate"),
                      field("runMb", &R::run_mb, "one run's series").unit("MB"),
                      field("peakMb", &R::peak_mb, "largest resident set").unit("MB"),
                      field("answerOk", &R::answer_ok, "every step is there and observed")};
  }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Puts everything into a store, run by run and tag by tag.
void fill(const MadeUpHistorian& source, const std::filesystem::path& folder) {
  historian::EmbeddedHistorian store(folder);
  for (const plant::Run& run : source.runs({}, true)) {
    const auto writer = store.begin();
    for (const plant::Tag& tag : source.tags("L1")) {
      historian::PageRequest request;
      request.node_id = tag.node_id();
      request.filter.run_id = run.id;
      writer->append(run, tag.node_id(), historian::read_all(source, request));
    }
    writer->commit();
  }
}

Report run(const Size& size) {
  const auto data = std::filesystem::temp_directory_path() / "flyball-bench-folder";
  std::filesystem::remove_all(data);
  std::filesystem::create_directories(data);
  const MadeUpHistorian h(size);
  Report out;
  out.points = size.runs * size.steps * size.tags;
  std::optional<historian::EmbeddedHistorian> store;
  auto start = std::chrono::steady_clock::now();
  if (size.store) {
    fill(h, data);
    out.append_seconds = seconds_since(start);
    out.store_bytes_per_point =
        static_cast<double>(std::filesystem::file_size(data / "historian.db")) /
        static_cast<double>(out.points);
    start = std::chrono::steady_clock::now();
    store.emplace(data, historian::EmbeddedOptions{.read_only = true});
    out.open_ms = 1000 * seconds_since(start);
    start = std::chrono::steady_clock::now();
  }
  const historian::Historian& source = store ? static_cast<const historian::Historian&>(*store) : h;
  const BuiltFolder built = build_to_folder(source, spec_of(h), {}, data);
  out.seconds = seconds_since(start);
  out.points_per_second = static_cast<double>(out.points) / out.seconds;
  out.run_mb = static_cast<double>(size.steps * (9 * size.tags + 8)) / (1 << 20);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  out.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  out.answer_ok = true;
  for (const NodeSummary& s : built.built.report.node_summaries)
    out.answer_ok = out.answer_ok && s.count == size.runs * size.steps && s.filled_ratio == 0;
  std::filesystem::remove_all(data);
  return out;
}

}  // namespace
}  // namespace flyball::dataset

int main(int argc, char** argv) {
  flyball::dataset::Size size;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    std::int64_t* const target = arg == "--runs"    ? &size.runs
                                 : arg == "--steps" ? &size.steps
                                 : arg == "--tags"  ? &size.tags
                                                    : nullptr;
    if (arg == "--store") {
      size.store = true;
    } else if (arg == "--json") {
      json = true;
    } else if (target != nullptr && i + 1 < argc) {
      const std::string_view text = argv[++i];
      std::from_chars(text.data(), text.data() + text.size(), *target);
    } else {
      fmt::print(stderr,
                 "bench_dataset_folder [--runs N] [--steps N] [--tags N] [--store] [--json]\n");
      return 2;
    }
  }
  const auto report = flyball::dataset::run(size);
  if (json) {
    fmt::print("{}", flyball::pretty(flyball::to_json_value(report)));
  } else {
    if (size.store) {
      fmt::print("store: {:.1f} s to append, {:.2f} bytes a point, opened in {:.1f} ms\n",
                 report.append_seconds, report.store_bytes_per_point, report.open_ms);
    }
    fmt::print(
        "{} points in {:.2f} s, {:.1f} M/s; a run is {:.0f} MB, at most {:.0f} MB in use; {}\n",
        report.points, report.seconds, report.points_per_second / 1e6, report.run_mb,
        report.peak_mb, report.answer_ok ? "answer ok" : "WRONG ANSWER");
  }
  return report.answer_ok ? 0 : 1;
}
