#include "model/start_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/linear_algebra.h"

namespace flyball::model {
namespace {

constexpr Index kForgetMax = 256;
constexpr double kForgotten = 1e-12;
constexpr double kRelative = 1e-12;

Vector weights_of(const Matrix& covariance) {
  const Vector s = covariance.diagonal();
  const double most = s.size() > 0 ? s.maxCoeff() : 0;
  if (!(most > 0)) return Vector::Ones(s.size());
  return s.cwiseMax(kRelative * most).cwiseInverse();
}

}  // namespace

StartFit::StartFit(const LinearStateSpace& m)
    : a_(m.A),
      c_(m.C),
      k_(m.K),
      weight_(weights_of(m.S)),
      phi_(Matrix::Identity(m.states(), m.states())),
      next_(phi_),
      g_(m.C),
      m_(phi_),
      b_(Vector::Zero(m.states())),
      sum_(b_),
      e_(Vector::Zero(m.outputs())) {
  const std::vector<unsigned char> all(static_cast<std::size_t>(m.outputs()), 1);
  const Vector nothing = Vector::Zero(m.outputs());
  start_recursion();
  forgets_ = -1;
  for (Index k = 0; k < kForgetMax && forgets_ < 0; ++k) {
    recurse(nothing.data(), all.data());
    if (phi_.size() == 0 || phi_.cwiseAbs().maxCoeff() < kForgotten) forgets_ = k + 1;
  }
}

void StartFit::prepare(Index history) {
  if (history == prepared_ || (forgets_ >= 0 && history >= forgets_)) return;
  const Index n = phi_.rows(), ny = e_.size();
  const std::vector<unsigned char> all(static_cast<std::size_t>(ny), 1);
  const Vector nothing = Vector::Zero(ny);
  Matrix answers(n, ny * history);  // Gₖᵀ W
  start_recursion();
  for (Index k = 0; k < history; ++k) {
    recurse(nothing.data(), all.data());
    answers.middleCols(k * ny, ny) = g_.transpose() * weight_.asDiagonal();
  }
  const Vector d = m_.diagonal();
  Vector scale = Vector::Zero(n);  // a state that leaves no trace stays
  for (Index i = 0; i < n; ++i) {
    if (d(i) > kRelative * d.maxCoeff()) scale(i) = 1 / std::sqrt(d(i));
  }
  const Matrix lower = m_.triangularView<Eigen::Lower>();
  const Matrix whole = lower + lower.transpose() - Matrix(d.asDiagonal());
  const math::SymmetricEigen eigen =
      math::symmetric_eigen(scale.asDiagonal() * whole * scale.asDiagonal());
  weights_ = eigen.vectors.transpose() * scale.asDiagonal() * answers;
  back_ = phi_ * scale.asDiagonal() * eigen.vectors;
  lambda_ = eigen.values.cwiseMax(0);
  prepared_ = history;
}

void StartFit::begin(Index history, bool complete) noexcept {
  row_ = 0;
  squares_ = values_ = 0;
  if (complete && forgets_ >= 0 && history >= forgets_) {
    way_ = Way::none;
  } else if (complete && history == prepared_) {
    way_ = Way::weights;
    std::fill_n(sum_.data(), sum_.size(), 0.0);
  } else {
    way_ = Way::recursion;
    start_recursion();
  }
}

void StartFit::add(const double* e, const unsigned char* observed) noexcept {
  for (Index j = 0; j < e_.size(); ++j) {
    squares_ += e[j] * e[j] * weight_[j];
    values_ += observed[j];
  }
  if (way_ == Way::weights) {
    const Index n = sum_.size(), ny = e_.size();
    for (Index j = 0; j < ny; ++j) {
      const double* w = weights_.data() + (row_ * ny + j) * n;
      for (Index i = 0; i < n; ++i) sum_[i] += w[i] * e[j];
    }
    ++row_;
  } else if (way_ == Way::recursion) {
    recurse(e, observed);
  }
}

void StartFit::finish(double* x) noexcept {
  if (way_ == Way::recursion) {
    if (!factor()) return;
    solve();
    const Index n = b_.size();
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) x[i] += phi_.data()[j * n + i] * b_[j];
    }
  } else if (way_ == Way::weights) {
    const Index n = sum_.size();
    const double rho = ridge();
    for (Index j = 0; j < n; ++j) {
      const double share = sum_[j] / (lambda_[j] + rho);
      for (Index i = 0; i < n; ++i) x[i] += back_.data()[j * n + i] * share;
    }
  }
}

