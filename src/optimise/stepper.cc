#include "optimise/stepper.h"

#include <cmath>

#include "optimise/kernels.h"
#include "optimise/ranked.h"

namespace flyball::optimise {

Stepper::Stepper(const ProblemIr& p, const model::LinearStateSpace& m)
    : setup_((check(p), p), m),
      m_(m),
      inputs_(m.inputs()),
      mvs_(m.n_mv),
      lags_(m.max_delay() + 1),
      past_at_(setup_.estimator.dynamics().rows()),
      ref_at_(past_at_ + lags_ * inputs_),
      theta_(ref_at_ + m.outputs() + 1),
      in_(static_cast<Index>(m.channels.size())),
      error_(m.outputs()),
      next_(past_at_),
      u_prev_(m.n_mv) {
  const Estimate at = setup_.estimator.run(p.history);
  theta_.setZero();
  theta_.head(m.states()) = at.x;
  theta_.segment(m.states(), at.d.size()) = at.d;
  for (Index lag = 1; lag <= lags_; ++lag)
    for (Index i = 0; i < inputs_; ++i)
      theta_(past_at_ + (lag - 1) * inputs_ + i) = input_at(p, i, -lag) - m.u0(i);
  for (Index i = 0; i < mvs_; ++i) {
    u_prev_(i) = p.u_prev[static_cast<std::size_t>(i)];
    theta_(past_at_ + i) = u_prev_(i) - m.u0(i);
  }
  for (Index j = 0; j < m.outputs(); ++j)
    theta_(ref_at_ + j) = p.cv[static_cast<std::size_t>(j)].ref.value_or(0.0);
  theta_(theta_.size() - 1) = 1;
  set_product(p);
  Ranked(p, setup_.tiers, setup_.engine).prepare();
  setup_.engine.set_iteration_limit(p.solver.max_iterations);
}

/// y(t+k), k = 1..P (P × CVs) of parameters, inputs held at their last value.
Matrix Stepper::response(const Vector& theta) const {
  const Index horizon = setup_.condensed->shape().horizon;
  const Matrix& a = setup_.estimator.dynamics();
  Matrix y(horizon, m_.outputs());
  Vector x = theta.head(past_at_);
  const double one = theta(theta.size() - 1);
  Vector in(in_.size());
  for (Index k = 0; k <= horizon; ++k) {
    for (Index c = 0; c < in.size(); ++c) {
      const auto& channel = m_.channels[static_cast<std::size_t>(c)];
      in(c) = past(theta, channel.input, std::max<Index>(1, channel.delay - k));
    }
    if (k > 0) y.row(k - 1) = (setup_.estimator.outputs() * x + m_.D * in + one * m_.g).transpose();
    x = (a * x).eval();
    x.head(m_.states()) += m_.B * in + one * m_.f;
  }
  return y;
}

/// [z; y] of the optimum without limits for each parameter.
void Stepper::set_product(const ProblemIr& p) {
  const Condensed& c = *setup_.condensed;
  const Shape& s = c.shape();
  Matrix stacked = Matrix::Zero(s.u_at(), theta_.size());
  Doubles e(s.rows);
  Vector gap(mvs_);
  Doubles none_z(s.n4), none_y(s.rows);  // what the constant cost gives by itself
  gap.setZero();
  c.optimum(e.data(), gap.data(), none_z.data(), none_y.data());
  for (Index column = 0; column < theta_.size(); ++column) {
    const Vector unit = Vector::Unit(theta_.size(), column);
    const Matrix y = response(unit);
    const bool last = column == theta_.size() - 1;
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k)
        e[j * s.p4 + k] = y(k, j) - (column == ref_at_ + j ? 1.0 : 0.0);
    for (Index i = 0; i < mvs_; ++i) {
      const auto& target = p.mv[static_cast<std::size_t>(i)].target;
      gap(i) = column == past_at_ + i ? 1.0 : last && target ? m_.u0(i) - *target : 0.0;
    }
    double* out = stacked.col(column).data();
    c.optimum(e.data(), gap.data(), out, out + s.y_at());
    for (Index r = 0; r < s.u_at() && !last; ++r) out[r] -= r < s.n4 ? none_z[r] : none_y[r - s.n4];
    for (Index j = 0; j < s.cvs; ++j)
      for (Index k = 0; k < s.horizon; ++k) out[s.y_at() + j * s.p4 + k] += y(k, j);
  }
  packed_ = Doubles(stacked.size());
  pack_panels(stacked, packed_.data());
  zero_ = Doubles(s.u_at());
}

Answer Stepper::step(const double* u, const double* y) noexcept {
  for (Index i = ref_at_ - 1; i >= past_at_ + inputs_; --i) theta_(i) = theta_(i - inputs_);
  for (Index i = 0; i < inputs_; ++i) theta_(past_at_ + i) = u[i] - m_.u0(i);
  for (Index c = 0; c < in_.size(); ++c) {
    const auto& channel = m_.channels[static_cast<std::size_t>(c)];
    in_(c) = past(theta_, channel.input, channel.delay + 1);
  }
  error_.noalias() = setup_.estimator.outputs() * theta_.head(past_at_);
  error_.noalias() += m_.D * in_;
  for (Index j = 0; j < error_.size(); ++j)
    error_(j) = std::isfinite(y[j]) ? y[j] - (error_(j) + m_.g(j)) : 0.0;
  next_.noalias() = setup_.estimator.dynamics() * theta_.head(past_at_);
  next_.noalias() += setup_.estimator.gain() * error_;
  next_.head(m_.states()).noalias() += m_.B * in_;
  next_.head(m_.states()) += m_.f;
  theta_.head(past_at_) = next_;
  for (Index i = 0; i < mvs_; ++i) u_prev_(i) = u[i];
  return plan();
}

Answer Stepper::plan() noexcept {
  const Shape& s = setup_.condensed->shape();
  panel_product(packed_.data(), s.u_at(), theta_.size(), theta_.data(), zero_.data(),
                setup_.engine.start());
  return setup_.engine.solve(nullptr, u_prev_.data());
}

}  // namespace flyball::optimise
