#include "math/exact_gram.h"

#include <algorithm>
#include <cassert>

#include "math/exact_dot.h"

namespace flyball::math {
namespace {

constexpr Index kChunk = 1024;         ///< rows of all signals that stay in the cache
constexpr double kPivotFloor = 1e-26;  ///< of a scaled column, squared

/// Symmetric matrix in twice the precision, lower triangle by rows.
class Triangle {
 public:
  explicit Triangle(Index n) : n_(n), cells_(static_cast<std::size_t>(n * (n + 1) / 2)) {}
  Double2& operator()(Index i, Index j) {
    return cells_[static_cast<std::size_t>(i * (i + 1) / 2 + j)];
  }
  [[nodiscard]] const Double2* row(Index i) const {
    return cells_.data() + static_cast<std::size_t>(i * (i + 1) / 2);
  }
  [[nodiscard]] Index size() const { return n_; }

 private:
  Index n_;
  std::vector<Double2> cells_;
};

Double2 dot(const Double2* a, const Double2* b, Index n) {
  Double2 sum{0, 0};
  for (Index k = 0; k < n; ++k) sum = sum + a[k] * b[k];
  return sum;
}

/// A = L Lᵀ in place; false when a pivot is not above the floor.
bool factor(Triangle& a) {
  for (Index i = 0; i < a.size(); ++i) {
    for (Index j = 0; j < i; ++j) a(i, j) = (a(i, j) - dot(a.row(i), a.row(j), j)) / a(j, j);
    const Double2 pivot = a(i, i) - dot(a.row(i), a.row(i), i);
    if (!(pivot.hi > kPivotFloor)) return false;
    a(i, i) = sqrt(pivot);
  }
  return true;
}

std::vector<Double2> solve(Triangle& l, std::vector<Double2> b) {
  const Index n = l.size();
  const auto at = [&](Index i) -> Double2& { return b[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < n; ++i) at(i) = (at(i) - dot(l.row(i), b.data(), i)) / l(i, i);
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) at(i) = at(i) - l(k, i) * at(k);
    at(i) = at(i) / l(i, i);
  }
  return b;
}

}  // namespace

ExactGram::ExactGram(std::vector<Index> signals, Index max_lag)
    : signals_(std::move(signals)), max_lag_(max_lag) {
  const Index n = static_cast<Index>(signals_.size()) * (max_lag + 1);
  hi_ = lo_ = Matrix::Zero(n, n);
  sums_.resize(static_cast<std::size_t>(n));
}

Index ExactGram::index(LaggedColumn c) const {
  const auto at = std::ranges::find(signals_, c.signal);
  assert(at != signals_.end() && c.lag <= max_lag_);
  return (at - signals_.begin()) * (max_lag_ + 1) + c.lag;
}

Double2 ExactGram::gram(LaggedColumn a, LaggedColumn b) const {
  return entry(index(a), index(b));
}

void ExactGram::add_to(Index i, Index j, Double2 v) {
  const Double2 sum = entry(i, j) + v;
  hi_(i, j) = sum.hi;
  lo_(i, j) = sum.lo;
}

void ExactGram::add(const ConstMatrixRef& x, Index t0, Index t1) {
  if (t1 <= t0) return;
  const auto m = static_cast<Index>(signals_.size());
  const Index width = max_lag_ + 1;
  // lead[(i·m + j)·width + l] = Σ x_i(t) x_j(t−l)
  std::vector<Double2> lead(static_cast<std::size_t>(m * m * width));
  const auto column = [&](Index i) { return x.col(signals_[static_cast<std::size_t>(i)]).data(); };
  for (Index from = t0; from < t1; from += kChunk) {
    const Index n = std::min(kChunk, t1 - from);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        for (Index l = 0; l < width; l += kExactTile) {
          const double* lagged[kExactTile];
          Double2 out[kExactTile];
          for (Index k = 0; k < kExactTile; ++k)
            lagged[k] = column(j) + from - std::min(l + k, width - 1);
          exact_dots(column(i) + from, lagged, n, out);
          for (Index k = 0; k < kExactTile && l + k < width; ++k) {
            Double2& cell = lead[static_cast<std::size_t>((i * m + j) * width + l + k)];
            cell = cell + out[k];
          }
        }
      }
    }
  }
  for (Index i = 0; i < m; ++i) {
    const double* a = column(i);
    for (Index j = 0; j < m; ++j) {
      const double* b = column(j);
      const auto follow = [&](Index k, Index l, Double2 value) {
        // Down the diagonal from (k, l) of block (i, j).
        for (;;) {
          add_to(i * width + k, j * width + l, value);
          if (k + 1 >= width || l + 1 >= width) break;
          value = value + two_product(a[t0 - 1 - k], b[t0 - 1 - l]) -
                  two_product(a[t1 - 1 - k], b[t1 - 1 - l]);
          ++k;
          ++l;
        }
      };
      const auto of = [&](Index p, Index q, Index l) {
        return lead[static_cast<std::size_t>((p * m + q) * width + l)];
      };
      for (Index l = 0; l < width; ++l) follow(0, l, of(i, j, l));
      for (Index k = 1; k < width; ++k) follow(k, 0, of(j, i, k));
    }
    Double2 sum{0, 0};
    for (Index t = t0; t < t1; ++t) sum = sum + Double2{a[t], 0};
    for (Index k = 0; k < width; ++k) {
      Double2& of_column = sums_[static_cast<std::size_t>(i * width + k)];
      of_column = of_column + sum;
      if (k + 1 < width) sum = sum + Double2{a[t0 - 1 - k], 0} - Double2{a[t1 - 1 - k], 0};
    }
  }
  rows_ += t1 - t0;
}

