#pragma once
// Plants with known truth for the tests of this room.
#include <vector>

#include "math/random.h"
#include "math/types.h"

namespace flyball::identify {

/// Levels ±1 (times scale) held for `hold` to 3·hold steps.
inline Vector random_steps(Index rows, Index hold, math::Random& random, double scale = 1) {
  Vector u(rows);
  Index left = 0;
  double level = scale;
  for (Index t = 0; t < rows; ++t) {
    if (left-- <= 0) {
      level = random.uniform() < 0.5 ? -scale : scale;
      left = hold + random.index(2 * hold + 1);
    }
    u(t) = level;
  }
  return u;
}

/// y(t) = pole·y(t−1) + gain·(1 − pole)·u(t − lag), the first answer at lag.
inline Vector first_order(const Vector& u, double gain, double pole, Index lag) {
  Vector y = Vector::Zero(u.size());
  for (Index t = 1; t < u.size(); ++t) {
    y(t) = pole * y(t - 1) + (t >= lag ? gain * (1 - pole) * u(t - lag) : 0);
  }
  return y;
}

inline double power(const Vector& v) {
  return (v.array() - v.mean()).square().sum() / static_cast<double>(v.size());
}

/// Adds white noise at a signal to noise ratio.
inline void add_noise(Vector& y, double decibel, math::Random& random) {
  const double sigma = std::sqrt(power(y) * std::pow(10, -decibel / 10));
  for (Index t = 0; t < y.size(); ++t) y(t) += sigma * random.normal();
}

/// Poles 0.5 and 0.9 behind the two inputs of one CV.
inline Matrix two_lags(Index rows, double decibel, math::Random& random) {
  Matrix x(rows, 3);
  x.col(0) = random_steps(rows, 4, random);
  x.col(1) = random_steps(rows, 6, random);
  Vector y = first_order(x.col(0), 0.6, 0.5, 2) + first_order(x.col(1), -1.5, 0.9, 4);
  if (decibel < 200) add_noise(y, decibel, random);
  x.col(2) = y;
  return x;
}

/// y1 = G11 u1 + G12 u2, y2 = G21 u1 + G22 u2: gains, poles, first lags below.
struct TwoByTwo {
  static constexpr double kGain[2][2] = {{2, -0.8}, {0.6, 1.5}};
  static constexpr double kPole[2] = {0.85, 0.9};  ///< one per CV
  static constexpr Index kLag[2][2] = {{3, 5}, {2, 7}};

  static Matrix run(Index rows, double decibel, math::Random& random) {
    Matrix x(rows, 4);
    for (Index m = 0; m < 2; ++m) x.col(m) = random_steps(rows, 5, random);
    for (Index j = 0; j < 2; ++j) {
      Vector y = Vector::Zero(rows);
      for (Index m = 0; m < 2; ++m) y += first_order(x.col(m), kGain[j][m], kPole[j], kLag[j][m]);
      add_noise(y, decibel, random);
      x.col(2 + j) = y;
    }
    return x;
  }
};

}  // namespace flyball::identify
