#include "model/linear_state_space.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "math/linear_algebra.h"
#include "model/sparse_rows.h"

namespace flyball::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

void check_matrix(const Matrix& m, const char* name, Index rows, Index cols) {
  check_shape(name, m.rows(), m.cols(), rows, cols);
  check_finite({m.data(), static_cast<std::size_t>(m.size())}, name);
}

/// States that are neither declared integrators nor disturbances.
Index plant_states(const LinearStateSpace& m) {
  return m.states() - m.integrators - m.disturbance_states;
}

bool integrates(const LinearStateSpace& m, Index output) {
  for (Index i = plant_states(m); i < m.states() - m.disturbance_states; ++i) {
    if (m.C(output, i) != 0) return true;
  }
  return false;
}

}  // namespace

Index LinearStateSpace::max_delay() const {
  std::int64_t longest = 0;
  for (const Channel& c : channels) longest = std::max(longest, c.delay);
  return longest;
}

void check(const LinearStateSpace& m) {
  const Index n = m.A.rows();
  const Index ny = m.g.size();
  const Index nc = static_cast<Index>(m.channels.size());
  check_matrix(m.A, "A", n, n);
  check_matrix(m.B, "B", n, nc);
  check_matrix(m.C, "C", ny, n);
  check_matrix(m.D, "D", ny, nc);
  check_matrix(m.K, "K", n, ny);
  check_matrix(m.S, "S", ny, ny);
  check_matrix(m.f, "f", n, 1);
  check_matrix(m.g, "g", ny, 1);
  check_matrix(m.u0, "u0", m.u0.size(), 1);
  for (const Channel& c : m.channels) {
    const bool inside = c.input >= 0 && c.input < m.inputs() && c.delay >= 0;
    check_shape("channel within inputs", inside ? 1 : 0, 1, 1, 1);
  }
  const bool counts = m.n_mv >= 0 && m.n_mv <= m.inputs() && m.integrators >= 0 &&
                      m.disturbance_states >= 0 && plant_states(m) >= 0;
  check_shape("counts of MVs, integrators and disturbance states", counts ? 1 : 0, 1, 1, 1);
}

double spectral_radius(const LinearStateSpace& m) {
  const Index n = plant_states(m);
  if (n == 0) return 0;
  return math::eigenvalue_moduli(m.A.topLeftCorner(n, n))(0);
}

Matrix dc_gain(const LinearStateSpace& m) {
  const Index n = plant_states(m);
  const Matrix identity = Matrix::Identity(n, n);
  const auto x = math::solve(identity - m.A.topLeftCorner(n, n), m.B.topRows(n));
  Matrix gain = Matrix::Zero(m.outputs(), m.inputs());
  if (!x) return Matrix::Constant(m.outputs(), m.inputs(), kNan);
  const Matrix by_channel = m.C.leftCols(n) * *x + m.D;
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    gain.col(m.channels[c].input) += by_channel.col(static_cast<Index>(c));
  }
  for (Index j = 0; j < m.outputs(); ++j) {
    if (integrates(m, j)) gain.row(j).setConstant(kNan);
  }
  return gain;
}

Matrix step_response(const LinearStateSpace& m, Index input, Index steps) {
  const SparseRows a(m.A), b(m.B), c(m.C), d(m.D);
  Vector x = Vector::Zero(m.states());
  Vector next = x;
  Vector in = Vector::Zero(m.B.cols());
  Vector y(m.outputs());
  Matrix out(steps, m.outputs());
  for (Index k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < m.channels.size(); ++i) {
      const Channel& channel = m.channels[i];
      in(static_cast<Index>(i)) = channel.input == input && k >= channel.delay ? 1 : 0;
    }
    y.setZero();
    c.add_product(x.data(), y.data());
    d.add_product(in.data(), y.data());
    out.row(k) = y.transpose();
    next.setZero();
    a.add_product(x.data(), next.data());
    b.add_product(in.data(), next.data());
    x.swap(next);
  }
  return out;
}

Index steps_to_share(const LinearStateSpace& m, Index input, double share, Index max_steps) {
  if (spectral_radius(m) >= 1) return -1;
  const Matrix gain = dc_gain(m);
  if (!gain.col(input).allFinite()) return -1;
  const Matrix s = step_response(m, input, max_steps + 1);
  Index slowest = 0;
  for (Index j = 0; j < m.outputs(); ++j) {
    const double end = gain(j, input);
    const double band = (1 - share) * std::abs(end);
    if (end == 0) continue;
    Index k = max_steps + 1;
    while (k > 0 && std::abs(s(k - 1, j) - end) <= band) --k;
    if (k > max_steps) return -1;
    slowest = std::max(slowest, k);
  }
  return slowest;
}

}  // namespace flyball::model