void ExactGram::remove_row(const ConstMatrixRef& x, Index t) {
  const Index width = max_lag_ + 1;
  const auto at = [&](Index i) {
    return x(t - i % width, signals_[static_cast<std::size_t>(i / width)]);
  };
  for (Index i = 0; i < hi_.rows(); ++i) {
    for (Index j = 0; j < hi_.rows(); ++j) add_to(i, j, -two_product(at(i), at(j)));
    Double2& sum = sums_[static_cast<std::size_t>(i)];
    sum = sum - Double2{at(i), 0};
  }
  --rows_;
}

std::optional<ExactFit> ExactGram::fit(const std::vector<LaggedColumn>& terms, LaggedColumn target,
                                       bool constant, double lambda) const {
  const auto p = static_cast<Index>(terms.size());
  std::vector<Index> at;
  for (const LaggedColumn& c : terms) at.push_back(index(c));
  at.push_back(index(target));
  const Double2 n{static_cast<double>(rows_), 0};
  const auto of = [&](Index i, Index j) {
    const Index a = at[static_cast<std::size_t>(i)], b = at[static_cast<std::size_t>(j)];
    const Double2 g = entry(a, b);
    if (!constant) return g;
    return g - sums_[static_cast<std::size_t>(a)] * sums_[static_cast<std::size_t>(b)] / n;
  };
  // Scaled to a diagonal near 1 by doubles, so that pivots compare; the scale is taken back exactly
  // as it was put on.
  std::vector<double> scale;
  for (Index i = 0; i < p; ++i) {
    const double power = of(i, i).hi;
    scale.push_back(power > 0 ? 1 / std::sqrt(power) : 0);
  }
  Triangle c(p);
  std::vector<Double2> r;
  for (Index i = 0; i < p; ++i) {
    const Double2 si{scale[static_cast<std::size_t>(i)], 0};
    for (Index j = 0; j <= i; ++j)
      c(i, j) = of(i, j) * si * Double2{scale[static_cast<std::size_t>(j)], 0};
    if (si.hi == 0) c(i, i) = {1, 0};
    r.push_back(of(i, p) * si);
  }
  Triangle ridged = c;
  for (Index i = 0; i < p; ++i) ridged(i, i) = ridged(i, i) + ridged(i, i) * Double2{lambda, 0};
  if (!factor(ridged)) return std::nullopt;
  const std::vector<Double2> theta = solve(ridged, r);
  ExactFit fit;
  fit.theta.resize(p);
  // Σ (y − θᵀφ)² = yᵀy − 2 θᵀr + θᵀCθ
  Double2 rss = of(p, p);
  Double2 mean = constant ? sums_[static_cast<std::size_t>(at.back())] / n : Double2{0, 0};
  double largest = 0, least = 0;
  for (Index i = 0; i < p; ++i) {
    const Double2 t = theta[static_cast<std::size_t>(i)];
    Double2 answer{0, 0};
    for (Index j = 0; j < p; ++j)
      answer = answer + (j <= i ? c(i, j) : c(j, i)) * theta[static_cast<std::size_t>(j)];
    rss = rss + t * (answer - r[static_cast<std::size_t>(i)] - r[static_cast<std::size_t>(i)]);
    const Double2 coefficient = t * Double2{scale[static_cast<std::size_t>(i)], 0};
    fit.theta(i) = coefficient.value();
    if (constant)
      mean =
          mean - coefficient * sums_[static_cast<std::size_t>(at[static_cast<std::size_t>(i)])] / n;
    const double pivot = ridged(i, i).hi;
    largest = std::max(largest, pivot);
    least = i == 0 ? pivot : std::min(least, pivot);
    if (pivot > 1e-13) ++fit.rank;
  }
  fit.rss = std::max(0.0, rss.value());
  fit.constant = mean.value();
  fit.condition = p > 0 ? largest / least : 1;
  return fit;
}

}  // namespace flyball::math
