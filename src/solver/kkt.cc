#include "solver/kkt.h"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace flyball::solver {

namespace {

constexpr int kBasis = 10, kCycles = 3;
constexpr double kExact = 1e-13;
// What stays of the shift in the system that is solved: it bounds (p, q) along directions in which
// the system is singular, where rounding errors would otherwise be divided by 0.
constexpr double kKept = 1e-12;

}  // namespace

struct Kkt::Factor {
  SparseMatrix matrix;  ///< lower triangle
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt;
  std::vector<Index> diagonal;  ///< of entry (i, i) in the values
  Vector h_diagonal;
};

Kkt::Kkt(const SparseMatrix& h, const SparseMatrix& a)
    : h_(h), a_(a), at_(a.transpose()), factor_(std::make_unique<Factor>()) {
  const Index n = h.rows(), m = a.rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index j = 0; j < n; ++j) {
    entries.emplace_back(j, j, 0.0);
    for (SparseMatrix::InnerIterator it(h, j); it; ++it) {
      if (it.row() > j) entries.emplace_back(it.row(), j, it.value());
    }
    for (SparseMatrix::InnerIterator it(a, j); it; ++it) {
      entries.emplace_back(n + it.row(), j, it.value());
    }
  }
  for (Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, 0.0);
  factor_->matrix.resize(n + m, n + m);
  factor_->matrix.setFromTriplets(entries.begin(), entries.end());
  factor_->h_diagonal = h.diagonal();
  factor_->diagonal.resize(n + m);
  for (Index j = 0; j < n + m; ++j) factor_->diagonal[j] = factor_->matrix.outerIndexPtr()[j];
  factor_->ldlt.analyzePattern(factor_->matrix);
}

Kkt::~Kkt() = default;

bool Kkt::factor(const Vector& d, const Vector& e, double shift) {
  d_ = d.array() + kKept;
  e_ = e.array() + kKept;
  shift_ = shift;
  const Index n = h_.rows(), m = a_.rows();
  double* values = factor_->matrix.valuePtr();
  for (Index j = 0; j < n; ++j) {
    values[factor_->diagonal[j]] = factor_->h_diagonal[j] + d[j] + shift;
  }
  for (Index i = 0; i < m; ++i) values[factor_->diagonal[n + i]] = -e[i] - shift;
  factor_->ldlt.factorize(factor_->matrix);
  return factor_->ldlt.info() == Eigen::Success;
}

Vector Kkt::apply(const Vector& v) const {
  const Index n = h_.rows(), m = a_.rows();
  Vector out(n + m);
  out.head(n) = h_ * v.head(n) + d_.cwiseProduct(v.head(n)) + at_ * v.tail(m);
  out.tail(m) = a_ * v.head(n) - e_.cwiseProduct(v.tail(m));
  return out;
}

double Kkt::solve(const Vector& r, const Vector& s, Vector& p, Vector& q) const {
  const Index n = h_.rows(), m = a_.rows();
  Vector right(n + m), scale = Vector::Ones(n + m);
  right << r, s;
  // A row with a large E only says how its q follows: both are measured in units of √E.
  scale.tail(m) = (1 + e_.array()).sqrt().inverse();
  const double size = right.cwiseProduct(scale).norm();
  Vector x = Vector::Zero(n + m), best_x = x;
  double best = size > 0 ? 1 : 0;
  for (int cycle = 0; cycle < kCycles && best > kExact; ++cycle) {
    const Vector rest = (right - apply(x)).cwiseProduct(scale);
    const double norm = rest.norm();
    if (cycle > 0 && !(norm < 0.5 * best * size)) break;
    // GMRES on the scaled system, preconditioned on the right by the factor.
    Matrix basis(n + m, kBasis + 1), moved(n + m, kBasis),
        hessenberg = Matrix::Zero(kBasis + 1, kBasis);
    Vector target = Vector::Zero(kBasis + 1), cosine(kBasis), sine(kBasis);
    basis.col(0) = rest / norm;
    target[0] = norm;
    int k = 0;
    while (k < kBasis) {
      moved.col(k) = factor_->ldlt.solve(Vector(basis.col(k).cwiseQuotient(scale)));
      Vector w = apply(moved.col(k)).cwiseProduct(scale);
      for (int i = 0; i <= k; ++i) {
        hessenberg(i, k) = w.dot(basis.col(i));
        w -= hessenberg(i, k) * basis.col(i);
      }
      const double length = w.norm();
      for (int i = 0; i < k; ++i) {
        const double up = hessenberg(i, k), down = hessenberg(i + 1, k);
        hessenberg(i, k) = cosine[i] * up + sine[i] * down;
        hessenberg(i + 1, k) = cosine[i] * down - sine[i] * up;
      }
      const double h = std::hypot(hessenberg(k, k), length);
      if (!(h > 0) || !std::isfinite(h)) break;
      cosine[k] = hessenberg(k, k) / h;
      sine[k] = length / h;
      hessenberg(k, k) = h;
      target[k + 1] = -sine[k] * target[k];
      target[k] *= cosine[k];
      ++k;
      if (std::abs(target[k]) <= kExact * size || !(length > 1e-14 * h)) break;
      basis.col(k) = w / length;
    }
    for (int i = k - 1; i >= 0; --i) {
      for (int j = i + 1; j < k; ++j) target[i] -= hessenberg(i, j) * target[j];
      target[i] /= hessenberg(i, i);
    }
    x += moved.leftCols(k) * target.head(k);
    const double now = (right - apply(x)).cwiseProduct(scale).norm() / size;
    if (!(now < best)) break;
    best = now;
    best_x = x;
  }
  p = best_x.head(n);
  q = best_x.tail(m);
  return best;
}

}  // namespace flyball::solver
