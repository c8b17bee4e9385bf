#include "solver/gram_factor.h"

#include <algorithm>
#include <cmath>

#include "solver/kernels.h"

namespace flyball::solver {

GramFactor::GramFactor(Index capacity)
    : capacity_(capacity), r_(static_cast<std::size_t>(capacity * capacity)) {}

void GramFactor::forward(double* b) const noexcept {
  for (Index i = 0; i < size_; ++i) {
    const double* r = row(i);
    b[i] /= r[i];
    axpy(b + i + 1, -b[i], r + i + 1, size_ - i - 1);
  }
}

void GramFactor::backward(double* b) const noexcept {
  for (Index i = size_ - 1; i >= 0; --i) {
    const double* r = row(i);
    b[i] = (b[i] - dot(r + i + 1, b + i + 1, size_ - i - 1)) / r[i];
  }
}

void GramFactor::append(const double* r, double pivot) noexcept {
  for (Index i = 0; i < size_; ++i) row(i)[size_] = r[i];
  row(size_)[size_] = pivot;
  ++size_;
}

void GramFactor::remove(Index j) noexcept {
  for (Index i = 0; i <= j; ++i) std::copy(row(i) + j + 1, row(i) + size_, row(i) + j);
  for (Index i = j + 1; i < size_; ++i) {
    // Rows i−1 (already without column j) and i: the rotation that zeroes R(i, i) below the
    // diagonal.
    double* above = row(i - 1);
    double* below = row(i);
    std::copy(below + i, below + size_, below + i - 1);
    const double a = above[i - 1], b = below[i - 1];
    const double h = std::hypot(a, b);
    rotate(above + i - 1, below + i - 1, a / h, b / h, size_ - i);
    // What row i still holds starts at column i; the rotated entry is zero by construction.
    below[i - 1] = 0;
  }
  --size_;
}

}  // namespace flyball::solver
