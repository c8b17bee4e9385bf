#include "plan/level.h"

#include <algorithm>
#include <cmath>

namespace flyball::plan {

Vector returning_noise(Index steps, Index longest, math::Random& random) {
  Vector out = Vector::Zero(steps);
  const Index shortest = (longest + 1) / 2;
  Index at = 0;
  while (true) {
    const auto spread = static_cast<double>(longest - shortest + 1);
    const Index drawn = shortest + static_cast<Index>(random.uniform() * spread);
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    const Index half = std::min(std::min(drawn, longest), (steps - 1 - at) / 2);
    if (half < 1) return out;
    out.segment(at, half).setConstant(sign);
    out.segment(at + half, half).setConstant(-sign);
    at += 2 * half;
  }
}

Matrix level_response(const Eigen::Ref<const Vector>& u, double theta) {
  Matrix out = Matrix::Zero(u.size(), 2);
  const auto whole = static_cast<Index>(std::floor(theta));
  const double part = theta - static_cast<double>(whole);
  double sum = 0;  // ∫ u up to step t − whole − 1
  for (Index t = whole + 1; t < u.size(); ++t) {
    const double now = u(t - whole - 1);
    out(t, 0) = sum + (1 - part) * now;
    out(t, 1) = -now;
    sum += now;
  }
  return out;
}

}  // namespace flyball::plan
