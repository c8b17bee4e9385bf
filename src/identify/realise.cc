#include "identify/realise.h"

#include <algorithm>

namespace flyball::identify {
namespace {

Index delay_of(const Structure::Input& input) {
  return std::max<Index>(input.first_lag - 1, 0);
}

Index order_of(const Structure& s) {
  const bool proper =
      std::ranges::all_of(s.inputs, [](const Structure::Input& i) { return i.first_lag >= 1; });
  const bool any =
      std::ranges::any_of(s.inputs, [](const Structure::Input& i) { return i.first_lag >= 1; });
  Index n = std::max<Index>(s.na, 1);
  if (any) n = std::max(n, s.nb);
  if (!proper) n = std::max(n, s.nb - 1);
  return n;
}

/// Distinct (input, delay) over all CVs, in order of first use.
std::vector<model::Channel> channels_of(const std::vector<Arx>& cvs) {
  std::vector<model::Channel> out;
  for (const Arx& cv : cvs) {
    for (const Structure::Input& i : cv.structure.inputs) {
      const model::Channel c{i.input, delay_of(i)};
      const bool known = std::ranges::any_of(
          out, [&](const model::Channel& k) { return k.input == c.input && k.delay == c.delay; });
      if (!known) out.push_back(c);
    }
  }
  return out;
}

Index channel_index(const std::vector<model::Channel>& channels, const Structure::Input& i) {
  const auto at = std::ranges::find_if(channels, [&](const model::Channel& c) {
    return c.input == i.input && c.delay == delay_of(i);
  });
  return at - channels.begin();
}

/// a padded to n entries.
Vector padded(const Vector& a, Index n) {
  Vector out = Vector::Zero(n);
  out.head(a.size()) = a;
  return out;
}

/// w(t) = Σ dᵢ w(t−i) + e(t) from state x on, its part known before t added to the CV.
Index add_autoregression(const Vector& d, Index cv, Index x, model::LinearStateSpace& m) {
  const Index q = d.size();
  if (q == 0) return 0;
  m.C(cv, x) = 1;
  m.A.block(x, x, q, 1) = d;
  for (Index i = 0; i + 1 < q; ++i) m.A(x + i, x + i + 1) = 1;
  m.K.block(x, cv, q, 1) = d;
  return q;
}

}  // namespace

model::LinearStateSpace realise(const std::vector<Arx>& cvs, const TrainingData& data,
                                const Matrix& covariance, const std::vector<Noise>& noise) {
  model::LinearStateSpace m;
  m.channels = channels_of(cvs);
  m.n_mv = data.n_mv;
  const auto ny = static_cast<Index>(cvs.size());
  const auto nc = static_cast<Index>(m.channels.size());
  Index plant = 0;
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    const Arx& cv = cvs[j];
    plant += order_of(cv.structure) + (noise.empty() ? 0 : noise[j].ar.size());
    m.integrators += cv.integrating ? 1 : 0;
    m.disturbance_states += cv.differenced || data.has_run_levels(static_cast<Index>(j)) ? 1 : 0;
  }
  const Index n = plant + m.integrators + m.disturbance_states;
  m.A = Matrix::Zero(n, n);
  m.B = Matrix::Zero(n, nc);
  m.C = Matrix::Zero(ny, n);
  m.D = Matrix::Zero(ny, nc);
  m.K = Matrix::Zero(n, ny);
  m.f = Vector::Zero(n);
  m.u0 = data.mean.head(data.nu());
  m.g = data.mean.tail(ny);
  const Vector scale = data.std.tail(ny);
  m.S = scale.asDiagonal() * covariance * scale.asDiagonal();

  Index x = 0;
  Index integrator = plant;
  Index disturbance = plant + m.integrators;
  for (Index j = 0; j < ny; ++j) {
    const Arx& cv = cvs[static_cast<std::size_t>(j)];
    const Index order = order_of(cv.structure);
    const Vector a = padded(cv.a(), order);
    const Vector k =
        noise.empty() ? a : Vector(a - padded(noise[static_cast<std::size_t>(j)].c, order));
    const double sigma = data.std(data.nu() + j);
    // Output row of the regression: z = x₁ (+ s) + d v + e.
    m.C(j, x) = 1;
    m.A.block(x, x, order, 1) = a;
    for (Index i = 0; i + 1 < order; ++i) m.A(x + i, x + i + 1) = 1;
    m.K.block(x, j, order, 1) = k;
    m.f(x) += cv.constant * sigma;
    const bool drifting = cv.differenced || data.has_run_levels(j);
    if (drifting) {
      m.C(j, disturbance) = 1;
      m.A.block(x, disturbance, order, 1) = k;
      m.A(disturbance, disturbance) = 1;
      m.K(disturbance, j) = cv.differenced ? 1 : data.run_tracking;
    }
    for (std::size_t i = 0; i < cv.structure.inputs.size(); ++i) {
      const Structure::Input& input = cv.structure.inputs[i];
      const Index c = channel_index(m.channels, input);
      const Vector b = cv.b(static_cast<Index>(i)) * (sigma / data.std(input.input));
      if (input.first_lag == 0) {
        m.D(j, c) += b(0);
        m.B.block(x, c, order, 1) += a * b(0);
        m.B.block(x, c, b.size() - 1, 1) += b.tail(b.size() - 1);
      } else {
        m.B.block(x, c, b.size(), 1) += b;
      }
    }
    x += order;
    if (!noise.empty()) x += add_autoregression(noise[static_cast<std::size_t>(j)].ar, j, x, m);
    if (cv.integrating) {
      // p⁺ = y = p + z: the row of p is the output row before p is added to it.
      m.A.row(integrator) = m.C.row(j);
      m.A(integrator, integrator) = 1;
      m.B.row(integrator) = m.D.row(j);
      m.K(integrator, j) = 1;
      m.C(j, integrator) = 1;
      ++integrator;
    }
    disturbance += drifting ? 1 : 0;
  }
  return m;
}

}  // namespace flyball::identify
