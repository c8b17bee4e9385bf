#include "optimise/estimator.h"

#include <cmath>

#include "core/checks.h"
#include "core/error.h"
#include "math/linear_algebra.h"
#include "math/riccati.h"

namespace flyball::optimise {
namespace {

constexpr double kFirst = 1e6;    ///< variance of the first state over that of the innovations
constexpr double kSteady = 1e-6;  ///< of the gain
constexpr double kRank = 1e-14;   ///< least over largest eigenvalue of the Gram matrix

/// [A − I; C] has full column rank: every mode at 1 is seen.
bool detectable(const Matrix& a, const Matrix& c) {
  const Matrix shifted = a - Matrix::Identity(a.rows(), a.rows());
  Matrix stacked(a.rows() + c.rows(), a.cols());
  stacked << shifted, c;
  for (Index j = 0; j < stacked.cols(); ++j) {
    const double norm = stacked.col(j).norm();
    if (norm == 0) return false;
    stacked.col(j) /= norm;
  }
  const Vector values = math::symmetric_eigen(stacked.transpose() * stacked).values;
  return values(0) > kRank * values(values.size() - 1);
}

/// What makes a level rise by 1 in each step. (Not K: where the noise of a level is white, K adds
/// nothing to its slope.) Without an integrator, K.
Vector slope_of(const model::LinearStateSpace& m, Index j) {
  const Index end = m.states() - m.disturbance_states;
  for (Index i = end - m.integrators; i < end; ++i)
    if (m.C(j, i) != 0) return Vector::Unit(m.states(), i) / m.C(j, i);
  return m.K.col(j);
}

}  // namespace

Estimator::Estimator(const model::LinearStateSpace& m, Disturbance where, double ratio)
    : n_(m.states()),
      a_(m.A),
      c_(m.C),
      b_(m.B),
      d_(m.D),
      f_(m.f),
      g_(m.g),
      u0_(m.u0),
      channels_(m.channels) {
  if (n_ > 0 && !detectable(a_, c_)) throw Error("MPC_NOT_DETECTABLE", {{"states", n_}});
  const Index ny = m.outputs();
  const Vector none_x = Vector::Zero(n_);
  const Vector none_y = Vector::Zero(ny);
  for (Index j = 0; j < ny; ++j) {
    const double variance = ratio * ratio * std::max(m.S(j, j), 1e-300);
    const Vector size = Vector::Constant(1, variance);
    DisturbanceAt at = DisturbanceAt::none;
    if (where != Disturbance::model) {
      Vector to_state = Vector::Zero(n_);
      if (where == Disturbance::input && j < m.n_mv) {
        for (std::size_t c = 0; c < channels_.size(); ++c)
          if (channels_[c].input == j) to_state += b_.col(static_cast<Index>(c));
        if (append(to_state, none_y, size)) at = DisturbanceAt::input;
      }
      if (at == DisturbanceAt::none && append(none_x, Vector::Unit(ny, j), size))
        at = DisturbanceAt::output;
      if (at == DisturbanceAt::none && m.disturbance_states == 0 &&
          append(slope_of(m, j), none_y, size))
        at = DisturbanceAt::state;
    }
    where_.push_back(at);
  }
  const Index n = a_.rows();
  Matrix noise = Matrix::Zero(n, n);
  Matrix cross = Matrix::Zero(n, ny);
  const Matrix s = m.S + Matrix::Identity(ny, ny) * (1e-12 * m.S.diagonal().maxCoeff() + 1e-300);
  noise.topLeftCorner(n_, n_) = m.K * s * m.K.transpose();
  cross.topRows(n_) = m.K * s;
  for (Index i = n_; i < n; ++i) noise(i, i) = variance_[static_cast<std::size_t>(i - n_)];
  const auto p = math::filter_riccati(a_, c_, noise, s, cross);
  gain_ = Matrix::Zero(n, ny);
  gain_.topRows(n_) = m.K;
  if (p) gain_ = math::filter_gain(a_, c_, *p, s, cross);
  if (!p && n > n_) throw Error("MPC_NOT_DETECTABLE", {{"states", n}});
  noise_ = noise;
  cross_ = cross;
  s_ = s;
}

bool Estimator::append(const Vector& to_state, const Vector& to_output, const Vector& variance) {
  const Index n = a_.rows();
  Matrix a = Matrix::Zero(n + 1, n + 1);
  a.topLeftCorner(n, n) = a_;
  a.topRightCorner(n_, 1) = to_state;
  a(n, n) = 1;
  Matrix c(c_.rows(), n + 1);
  c << c_, to_output;
  if (!detectable(a, c)) return false;
  a_ = a;
  c_ = c;
  variance_.push_back(variance(0));
  return true;
}

Vector Estimator::corrected(const HistoryRow& row, const Vector& e, Matrix& p, bool& steady) const {
  std::vector<Index> seen;
  for (Index j = 0; j < c_.rows(); ++j)
    if (row.y[static_cast<std::size_t>(j)]) seen.push_back(j);
  p = (p + p.transpose()).eval() / 2;
  if (seen.empty()) {
    p = a_ * p * a_.transpose() + noise_;
    return Vector::Zero(a_.rows());
  }
  const Matrix c = c_(seen, Eigen::all);
  const Matrix spread = c * p * c.transpose() + s_(seen, seen);
  const Matrix with = a_ * p * c.transpose() + cross_(Eigen::all, seen);
  const auto solved = math::solve(spread, Matrix(with.transpose()));
  if (!solved) throw Error("MPC_NOT_DETECTABLE", {{"states", a_.rows()}});
  const Matrix gain = solved->transpose();
  p = a_ * p * a_.transpose() + noise_ - gain * with.transpose();
  steady = std::ssize(seen) == c_.rows() && (gain - gain_).norm() <= kSteady * gain_.norm();
  return gain * e(seen);
}

Estimate Estimator::run(const std::vector<HistoryRow>& history) const {
  Estimate out;
  const Index n = a_.rows();
  const Index ny = c_.rows();
  const auto nc = static_cast<Index>(channels_.size());
  Vector in(nc);
  const auto read = [&](std::size_t row) {  // ũ of a row; before the first one its values are held
    for (Index c = 0; c < nc; ++c) {
      const auto& channel = channels_[static_cast<std::size_t>(c)];
      const auto delay = static_cast<std::size_t>(channel.delay);
      const auto& u =
          history[row >= delay ? row - delay : 0].u[static_cast<std::size_t>(channel.input)];
      if (!u) out.inputs_known = false;
      in(c) = u.value_or(0.0) - u0_(channel.input);
    }
  };
  const auto error = [&](std::size_t row, const Vector& predicted) {
    Vector e(ny);
    for (Index j = 0; j < ny; ++j) {
      const auto& y = history[row].y[static_cast<std::size_t>(j)];
      e(j) = y ? *y - predicted(j) : 0.0;
    }
    return e;
  };
  Vector x = Vector::Zero(n);
  Matrix p = Matrix::Identity(n, n) * (kFirst * s_.diagonal().maxCoeff());
  bool steady = false;
  for (std::size_t row = 0; row < history.size(); ++row) {
    read(row);
    const Vector e = error(row, c_ * x + d_ * in + g_);
    Vector next = a_ * x + (steady ? gain_ * e : corrected(history[row], e, p, steady));
    next.head(n_) += b_ * in + f_;
    x = next;
  }
  for (const HistoryRow& row : history)
    for (const auto& u : row.u)
      if (!u) out.inputs_known = false;
  for (Index j = 0; j < ny; ++j)
    if (!history.back().y[static_cast<std::size_t>(j)]) out.missing.push_back(j);
  out.x = x.head(n_);
  out.d = x.tail(n - n_);
  out.y_shift = c_.rightCols(n - n_) * out.d;
  out.x_shift = a_.topRightCorner(n_, n - n_) * out.d;
  return out;
}

Estimate Estimator::given(const std::vector<double>& x, const std::vector<double>& d) const {
  check_shape("x0", static_cast<long>(x.size()), 1, n_, 1);
  Estimate out;
  out.x = Eigen::Map<const Vector>(x.data(), n_);
  out.y_shift = Vector::Zero(c_.rows());
  for (std::size_t j = 0; j < d.size(); ++j) out.y_shift(static_cast<Index>(j)) = d[j];
  out.d = out.y_shift;
  out.x_shift = Vector::Zero(n_);
  return out;
}

}  // namespace flyball::optimise
