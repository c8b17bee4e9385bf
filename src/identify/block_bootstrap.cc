#include "identify/block_bootstrap.h"

#include <algorithm>
#include <cmath>

#include "math/linear_algebra.h"
#include "math/random.h"
#include "math/statistics.h"

namespace flyball::identify {
namespace {

constexpr Index kFewestBlocks = 20, kMostChunks = 400;
constexpr std::uint32_t kSeed = 20;
constexpr double kStableDraws = 0.9;  ///< share of draws that have to be stable

/// Of some rows: terms, then the target.
struct Part {
  Matrix gram;
  Vector sums;
  double rows = 0;
};

Part part_of(const Regression& r, const Structure& s, Interval rows) {
  const math::LagGram all = gram_of(r, s.max_lag(), {rows});
  std::vector<Term> terms = s.terms(r.nu);
  terms.push_back({r.nu, 0});
  const auto n = static_cast<Index>(terms.size());
  Part out{Matrix(n, n), Vector(n), static_cast<double>(all.rows())};
  std::vector<Index> at;
  for (const Term& t : terms) at.push_back(all.index(t.signal, t.lag));
  for (Index j = 0; j < n; ++j) {
    out.sums(j) = all.sums()(at[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < n; ++i) {
      out.gram(i, j) = all.gram()(at[static_cast<std::size_t>(i)], at[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

std::optional<Vector> solve_part(Part p, bool has_constant, double lambda) {
  const Index n = p.sums.size() - 1;
  if (has_constant) p.gram -= p.sums * p.sums.transpose() / p.rows;
  Matrix a = p.gram.topLeftCorner(n, n);
  a.diagonal() *= 1 + lambda;
  const auto factor = math::Cholesky::of(a);
  if (!factor) return std::nullopt;
  return factor->solve(p.gram.col(n).head(n));
}

}  // namespace

Matrix draw_parameters(const Regression& r, const Structure& s, double lambda, Index draws) {
  std::vector<Interval> runs;
  Index rows = 0;
  for_each_run(r, {0, r.x.rows()}, s.max_lag(), [&](Index t0, Index t1) {
    runs.push_back({t0, t1});
    rows += t1 - t0;
  });
  const Index length =
      std::max({2 * (s.max_lag() + 1), 2 * rows / kMostChunks,
                static_cast<Index>(std::ceil(std::cbrt(static_cast<double>(rows))))});
  const Index half = (length + 1) / 2;
  std::vector<Part> chunks;
  for (const Interval& run : runs) {
    for (Index t = run.first; t < run.end; t += half) {
      const Part p = part_of(r, s, {t, std::min(t + half, run.end)});
      if (p.rows > 0) chunks.push_back(p);
    }
  }
  const auto count = static_cast<Index>(chunks.size());
  if (count < 2 * kFewestBlocks) return {};
  math::Random random(kSeed);
  Matrix out(draws, s.parameters());
  Index kept = 0;
  for (Index d = 0; d < draws; ++d) {
    Vector weights = Vector::Zero(count);
    for (Index taken = 0; taken < count; taken += 2) {  // blocks of two chunks, ends joined
      const Index first = random.index(count);
      weights(first) += 1;
      weights((first + 1) % count) += 1;
    }
    Part sum{Matrix::Zero(s.parameters() + 1, s.parameters() + 1), Vector::Zero(s.parameters() + 1),
             0};
    for (Index i = 0; i < count; ++i) {
      if (weights(i) == 0) continue;
      const Part& p = chunks[static_cast<std::size_t>(i)];
      sum.gram += weights(i) * p.gram;
      sum.sums += weights(i) * p.sums;
      sum.rows += weights(i) * p.rows;
    }
    const auto theta = solve_part(std::move(sum), r.has_constant(), lambda);
    if (!theta || !roots_inside(theta->tail(s.na), 1 - 1e-6)) continue;
    out.row(kept++) = theta->transpose();
  }
  if (static_cast<double>(kept) < kStableDraws * static_cast<double>(draws)) return {};
  return out.topRows(kept);
}

Matrix quantiles_95(const Matrix& draws) {
  if (draws.rows() == 0) return {};
  Matrix out(2, draws.cols());
  for (Index c = 0; c < draws.cols(); ++c) {
    const Vector column = draws.col(c);
    const std::span<const double> values(column.data(), static_cast<std::size_t>(column.size()));
    out(0, c) = math::quantile(values, 0.025);
    out(1, c) = math::quantile(values, 0.975);
  }
  return out;
}

}  // namespace flyball::identify
