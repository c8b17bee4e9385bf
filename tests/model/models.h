#pragma once
// Small models with known answers for the tests of this room.
#include "model/linear_state_space.h"
#include "model/simulate.h"

namespace flyball::model {

/// Two CVs, one MV, one DV: y0 = 0.8 y0(−1) + 0.5 u(−3) + e, y1 = 0.3 y1(−1) + 2 w(0) + w(−1) + e,
/// about y = (10, −4), u0 = (1, 2). Observer form with the predictor of an ARX.
inline LinearStateSpace two_by_two() {
  LinearStateSpace m;
  m.channels = {{0, 2}, {1, 0}};
  m.n_mv = 1;
  m.A = Matrix::Zero(2, 2);
  m.A.diagonal() << 0.8, 0.3;
  m.B = Matrix::Zero(2, 2);
  m.B << 0.5, 0, 0, 1 + 0.3 * 2;
  m.C = Matrix::Identity(2, 2);
  m.D = Matrix::Zero(2, 2);
  m.D(1, 1) = 2;
  m.K = m.A;
  m.f = Vector::Zero(2);
  m.g = Vector(2);
  m.g << 10, -4;
  m.u0 = Vector(2);
  m.u0 << 1, 2;
  m.S = Matrix::Identity(2, 2) * 0.01;
  return m;
}

/// A record of uneven inputs and arbitrary outputs.
inline Record some_record(Index rows) {
  Record r{Matrix(rows, 2), Matrix(rows, 2)};
  for (Index t = 0; t < rows; ++t) {
    const double s = static_cast<double>(t);
    r.u(t, 0) = 1 + std::sin(0.7 * s) + 0.3 * std::cos(2.1 * s * s);
    r.u(t, 1) = 2 + std::cos(0.31 * s * s);
    r.y(t, 0) = 10 + std::sin(1.3 * s * s);
    r.y(t, 1) = -4 + std::cos(0.9 * s);
  }
  return r;
}

}  // namespace flyball::model
