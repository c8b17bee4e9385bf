#include "identify/subspace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kRidge = 1e-11;  ///< so small that only directions without data feel it
constexpr int kExactSteps = 2;
constexpr double kNoNoise = 1e-13;  ///< variance that is rounding, as a share of the output's
constexpr double kNoDirection = 1e-12;
constexpr int kRiccatiSteps = 2000;
constexpr int kBisections = 40;
constexpr double kConverged = 1e-14;

Index delay_of(const Structure::Input& i) {
  return std::max<Index>(i.first_lag - 1, 0);
}

/// Ridge regression of several targets from a covariance: θ with rows per regressor.
Matrix regress(const Matrix& c, const Matrix& r, double lambda, int exact_steps) {
  const Index p = c.rows();
  Vector scale(p);
  for (Index i = 0; i < p; ++i) scale(i) = c(i, i) > 0 ? 1 / std::sqrt(c(i, i)) : 0;
  Matrix scaled = scale.asDiagonal() * c * scale.asDiagonal();
  for (Index i = 0; i < p; ++i) scaled(i, i) = 1;
  const Matrix rhs = scale.asDiagonal() * r;
  for (;; lambda *= 10) {
    Matrix ridged = scaled;
    ridged.diagonal().array() += lambda;
    const auto factor = math::Cholesky::of(ridged);
    if (!factor) continue;
    const auto solve = [&](const Matrix& b) {
      Matrix x = factor->lower().triangularView<Eigen::Lower>().solve(b);
      factor->lower().triangularView<Eigen::Lower>().adjoint().solveInPlace(x);
      return x;
    };
    Matrix theta = solve(rhs);
    for (int i = 0; i < exact_steps; ++i) theta += solve(rhs - scaled * theta);
    return scale.asDiagonal() * theta;
  }
}

