#include "optimise/inverse_root.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/random.h"

namespace flyball::optimise {
namespace {

/// A set of vectors that comes and goes, and the root of the inverse of its Gram matrix.
struct Gram {
  explicit Gram(Index n) : root(n), b(n + 4), x(n + 4), q(n + 4) {}
  InverseRoot root;
  std::vector<Vector> a;
  Doubles b, x, q;

  void append(const Vector& v) {
    for (Index i = 0; i < root.size(); ++i) b[i] = a[static_cast<std::size_t>(i)].dot(v);
    for (Index i = root.size(); i < padded(root.size()); ++i) b[i] = 0;
    const double inside = root.project(b.data(), x.data());
    root.append(x.data(), v.squaredNorm() - inside);
    a.push_back(v);
  }
  void remove(Index i) {
    root.remove(i, q.data());
    a[static_cast<std::size_t>(i)] = a.back();
    a.pop_back();
  }
  /// ‖S x − b‖∞ for x of solve(b).
  double residual(math::Random& r) {
    for (Index i = 0; i < padded(root.size()); ++i) b[i] = i < root.size() ? r.normal() : 0.0;
    root.solve(b.data(), x.data());
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      double sum = -b[static_cast<Index>(i)];
      for (std::size_t j = 0; j < a.size(); ++j) sum += a[i].dot(a[j]) * x[static_cast<Index>(j)];
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  }
};

TEST(InverseRoot, SolvesAfterAnyOrderOfAppendsAndRemovals) {
  math::Random r(5);
  Gram g(30);
  for (int i = 0; i < 2000; ++i) {
    if (g.root.size() == 0 || (g.root.size() < 30 && r.uniform() < 0.52)) {
      Vector v(40);
      for (Index k = 0; k < 40; ++k) v(k) = r.normal();
      g.append(v);
    } else {
      g.remove(r.index(g.root.size()));
    }
    EXPECT_LT(g.residual(r), 1e-10) << i;
  }
}

TEST(InverseRoot, RemovalSaysHowSolutionsChange) {
  math::Random r(6);
  Gram g(9);
  for (int i = 0; i < 9; ++i) {
    Vector v(12);
    for (Index k = 0; k < 12; ++k) v(k) = r.normal();
    g.append(v);
  }
  Doubles b(12), before(12), after(12);
  for (Index i = 0; i < 9; ++i) b[i] = r.normal();
  g.root.solve(b.data(), before.data());
  const double norm = g.root.remove(3, g.q.data());
  EXPECT_NEAR(norm, g.q[3], 1e-12);
  b[3] = b[8];
  b[8] = 0;
  g.root.solve(b.data(), after.data());
  for (Index j = 0; j < 8; ++j) {
    const Index old = j == 3 ? 8 : j;
    EXPECT_NEAR(after[j], before[old] - g.q[old] * before[3] / norm, 1e-11);
  }
}

}  // namespace
}  // namespace flyball::optimise
