#include "optimise/inverse_root.h"

#include <cmath>

#include "optimise/kernels.h"

namespace flyball::optimise {

InverseRoot::InverseRoot(Index capacity)
    : capacity_(capacity),
      stride_(padded(capacity)),
      m_(capacity * padded(capacity)),
      l_(padded(capacity)),
      v_(padded(capacity)),
      t_(padded(capacity)) {}

void InverseRoot::solve(const double* b, double* x) noexcept {
  (void)project(b, x);
}

double InverseRoot::project(const double* s, double* r) noexcept {
  row_products(m_.data(), size_, stride_, padded(size_), s, l_.data());
  combine_rows(m_.data(), size_, stride_, padded(size_), l_.data(), r);
  double sum = 0;
  for (Index k = 0; k < size_; ++k) sum += l_[k] * l_[k];
  return sum;
}

void InverseRoot::append(const double* r, double delta) noexcept {
  double* row = m_.data() + size_ * stride_;
  const double scale = 1 / std::sqrt(delta);
  for (Index j = 0; j < size_; ++j) row[j] = -r[j] * scale;
  row[size_] = scale;
  for (Index j = size_ + 1; j < padded(size_ + 1); ++j) row[j] = 0;
  if (size_ % 4 == 0) {  // rows above reach into new columns
    for (Index k = 0; k < size_; ++k) {
      for (Index j = size_; j < size_ + 4; ++j) m_[k * stride_ + j] = 0;
    }
  }
  ++size_;
}

double InverseRoot::remove(Index i, double* q) noexcept {
  const Index last = size_ - 1;
  const Index width = padded(size_);
  double norm2 = 0;
  for (Index k = 0; k < size_; ++k) {
    v_[k] = m_[k * stride_ + i];
    norm2 += v_[k] * v_[k];
  }
  const double norm = std::sqrt(norm2);
  // H = I − 2 v vᵀ/‖v‖², v = column ∓ norm e_last of the sign without cancellation.
  const double sign = v_[last] > 0 ? 1.0 : -1.0;
  const double half = norm2 + sign * v_[last] * norm;  // ‖v‖²/2
  v_[last] += sign * norm;
  combine_rows(m_.data(), size_, stride_, width, v_.data(), t_.data());
  const double scale = 1 / half;
  for (Index j = 0; j < width; ++j) t_[j] *= scale;
  double* bottom = m_.data() + last * stride_;
  for (Index j = 0; j < size_; ++j) q[j] = -sign * (bottom[j] - v_[last] * t_[j]);
  subtract_outer(m_.data(), last, stride_, width, v_.data(), t_.data());
  for (Index k = 0; k < last; ++k) {
    double* row = m_.data() + k * stride_;
    row[i] = row[last];
    row[last] = 0;
  }
  size_ = last;
  return norm;
}

}  // namespace flyball::optimise
