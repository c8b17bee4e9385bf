#include "testbed/state_space.h"

#include <cmath>

namespace flyball::testbed {

model::LinearStateSpace state_space(const Plant& plant, double period) {
  model::LinearStateSpace m;
  const Index ny = plant.outputs();
  const Index nu = plant.inputs();
  Index n = 0;
  for (const auto& row : plant.channels)
    for (const auto& c : row) n += c.gain == 0 ? 0 : c.tau2 > 0 ? 2 : 1;
  m.A = Matrix::Zero(n, n);
  m.C = Matrix::Zero(ny, n);
  std::vector<Vector> drives;
  Index at = 0;
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nu; ++i) {
      const ChannelSpec& c =
          plant.channels[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)];
      if (c.gain == 0) continue;
      const double e1 = std::exp(-period / c.tau1);
      const auto whole = static_cast<std::int64_t>(std::floor(c.dead_time / period + 1e-9));
      if (c.tau2 > 0) {
        const double e2 = std::exp(-period / c.tau2);
        const double carried = c.tau1 / (c.tau1 - c.tau2) * (e1 - e2);
        m.A(at, at) = e1;
        m.A(at + 1, at + 1) = e2;
        m.A(at + 1, at) = carried;
        m.C(j, at + 1) = c.gain;
        Vector b = Vector::Zero(n);
        b(at) = 1 - e1;
        b(at + 1) = 1 - e2 - carried;
        drives.push_back(b);
        m.channels.push_back({i, whole});
        at += 2;
        continue;
      }
      m.A(at, at) = e1;
      m.C(j, at) = c.gain;
      const double fraction = std::max(0.0, c.dead_time - static_cast<double>(whole) * period);
      const double late = std::exp(-(period - fraction) / c.tau1);
      Vector b = Vector::Zero(n);
      b(at) = 1 - late;
      drives.push_back(b);
      m.channels.push_back({i, whole});
      if (fraction > 1e-9 * period) {
        b(at) = (1 - std::exp(-fraction / c.tau1)) * late;
        drives.push_back(b);
        m.channels.push_back({i, whole + 1});
      }
      ++at;
    }
  }
  const auto nc = static_cast<Index>(drives.size());
  m.B = Matrix(n, nc);
  for (Index c = 0; c < nc; ++c) m.B.col(c) = drives[static_cast<std::size_t>(c)];
  m.D = Matrix::Zero(ny, nc);
  m.K = Matrix::Zero(n, ny);
  m.f = Vector::Zero(n);
  m.g = Eigen::Map<const Vector>(plant.y0.data(), ny);
  m.u0 = Eigen::Map<const Vector>(plant.u0.data(), nu);
  m.S = Matrix::Identity(ny, ny) * 1e-4;
  m.n_mv = nu;
  return m;
}

}  // namespace flyball::testbed
