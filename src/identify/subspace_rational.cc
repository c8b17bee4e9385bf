#include "identify/subspace_rational.h"

#include <algorithm>

namespace flyball::identify {
namespace {

/// 1 − a₁ z⁻¹ − … = det(I − A z⁻¹).
Vector characteristic(const Matrix& a) {
  const Index n = a.rows();
  Vector out(n);
  Matrix m = Matrix::Identity(n, n);
  for (Index k = 1; k <= n; ++k) {
    const Matrix am = a * m;
    out(k - 1) = am.trace() / static_cast<double>(k);
    m = am;
    m.diagonal().array() -= out(k - 1);
  }
  return out;
}

/// Coefficients 0 … n of A(q) Σ gₖ q⁻ᵏ, g₀ = direct, gₖ = C A^{k−1} b.
Vector numerator(const InnovationForm& form, const Vector& a, Vector b, double direct) {
  const Index n = a.size();
  Vector g(n + 1), out(n + 1);
  g(0) = direct;
  for (Index k = 1; k <= n; ++k) {
    g(k) = form.C.row(0).dot(b);
    b = form.A * b;
  }
  for (Index k = 0; k <= n; ++k) {
    out(k) = g(k);
    for (Index i = 1; i <= k; ++i) out(k) -= a(i - 1) * g(k - i);
  }
  return out;
}

}  // namespace

Rational rational_of(const InnovationForm& form, const SubspaceSpec& spec) {
  const Vector a = characteristic(form.A);
  const Index n = a.size();
  const bool direct =
      std::ranges::any_of(spec.inputs, [](const Structure::Input& i) { return i.first_lag == 0; });
  Rational out;
  out.arx.structure = {n, direct ? n + 1 : n, spec.inputs};
  const Structure& s = out.arx.structure;
  out.arx.theta = Vector::Zero(s.parameters());
  out.arx.theta.tail(n) = a;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    const auto c = static_cast<Index>(i);
    const Vector b = numerator(form, a, form.B.col(c), form.D(0, c));
    if (spec.inputs[i].first_lag == 0) {
      out.arx.theta.segment(c * s.nb, n + 1) = b;
    } else {
      out.arx.theta.segment(c * s.nb, n) = b.tail(n);
    }
  }
  out.arx.constant = numerator(form, a, form.f, form.g(0)).sum();
  out.noise.c = -numerator(form, a, form.K.col(0), 1).tail(n);
  return out;
}

}  // namespace flyball::identify
