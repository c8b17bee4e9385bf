#include "identify/arx.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/hot_loops.h"

namespace flyball::identify {

Index Structure::max_lag() const {
  Index lag = na;
  for (const Input& i : inputs) lag = std::max(lag, i.first_lag + nb - 1);
  return lag;
}

std::vector<Term> Structure::terms(Index y_signal) const {
  std::vector<Term> out;
  for (const Input& i : inputs) {
    for (Index k = 0; k < nb; ++k) out.push_back({i.input, i.first_lag + k});
  }
  for (Index k = 1; k <= na; ++k) out.push_back({y_signal, k});
  return out;
}

double constant_of(const Normal& normal, const std::vector<Term>& terms, Index y_signal,
                   const Eigen::Ref<const Vector>& theta) {
  double c = normal.mean(normal.index(y_signal, 0));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    c -= theta(static_cast<Index>(i)) * normal.mean(normal.index(terms[i].signal, terms[i].lag));
  }
  return c;
}

bool roots_inside(const Eigen::Ref<const Vector>& a, double radius) {
  // p(z) = 1 − Σ aᵢ z⁻ⁱ with z scaled by the radius; stable iff every reflection coefficient < 1.
  Vector p(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    p(i) = -a(i) / std::pow(radius, static_cast<double>(i + 1));
  }
  for (Index n = p.size(); n > 0; --n) {
    const double k = p(n - 1);
    if (!(std::abs(k) < 1)) return false;
    Vector shorter(n - 1);
    for (Index i = 0; i < n - 1; ++i) shorter(i) = (p(i) - k * p(n - 2 - i)) / (1 - k * k);
    p = shorter;
  }
  return true;
}

Vector disturbance_response(const Eigen::Ref<const Vector>& a, int unit_roots, Index steps) {
  Vector h = Vector::Zero(steps);
  for (Index k = 0; k < steps; ++k) {
    h(k) = k == 0 ? 1 : 0;
    for (Index i = 1; i <= std::min(k, a.size()); ++i) h(k) += a(i - 1) * h(k - i);
  }
  for (int r = 0; r < unit_roots; ++r) {
    for (Index k = 1; k < steps; ++k) h(k) += h(k - 1);
  }
  return h;
}

namespace {

/// v ← v / A(q), and summed up where the CV integrates.
void filter(const Arx& arx, Eigen::Ref<Vector> v) {
  const Vector a = arx.a();
  for (Index k = 0; k < v.size(); ++k) {
    for (Index i = 1; i <= std::min(k, a.size()); ++i) v(k) += a(i - 1) * v(k - i);
  }
}
void integrate(const Arx& arx, Eigen::Ref<Vector> v) {
  if (!arx.integrating) return;
  for (Index k = 1; k < v.size(); ++k) v(k) += v(k - 1);
}

/// Answer of the regression's output (increments for an integrating CV).
Vector inner_step_response(const Arx& arx, Index i, Index steps) {
  const Vector b = arx.b(i);
  const Index nk = arx.structure.inputs[static_cast<std::size_t>(i)].first_lag;
  Vector s = Vector::Zero(steps);
  for (Index k = nk; k < steps; ++k) s(k) = b.head(std::min(k - nk + 1, b.size())).sum();
  filter(arx, s);
  return s;
}

}  // namespace

Vector step_response(const Arx& arx, Index i, Index steps) {
  Vector s = inner_step_response(arx, i, steps);
  integrate(arx, s);
  return s;
}

Matrix step_sensitivity(const Arx& arx, Index i, Index steps) {
  const Structure& st = arx.structure;
  const Index nk = st.inputs[static_cast<std::size_t>(i)].first_lag;
  Matrix out = Matrix::Zero(steps, arx.theta.size());
  for (Index l = 0; l < st.nb; ++l) {
    auto column = out.col(i * st.nb + l);
    for (Index k = nk + l; k < steps; ++k) column(k) = 1;
    filter(arx, column);
    integrate(arx, column);
  }
  const Vector s = inner_step_response(arx, i, steps);
  for (Index l = 1; l <= st.na; ++l) {
    auto column = out.col(arx.theta.size() - st.na + l - 1);
    for (Index k = l; k < steps; ++k) column(k) = s(k - l);
    filter(arx, column);
    integrate(arx, column);
  }
  return out;
}

double gain(const Arx& arx, Index i) {
  if (arx.integrating) return std::numeric_limits<double>::quiet_NaN();
  return arx.b(i).sum() / (1 - arx.a().sum());
}

Index steps_to_share(const Arx& arx, Index i, double share, Index max_steps) {
  const double end = gain(arx, i);
  if (!std::isfinite(end)) return -1;
  const Vector s = step_response(arx, i, max_steps + 1);
  const double band = (1 - share) * std::abs(end);
  Index k = max_steps + 1;
  while (k > 0 && std::abs(s(k - 1) - end) <= band) --k;
  return k > max_steps ? -1 : k;
}

void residuals(const Regression& r, const Structure& s, const Eigen::Ref<const Vector>& theta,
               double constant, Index t0, Index t1, double* out) {
  const Index n = t1 - t0;
  const double* y = r.x.col(r.nu).data() + t0;
  for (Index t = 0; t < n; ++t) out[t] = y[t] - constant;
  Index at = 0;
  for (const Structure::Input& input : s.inputs) {
    const double* u = r.x.col(input.input).data() + t0 - input.first_lag;
    for (Index k = 0; k < s.nb; ++k) add_scaled(out, u - k, -theta(at++), n);
  }
  for (Index k = 1; k <= s.na; ++k) add_scaled(out, y - k, -theta(at++), n);
}

}  // namespace flyball::identify
