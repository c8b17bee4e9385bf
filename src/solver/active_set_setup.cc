#include <cmath>

#include "core/error.h"
#include "solver/active_set.h"
#include "solver/kernels.h"

namespace flyball::solver {

namespace {

constexpr double kProximal = 1e-6;  // of the diagonal of H
constexpr Index kKeptBytes = 64 << 20;

/// H = L Lᵀ in place of l (lower triangle); false at a pivot below `least` of its diagonal entry.
bool factor(Matrix& l, double least) {
  const Index n = l.rows();
  Vector row(n);
  for (Index j = 0; j < n; ++j) {
    const double diagonal = l(j, j);
    for (Index k = 0; k < j; ++k) row[k] = -l(j, k);
    add_times(&l(j, j), &l(j, 0), row.data(), n - j, j, n);
    if (!(l(j, j) > least * diagonal)) return false;
    const double pivot = std::sqrt(l(j, j));
    for (Index i = j; i < n; ++i) l(i, j) /= pivot;
  }
  return true;
}

/// The inverse of L into the first n columns of v, which are 0: column by column from the last.
void invert(const Matrix& l, Matrix& v) {
  const Index n = l.rows();
  for (Index c = n - 1; c >= 0; --c) {
    const double pivot = 1 / l(c, c);
    v(c, c) = pivot;
    const Index below = n - 1 - c;
    if (below == 0) continue;
    lower_times(&v(c + 1, c), &v(c + 1, c + 1), &l(c + 1, c), below, n);
    v.col(c).tail(below) *= -pivot;
  }
}

void check(const Matrix& h, const Matrix& a) {
  const Index n = h.rows();
  if (n == 0 || h.cols() != n || (a.rows() > 0 && a.cols() != n)) {
    throw Error("QP_SHAPE", {{"what", "A"}, {"found", a.cols()}, {"expected", n}});
  }
  for (const auto& [name, matrix] : {std::pair{"h", &h}, std::pair{"a", &a}}) {
    if (matrix->allFinite()) continue;
    for (Index j = 0; j < matrix->cols(); ++j) {
      for (Index i = 0; i < matrix->rows(); ++i) {
        if (std::isfinite((*matrix)(i, j))) continue;
        throw Error("QP_NOT_FINITE", {{"field", name}, {"row", i}, {"column", j}});
      }
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) {
      if (h(i, j) == h(j, i) ||
          std::abs(h(i, j) - h(j, i)) <= 1e-12 * std::sqrt(std::abs(h(i, i) * h(j, j))))
        continue;
      throw Error("QP_NOT_SYMMETRIC",
                  {{"row", i}, {"column", j}, {"value", h(i, j)}, {"other", h(j, i)}});
    }
  }
}

}  // namespace

ActiveSet::ActiveSet(const Matrix& h, const Matrix& a, Settings settings)
    : n_(h.rows()), m_(a.rows()), total_(n_ + m_), settings_(settings), factor_(n_) {
  check(h, a);
  h_ = h;
  rows_ = m_ > 0 ? Matrix(a.transpose()) : Matrix(n_, 0);
  Matrix l = h;
  if (!factor(l, 1e-13)) {
    proximal_ = true;
    const double mean = h.diagonal().cwiseAbs().mean();
    l = h;
    for (Index i = 0; i < n_; ++i) {
      l(i, i) += kProximal * std::max(h(i, i), mean > 0 ? mean : 1.0);
    }
    if (!factor(l, 1e-13)) throw Error("QP_NOT_CONVEX");
  }
  v_ = Matrix::Zero(n_, total_);
  coefficient_ = Vector::Ones(total_);
  length_ = Vector(total_);
  solved_ = Vector(n_);
  invert(l, v_);
  for (Index i = n_; i < total_; ++i) {
    coefficient_[i] = rows_.col(i - n_).cwiseAbs().maxCoeff();
    lower_times(&v_(0, i), v_.data(), &rows_(0, i - n_), n_);
  }
  for (Index i = 0; i < total_; ++i) length_[i] = std::sqrt(dot(metric(i), metric(i), n_));
  const Index kept = std::min(total_, std::max(n_ + 2, kKeptBytes / (8 * total_)));
  columns_ = Matrix(total_, kept);
  slot_.assign(total_, -1);
  owner_.assign(kept, -1);
  place_.assign(total_, -1);
  set_.reserve(n_ + 1);
  side_.reserve(n_ + 1);
  for (Vector* v :
       {&low_, &up_, &scale_, &low_tested_, &up_tested_, &weight_, &base_, &values_, &priced_}) {
    *v = Vector::Zero(total_);
  }
  for (Vector* v : {&g_, &x_, &x0_, &hx_, &work_, &residual_, &previous_, &trial_})
    *v = Vector::Zero(n_);
  for (Vector* v : {&lambda_, &star_, &direction_, &entering_}) *v = Vector::Zero(n_ + 1);
  activity_ = Vector::Zero(m_);
  solution_.x = solution_.z = solution_.certificate.z = Vector::Zero(n_);
  solution_.y = solution_.certificate.y = Vector::Zero(m_);
}

}  // namespace flyball::solver
