#pragma once
// Plants with a known steady surface behind a dead time and a lag.
#include "identify/static_response.h"
#include "math/random.h"
#include "records.h"

namespace flyball::identify {

/// Levels −1, −0.5, 0, 0.5, 1 of both inputs around 20 and 300 (steps of 1 and 40), held for
/// `hold`..2·hold rows.
struct SurfaceRun {
  Matrix x;  ///< rows × (u1, u2, y1)
};

/// 50 + 3 a − 2 b + 1.5 a² − 0.8 a b, a and b the inputs in steps from their middle.
inline double surface_truth(double u1, double u2) {
  const double a = u1 - 20, b = (u2 - 300) / 40;
  return 50 + 3 * a - 2 * b + 1.5 * a * a - 0.8 * a * b;
}

inline Matrix surface_run(Index rows, Index hold, double noise, math::Random& random,
                          double pole = 0.8, Index dead = 4) {
  Matrix x(rows, 3);
  Index left = 0;
  double u1 = 20, u2 = 300, state = surface_truth(20, 300);
  for (Index t = 0; t < rows; ++t) {
    if (left-- <= 0) {
      u1 = 20 + 0.5 * static_cast<double>(random.index(5) - 2);
      u2 = 300 + 20 * static_cast<double>(random.index(5) - 2);
      left = hold + random.index(hold + 1);
    }
    x(t, 0) = u1;
    x(t, 1) = u2;
    const Index from = std::max<Index>(0, t - dead);
    state = pole * state + (1 - pole) * surface_truth(x(from, 0), x(from, 1));
    x(t, 2) = state + noise * random.normal();
  }
  return x;
}

inline dataset::OperatingPoints points_of(const dataset::Dataset& data,
                                          const dataset::SteadyOptions& options = {}) {
  return dataset::operating_points(data, dataset::steady_rule(data, options));
}

/// One row per point, every run train.
inline dataset::Dataset points_dataset(const std::vector<Matrix>& runs, const std::string& roles) {
  return train_dataset(runs, roles);
}

}  // namespace flyball::identify
