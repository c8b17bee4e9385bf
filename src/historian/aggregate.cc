#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "historian/historian.h"

namespace flyball::historian {
namespace {

constexpr std::uint64_t kMostBuckets = 1'000'000;

void check(const AggregateRequest& r) {
  if (r.to <= r.from) {
    throw Error("FIELD_RANGE", {{"value", r.to}, {"limits", "times after the beginning"}}, "/to");
  }
  if (r.bucket < 1) {
    throw Error("FIELD_RANGE", {{"value", r.bucket, "us"}, {"limits", "1 us or more"}}, "/bucket");
  }
}

std::uint64_t bucket_count(const AggregateRequest& r) {
  const auto span = static_cast<std::uint64_t>(r.to) - static_cast<std::uint64_t>(r.from);
  const std::uint64_t count = (span - 1) / static_cast<std::uint64_t>(r.bucket) + 1;
  if (count > kMostBuckets) {
    throw Error("FIELD_RANGE",
                {{"value", std::to_string(count) + " buckets"}, {"limits", "at most 1000000"}},
                "/bucket");
  }
  return count;
}

bool is_good(const Sample& s) {
  return !s.quality.bad() && std::isfinite(s.value);
}

class Buckets {
 public:
  explicit Buckets(const AggregateRequest& request)
      : request_(request), buckets_(bucket_count(request)), sums_(buckets_.size()) {
    for (std::size_t i = 0; i < buckets_.size(); ++i)
      buckets_[i].from = request.from + static_cast<DurationUs>(i) * request.bucket;
  }

  /// A sample inside [from, to).
  void count(const Sample& s) {
    const std::size_t i = index(s.at);
    ++buckets_[i].count;
    if (!is_good(s)) return;
    sums_[i].good_sum += s.value;
    ++sums_[i].good;
    widen(buckets_[i], s.value);
  }

  /// What is between two samples of a run that follow each other.
  void connect(const Sample& a, const Sample& b) {
    if (!is_good(a) || (!request_.stepped && !is_good(b))) return;
    const TimeUs begin = std::max(a.at, request_.from), end = std::min(b.at, request_.to);
    if (begin >= end) return;
    if (!covered_.empty() && covered_.back().to == begin) {
      covered_.back().to = end;
    } else {
      covered_.push_back({begin, end});
    }
    const double slope = request_.stepped ? 0 : (b.value - a.value) / length(a.at, b.at);
    for_buckets(begin, end, [&](std::size_t i, TimeUs from, TimeUs to) {
      const double first = a.value + slope * length(a.at, from);
      const double last = a.value + slope * length(a.at, to);
      sums_[i].area += 0.5 * (first + last) * length(from, to);
      sums_[i].time += length(from, to);
      widen(buckets_[i], first);
      widen(buckets_[i], last);
    });
  }

  std::vector<Aggregate> result() {
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      const Sums& sums = sums_[i];
      if (sums.time > 0) {
        buckets_[i].mean = sums.area / sums.time;
      } else if (sums.good > 0) {
        buckets_[i].mean = sums.good_sum / static_cast<double>(sums.good);
      }
    }
    share();
    return std::move(buckets_);
  }

 private:
  struct Sums {
    double area = 0, time = 0;  ///< ∫ signal dt, ∫ dt over all runs
    double good_sum = 0;
    std::int64_t good = 0;
  };

  static double length(TimeUs from, TimeUs to) {
    return static_cast<double>(to) - static_cast<double>(from);
  }
  static void widen(Aggregate& a, double value) {
    a.min = std::min(a.min.value_or(value), value);
    a.max = std::max(a.max.value_or(value), value);
  }
  [[nodiscard]] std::size_t index(TimeUs at) const {
    return static_cast<std::size_t>((at - request_.from) / request_.bucket);
  }
  [[nodiscard]] TimeUs end_of(std::size_t i) const {
    return i + 1 < buckets_.size() ? buckets_[i + 1].from : request_.to;
  }

  /// Calls f(i, from, to) for each bucket's part of [begin, end).
  template <class F>
  void for_buckets(TimeUs begin, TimeUs end, F f) const {
    for (std::size_t i = index(begin); begin < end; ++i) {
      const TimeUs stop = std::min(end, end_of(i));
      f(i, begin, stop);
      begin = stop;
    }
  }

  /// Runs may overlap: time that several cover counts once.
  void share() {
    std::ranges::sort(covered_, {}, &Interval::from);
    TimeUs done = request_.from;
    for (const Interval& c : covered_) {
      for_buckets(std::max(done, c.from), c.to, [&](std::size_t i, TimeUs from, TimeUs to) {
        buckets_[i].good_share += length(from, to) / length(buckets_[i].from, end_of(i));
      });
      done = std::max(done, c.to);
    }
  }

  const AggregateRequest& request_;
  std::vector<Aggregate> buckets_;
  std::vector<Sums> sums_;
  std::vector<Interval> covered_;
};

void add_run(const Historian& historian, const AggregateRequest& request, const plant::Run& run,
             Buckets& buckets) {
  PageRequest pages;
  pages.node_id = request.node_id;
  pages.filter = {run.line_id, run.product_id, run.recipe_id, run.id};
  pages.from = request.from;
  pages.to = request.to;
  std::optional<Sample> before = historian.latest(request.node_id, pages.filter, request.from);
  for (;;) {
    const Page page = historian.page(pages);
    for (const Sample& s : page.samples) {
      buckets.count(s);
      if (before) buckets.connect(*before, s);
      before = s;
    }
    if (!page.next) break;
    pages.after = page.next;
  }
  if (!before) return;
  pages.from = request.to;
  pages.to = INT64_MAX;
  pages.after.reset();
  pages.limit = 1;
  for (const Sample& s : historian.page(pages).samples) buckets.connect(*before, s);
}

}  // namespace

std::vector<Aggregate> Historian::aggregate(const AggregateRequest& request) const {
  check(request);
  Buckets buckets(request);
  Filter filter = request.filter;  // a run of another line owns no sample of this tag
  if (filter.line_id.empty()) filter.line_id = line_of(request.node_id);
  for (const plant::Run& run : runs(filter)) add_run(*this, request, run, buckets);
  return buckets.result();
}

}  // namespace flyball::historian
