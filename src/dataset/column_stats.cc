#include "dataset/column_stats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace flyball::dataset {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array kQuantiles{0.05, 0.5, 0.95};

/// Where quantile q lies among `count` values: between two ranks, at a share of the way.
struct Place {
  std::int64_t below, above;
  double share;
};
Place place(double q, std::int64_t count) {
  const double position = q * static_cast<double>(count - 1);
  const auto below = static_cast<std::int64_t>(position);
  return {below, std::min(below + 1, count - 1), position - static_cast<double>(below)};
}

}  // namespace

void ColumnStats::first_pass(const double* x, const std::uint8_t* mask, Index steps) {
  Index since = 0;
  for (Index i = 0; i < steps; ++i) {
    if (i > 0) {
      if (mask[i] != 1 || mask[i - 1] != 1) {
        since = i;
      } else if (x[i] != x[i - 1]) {
        ++stays_[i - since];
        since = i;
      }
    }
    if (mask[i] == 0) continue;
    if (count_++ == 0) first_ = min_ = max_ = x[i];
    sum_ += x[i] - first_;
    min_ = std::min(min_, x[i]);
    max_ = std::max(max_, x[i]);
    quantum_.add(x[i]);
  }
  ++stays_[steps - since];
}

void ColumnStats::end_first_pass() {
  if (count_ == 0) return;
  mean_ = first_ + sum_ / static_cast<double>(count_);
  std::vector<std::int64_t> ranks;
  for (const double q : kQuantiles) {
    ranks.push_back(place(q, count_).below);
    ranks.push_back(place(q, count_).above);
  }
  order_.emplace(min_, max_, ranks);
}

void ColumnStats::later_pass(const double* x, const std::uint8_t* mask, Index steps, bool squares) {
  for (Index i = 0; i < steps; ++i) {
    if (mask[i] == 0) continue;
    order_->add(x[i]);
    if (squares) squares_ += (x[i] - mean_) * (x[i] - mean_);
  }
}

NodeSummary ColumnStats::summary() const {
  NodeSummary out;
  out.count = count_;
  if (count_ == 0) {
    out.mean = out.std = out.min = out.max = out.p05 = out.p50 = out.p95 = kNan;
    return out;
  }
  out.mean = mean_;
  out.std = count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_ - 1)) : kNan;
  out.min = min_;
  out.max = max_;
  std::array<double, kQuantiles.size()> q{};
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double below = order_->value(2 * i), above = order_->value(2 * i + 1);
    q[i] = below + place(kQuantiles[i], count_).share * (above - below);
  }
  out.p05 = q[0];
  out.p50 = q[1];
  out.p95 = q[2];
  return out;
}

std::vector<ColumnStats> column_stats(const RunSource& runs, std::size_t columns) {
  std::vector<ColumnStats> out(columns);
  const auto pass = [&](const auto& f) {
    for (std::size_t r = 0; r < runs.ids.size(); ++r) {
      const Series& run = runs.at(r);
      for (std::size_t c = 0; c < columns; ++c) {
        f(out[c], run.values.col(static_cast<Index>(c)).data(),
          run.mask.col(static_cast<Index>(c)).data(), run.values.rows());
      }
    }
  };
  pass([](ColumnStats& s, const double* x, const std::uint8_t* m, Index n) {
    s.first_pass(x, m, n);
  });
  for (ColumnStats& s : out) s.end_first_pass();
  const auto open = [](const ColumnStats& s) { return s.order_ && !s.order_->done(); };
  bool first = true;
  do {
    pass([&](ColumnStats& s, const double* x, const std::uint8_t* m, Index n) {
      if (s.order_ && (first || open(s))) s.later_pass(x, m, n, first);
    });
    for (ColumnStats& s : out) {
      if (s.order_) s.order_->end_pass();
    }
    first = false;
  } while (std::ranges::any_of(out, open));
  return out;
}

}  // namespace flyball::dataset