void StartFit::start_recursion() noexcept {
  std::fill_n(phi_.data(), phi_.size(), 0.0);
  for (Index i = 0; i < phi_.rows(); ++i) phi_(i, i) = 1;
  std::fill_n(m_.data(), m_.size(), 0.0);
  std::fill_n(b_.data(), b_.size(), 0.0);
}

/// Adds a row to M and Σ Gᵀ W e, then Φᵏ⁺¹ = (A − K C over the CVs observed) Φᵏ.
void StartFit::recurse(const double* e, const unsigned char* observed) noexcept {
  const Index n = phi_.rows(), ny = e_.size();
  for (Index i = 0; i < n; ++i) {
    double* g = g_.data() + i * ny;
    std::fill_n(g, ny, 0.0);
    c_.add_product(phi_.data() + i * n, g);
    for (Index j = 0; j < ny; ++j) g[j] = observed[j] != 0 ? g[j] : 0.0;
  }
  for (Index i = 0; i < n; ++i) {
    const double* gi = g_.data() + i * ny;
    for (Index l = 0; l <= i; ++l) {
      const double* gl = g_.data() + l * ny;
      double sum = 0;
      for (Index j = 0; j < ny; ++j) sum += gi[j] * weight_[j] * gl[j];
      m_(i, l) += sum;
    }
    for (Index j = 0; j < ny; ++j) b_[i] += gi[j] * weight_[j] * e[j];
  }
  for (Index i = 0; i < n; ++i) {
    double* out = next_.data() + i * n;
    std::fill_n(out, n, 0.0);
    a_.add_product(phi_.data() + i * n, out);
    for (Index j = 0; j < ny; ++j) e_[j] = -g_.data()[i * ny + j];
    k_.add_product(e_.data(), out);
  }
  phi_.swap(next_);
}

double StartFit::ridge() const noexcept {
  const double excess = squares_ / std::max(values_, 1.0) - 1;
  return static_cast<double>(b_.size()) / (std::max(values_, 1.0) * std::max(excess, kLeastExcess));
}

/// M + ρ diag M = L Lᵀ in place of the lower triangle; a state that leaves no trace stays.
bool StartFit::factor() noexcept {
  const Index n = m_.rows();
  double most = 0;
  for (Index i = 0; i < n; ++i) most = std::max(most, m_(i, i));
  if (!(most > 0) || !std::isfinite(most)) return false;
  const double rho = ridge();
  for (Index i = 0; i < n; ++i) m_(i, i) += rho * m_(i, i) + kRelative * most;
  for (Index j = 0; j < n; ++j) {
    for (Index k = 0; k < j; ++k) m_(j, j) -= m_(j, k) * m_(j, k);
    if (!(m_(j, j) > 0)) return false;
    m_(j, j) = std::sqrt(m_(j, j));
    for (Index i = j + 1; i < n; ++i) {
      for (Index k = 0; k < j; ++k) m_(i, j) -= m_(i, k) * m_(j, k);
      m_(i, j) /= m_(j, j);
    }
  }
  return true;
}

/// b ← (L Lᵀ)⁻¹ b.
void StartFit::solve() noexcept {
  const Index n = m_.rows();
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < i; ++k) b_[i] -= m_(i, k) * b_[k];
    b_[i] /= m_(i, i);
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) b_[i] -= m_(k, i) * b_[k];
    b_[i] /= m_(i, i);
  }
}

}  // namespace flyball::model