Matrix picked(const Matrix& c, const std::vector<Index>& rows, const std::vector<Index>& cols) {
  Matrix out(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (Index j = 0; j < out.cols(); ++j) {
    for (Index i = 0; i < out.rows(); ++i) {
      out(i, j) = c(rows[static_cast<std::size_t>(i)], cols[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

double radius_of(const Matrix& a) {
  return a.allFinite() ? math::eigenvalue_moduli(a)(0) : std::numeric_limits<double>::infinity();
}

/// The vector autoregression y(t) = Σ φₖ z(t−k) + D v(t) + e(t).
class LagRegression {
 public:
  LagRegression(const Normal& normal, const SubspaceSpec& spec)
      : normal_(normal),
        spec_(spec),
        nc_(static_cast<Index>(spec.inputs.size())),
        ny_(static_cast<Index>(spec.outputs.size())) {
    std::vector<Index> regressors = past(0);
    for (const Structure::Input& i : spec.inputs) {
      if (i.first_lag == 0) regressors.push_back(normal.index(i.input, 0));
    }
    regressors_ = static_cast<Index>(regressors.size());
    if (normal.rows <= regressors_ + ny_ + 1) return;
    const std::vector<Index> y = outputs();
    const Matrix theta = regress(picked(normal.c, regressors, regressors),
                                 picked(normal.c, regressors, y), kRidge, kExactSteps);
    phi_ = theta.topRows(width()).transpose();
    const Matrix r = picked(normal.c, regressors, y);
    const Matrix left = picked(normal.c, y, y) - theta.transpose() * r - r.transpose() * theta +
                        theta.transpose() * picked(normal.c, regressors, regressors) * theta;
    s_ = (left + left.transpose()) / (2 * static_cast<double>(normal.rows));
  }

  [[nodiscard]] bool possible() const { return phi_.size() > 0; }
  [[nodiscard]] Index width() const { return spec_.past * (nc_ + ny_); }
  [[nodiscard]] const Matrix& innovations() const { return s_; }
  [[nodiscard]] Index parameters() const { return regressors_ * ny_; }

  /// Positions of z⁻(t + ahead), lag by lag, channels then outputs.
  [[nodiscard]] std::vector<Index> past(Index ahead) const {
    std::vector<Index> at;
    for (Index k = 1; k <= spec_.past; ++k) {
      for (const Structure::Input& i : spec_.inputs) {
        at.push_back(normal_.index(i.input, delay_of(i) + k - ahead));
      }
      for (const Index y : spec_.outputs) at.push_back(normal_.index(y, k - ahead));
    }
    return at;
  }
  [[nodiscard]] std::vector<Index> outputs() const {
    std::vector<Index> at;
    for (const Index y : spec_.outputs) at.push_back(normal_.index(y, 0));
    return at;
  }
  [[nodiscard]] std::vector<Index> channels() const {
    std::vector<Index> at;
    for (const Structure::Input& i : spec_.inputs)
      at.push_back(normal_.index(i.input, delay_of(i)));
    return at;
  }

  /// ψ₀ … ψ_{p−1} stacked; `weighted` leaves out what later outputs tell, which is the inverse of
  /// the prediction errors' triangular factor.
  [[nodiscard]] Matrix predictions(bool weighted) const {
    const Index nz = nc_ + ny_;
    const Index p = spec_.past;
    Matrix psi = Matrix::Zero(p * ny_, p * nz);
    for (Index i = 0; i < p; ++i) {
      auto row = psi.middleRows(i * ny_, ny_);
      row.leftCols((p - i) * nz) = phi_.rightCols((p - i) * nz);
      for (Index k = 1; k <= i && !weighted; ++k) {
        row += phi_.middleCols((k - 1) * nz + nc_, ny_) * psi.middleRows((i - k) * ny_, ny_);
      }
    }
    return psi;
  }

 private:
  const Normal& normal_;
  const SubspaceSpec& spec_;
  Index nc_, ny_, regressors_ = 0;
  Matrix phi_, s_;
};

/// Covariance of x(t), v(t), y(t), x(t+1) for the largest order, and their means.
struct StateMoments {
  Matrix c;
  Vector mean;
  Index order = 0, nc = 0, ny = 0;

  [[nodiscard]] std::vector<Index> range(Index first, Index n) const {
    std::vector<Index> at(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) at[static_cast<std::size_t>(i)] = first + i;
    return at;
  }
  [[nodiscard]] std::vector<Index> x(Index n) const { return range(0, n); }
  [[nodiscard]] std::vector<Index> v() const { return range(order, nc); }
  [[nodiscard]] std::vector<Index> y() const { return range(order + nc, ny); }
  [[nodiscard]] std::vector<Index> next(Index n) const { return range(order + nc + ny, n); }
};

StateMoments moments(const Normal& normal, const LagRegression& ar, const SubspaceSpec& spec,
                     const Matrix& w) {
  StateMoments m;
  m.order = w.rows();
  m.nc = static_cast<Index>(spec.inputs.size());
  m.ny = static_cast<Index>(spec.outputs.size());
  Matrix t = Matrix::Zero(2 * m.order + m.nc + m.ny, normal.c.rows());
  const auto past = ar.past(0), next = ar.past(1), v = ar.channels(), y = ar.outputs();
  for (std::size_t i = 0; i < past.size(); ++i) {
    t.block(0, past[i], m.order, 1) = w.col(static_cast<Index>(i));
    t.block(m.order + m.nc + m.ny, next[i], m.order, 1) = w.col(static_cast<Index>(i));
  }
  for (Index i = 0; i < m.nc; ++i) t(m.order + i, v[static_cast<std::size_t>(i)]) = 1;
  for (Index i = 0; i < m.ny; ++i) t(m.order + m.nc + i, y[static_cast<std::size_t>(i)]) = 1;
  m.c = t * normal.c * t.transpose() / static_cast<double>(normal.rows);
  m.mean = t * normal.mean;
  return m;
}

/// C and D from y on x and the direct channels.
void fit_outputs(const StateMoments& m, const SubspaceSpec& spec, Index n, InnovationForm& out) {
  std::vector<Index> regressors = m.x(n);
  const auto v = m.v();
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (spec.inputs[i].first_lag == 0) regressors.push_back(v[i]);
  }
  const Matrix theta =
      regress(picked(m.c, regressors, regressors), picked(m.c, regressors, m.y()), kRidge, 1);
  out.C = theta.topRows(n).transpose();
  out.D = Matrix::Zero(m.ny, m.nc);
  Index at = n;
  for (Index i = 0; i < m.nc; ++i) {
    if (spec.inputs[static_cast<std::size_t>(i)].first_lag == 0) {
      out.D.col(i) = theta.row(at++).transpose();
    }
  }
}

/// A, B, K from x⁺ on x, v and e = y − C x − D v, with `ridge` on the states.
void fit_states(const StateMoments& m, Index n, double ridge, InnovationForm& out) {
  const Index p = n + m.nc + m.ny;
  Matrix to = Matrix::Zero(p, n + m.nc + m.ny);
  to.topLeftCorner(n + m.nc, n + m.nc).setIdentity();
  to.bottomRows(m.ny) << -out.C, -out.D, Matrix::Identity(m.ny, m.ny);
  std::vector<Index> at = m.x(n);
  for (const Index i : m.v()) at.push_back(i);
  for (const Index i : m.y()) at.push_back(i);
  Matrix c = to * picked(m.c, at, at) * to.transpose();
  Matrix r = to * picked(m.c, at, m.next(n));
  out.S = c.bottomRightCorner(m.ny, m.ny);
  out.S = (out.S + out.S.transpose()).eval() / 2;
  for (Index j = 0; j < m.ny; ++j) {
    const Index k = n + m.nc + j;
    if (c(k, k) >
        kNoNoise * m.c(m.y()[static_cast<std::size_t>(j)], m.y()[static_cast<std::size_t>(j)]))
      continue;
    c.row(k).setZero();
    c.col(k).setZero();
    r.row(k).setZero();
  }
  c.diagonal().head(n).array() += ridge;
  const Matrix theta = regress(c, r, kRidge, 1);
  out.A = theta.topRows(n).transpose();
  out.B = theta.middleRows(n, m.nc).transpose();
  out.K = theta.bottomRows(m.ny).transpose();
}

/// The least ridge, by bisection in its logarithm: the states have unit variance.
void refit_inside(const StateMoments& m, Index n, double radius, InnovationForm& out) {
  double low = -12, high = 3;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (low + high) / 2;
    fit_states(m, n, std::pow(10, middle), out);
    (radius_of(out.A) < radius ? high : low) = middle;
  }
  fit_states(m, n, std::pow(10, high), out);
  out.refitted = true;
}

InnovationForm fit_order(const StateMoments& m, const SubspaceSpec& spec, Index n) {
  InnovationForm out;
  fit_outputs(m, spec, n, out);
  fit_states(m, n, 0, out);
  if (!(radius_of(out.A) < spec.radius)) refit_inside(m, n, spec.radius, out);
  if (!(radius_of(out.A - out.K * out.C) < 1)) make_predictor_stable(out);
  const Vector x = m.mean.head(n), v = m.mean.segment(m.order, m.nc);
  out.g = m.mean.segment(m.order + m.nc, m.ny) - out.C * x - out.D * v;
  out.f = m.mean.segment(m.order + m.nc + m.ny, n) - out.A * x - out.B * v;
  return out;
}

/// S^{-1/2} of each output by a triangular factor, with a floor where there is no noise.
Matrix whitener(Matrix s, double power) {
  s.diagonal().array() += kNoDirection * power;
  const auto factor = math::Cholesky::of(s);
  Matrix inverse = Matrix::Identity(s.rows(), s.cols());
  factor->lower().triangularView<Eigen::Lower>().solveInPlace(inverse);
  return inverse;
}

}  // namespace

Index SubspaceSpec::max_lag() const {
  Index lag = past;
  for (const Structure::Input& i : inputs) lag = std::max(lag, past + delay_of(i));
  return lag;
}

SubspaceFit fit_subspace(const Normal& normal, const SubspaceSpec& spec) {
  SubspaceFit fit;
  const LagRegression ar(normal, spec);
  if (!ar.possible()) return fit;
  const auto ny = static_cast<Index>(spec.outputs.size());
  const double rows = static_cast<double>(normal.rows);
  const auto z = ar.past(0);
  const Matrix gram = picked(normal.c, z, z) / rows;
  Matrix h = ar.predictions(spec.weight == SubspaceWeight::cva);
  if (spec.weight == SubspaceWeight::cva) {
    const Matrix white =
        whitener(ar.innovations(), picked(normal.c, ar.outputs(), ar.outputs()).trace() / rows);
    for (Index i = 0; i < spec.past; ++i) {
      h.middleRows(i * ny, ny) = white * h.middleRows(i * ny, ny).eval();
    }
  }
  const math::SymmetricEigen eigen = math::symmetric_eigen(h * gram * h.transpose());
  fit.singular_values = eigen.values.reverse().cwiseMax(0).cwiseSqrt();
  const double largest = fit.singular_values(0);
  Index order = std::min(spec.max_order, fit.singular_values.size());
  while (order > 0 && !(fit.singular_values(order - 1) > 1e-7 * largest)) --order;
  if (order == 0) return fit;
  const Matrix directions = eigen.vectors.rightCols(order).rowwise().reverse();
  const Matrix w =
      fit.singular_values.head(order).cwiseInverse().asDiagonal() * directions.transpose() * h;
  const StateMoments m = moments(normal, ar, spec, w);
  for (Index n = 1; n <= order; ++n) fit.models.push_back(fit_order(m, spec, n));
  return fit;
}

Index choose_past(const Normal& normal, SubspaceSpec spec, Index max_past) {
  Index best = 1;
  double least = std::numeric_limits<double>::infinity();
  const auto ny = static_cast<double>(spec.outputs.size());
  for (spec.past = 1; spec.past <= max_past; ++spec.past) {
    const LagRegression ar(normal, spec);
    if (!ar.possible()) break;
    Matrix s = ar.innovations();
    s.diagonal().array() +=
        1e-14 * normal.c(ar.outputs()[0], ar.outputs()[0]) / static_cast<double>(normal.rows);
    const auto factor = math::Cholesky::of(s);
    if (!factor) break;
    const double log_det = 2 * factor->lower().diagonal().array().log().sum();
    const double used = static_cast<double>(ar.parameters()) / ny;
    const double left = static_cast<double>(normal.rows) - used - ny - 1;
    if (!(left > 0)) break;
    const double n = static_cast<double>(normal.rows);
    const double criterion = n * log_det + n * ny * (n + used) / left;
    if (criterion < least) {
      least = criterion;
      best = spec.past;
    }
  }
  return best;
}

void make_predictor_stable(InnovationForm& m) {
  Matrix s = m.S;
  s.diagonal().array() += kNoDirection * (1 + s.trace());
  const Matrix ks = m.K * s;
  const Matrix q = ks * m.K.transpose();
  Matrix p = Matrix::Identity(m.A.rows(), m.A.rows());
  for (int i = 0; i < kRiccatiSteps; ++i) {
    const Matrix g = m.A * p * m.C.transpose() + ks;
    const Matrix v = m.C * p * m.C.transpose() + s;
    const auto factor = math::Cholesky::of(v);
    if (!factor) break;
    m.K = g * factor->inverse();
    m.S = v;
    Matrix next = m.A * p * m.A.transpose() + q - m.K * g.transpose();
    next = (next + next.transpose()).eval() / 2;
    const double change = (next - p).cwiseAbs().maxCoeff();
    p = std::move(next);
    if (change <= kConverged * p.cwiseAbs().maxCoeff()) break;
  }
}

Regression joint_regression(const TrainingData& data, const std::vector<bool>& used) {
  Regression r;
  r.nu = data.nu() + data.ny() - 1;
  r.x = data.x;
  std::vector<Index> columns;
  for (Index c = 0; c < r.x.cols(); ++c) {
    if (c < data.nu() && !used[static_cast<std::size_t>(c)]) {
      r.x.col(c).setZero();
    } else {
      columns.push_back(c);
    }
  }
  r.target.resize(static_cast<std::size_t>(r.x.rows()));
  for (Index t = 0; t < r.x.rows(); ++t) {
    r.target[static_cast<std::size_t>(t)] = (data.observed.row(t).array() == 1).all() ? 1 : 0;
  }
  both_measured(r.target, data.blocks);
  r.stretches = usable(r.x, columns, data.blocks);
  return r;
}

model::LinearStateSpace to_model_units(const InnovationForm& form, const SubspaceSpec& spec,
                                       const TrainingData& data) {
  model::LinearStateSpace m;
  m.A = form.A;
  m.f = form.f;
  m.B = form.B;
  m.D = form.D;
  m.C = form.C;
  m.K = form.K;
  m.n_mv = data.n_mv;
  m.u0 = data.mean.head(data.nu());
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    const auto c = static_cast<Index>(i);
    m.channels.push_back({spec.inputs[i].input, delay_of(spec.inputs[i])});
    m.B.col(c) /= data.std(spec.inputs[i].input);
    m.D.col(c) /= data.std(spec.inputs[i].input);
  }
  Vector scale = data.std.tail(data.ny());
  m.C = scale.asDiagonal() * m.C;
  m.D = scale.asDiagonal() * m.D;
  m.K = m.K * scale.cwiseInverse().asDiagonal();
  m.S = scale.asDiagonal() * form.S * scale.asDiagonal();
  m.g = data.mean.tail(data.ny()) + scale.cwiseProduct(form.g);
  return m;
}

}  // namespace flyball::identify
