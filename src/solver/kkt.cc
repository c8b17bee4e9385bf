#include "solver/kkt.h"

#include <Eigen/SparseCholesky>
#include <cmath>

namespace flyball::solver {

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
  d_ = d;
  e_ = e;
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

double Kkt::solve(const Vector& r, const Vector& s, Vector& p, Vector& q, int refinements) const {
  const Index n = h_.rows(), m = a_.rows();
  const double size = std::max(r.size() > 0 ? r.cwiseAbs().maxCoeff() : 0,
                               s.size() > 0 ? s.cwiseAbs().maxCoeff() : 0);
  p = Vector::Zero(n);
  q = Vector::Zero(m);
  if (size == 0) return 0;
  Vector rest(n + m), best_p = p, best_q = q;
  rest << r, s;
  double best = 1;
  for (int i = 0; i <= refinements; ++i) {
    const Vector step = factor_->ldlt.solve(rest);
    p += step.head(n);
    q += step.tail(m);
    rest.head(n) = r - h_ * p - d_.cwiseProduct(p) - at_ * q;
    rest.tail(m) = s - a_ * p + e_.cwiseProduct(q);
    const double now = rest.cwiseAbs().maxCoeff() / size;
    if (!(now < best)) break;
    const bool slow = now > 0.9 * best;
    best = now;
    best_p = p;
    best_q = q;
    if (now < 1e-15 || slow) break;
  }
  p = best_p;
  q = best_q;
  return best;
}

}  // namespace flyball::solver
