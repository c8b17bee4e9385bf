#include "model/sparse_rows.h"

namespace flyball::model {

SparseRows::SparseRows(const Matrix& m) {
  start_.push_back(0);
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) {
      if (m(i, j) == 0) continue;
      column_.push_back(static_cast<std::int32_t>(j));
      value_.push_back(m(i, j));
    }
    start_.push_back(static_cast<std::int32_t>(value_.size()));
  }
}

void SparseRows::add_product(const double* x, double* y) const noexcept {
  const std::size_t rows = start_.size() - 1;
  const std::int32_t* column = column_.data();
  const double* value = value_.data();
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = y[i];
    for (std::int32_t k = start_[i]; k < start_[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

}  // namespace flyball::model
