#include "optimise/state_response.h"

namespace flyball::optimise {

StateResponse state_response(const ConstMatrixRef& a, const ConstMatrixRef& b,
                             const ConstMatrixRef& c, Index horizon) {
  const Index ny = c.rows();
  const Index nu = b.cols();
  StateResponse out{Matrix(horizon, ny * nu), Matrix(horizon * ny, a.rows())};
  Matrix row = c;                     // C A^k
  Matrix sum = Matrix::Zero(ny, nu);  // Σ_{l<k} C A^l B
  for (Index k = 0; k < horizon; ++k) {
    sum.noalias() += row * b;
    row = (row * a).eval();
    for (Index j = 0; j < ny; ++j) {
      for (Index m = 0; m < nu; ++m) out.answers(k, j * nu + m) = sum(j, m);
      out.free.row(j * horizon + k) = row.row(j);
    }
  }
  return out;
}

}  // namespace flyball::optimise
