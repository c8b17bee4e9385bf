#pragma once
// The non-zeros of a matrix by rows: model matrices are nearly empty (companion blocks, one column
// per delayed input), and prediction multiplies by them millions of times.
#include <cstdint>
#include <vector>

#include "math/types.h"

namespace flyball::model {

class SparseRows {
 public:
  explicit SparseRows(const Matrix& m);

  /// y += M x, x of cols, y of rows entries. No allocation.
  void add_product(const double* x, double* y) const noexcept;

 private:
  std::vector<std::int32_t> start_, column_;
  std::vector<double> value_;
};

}  // namespace flyball::model
