#include "optimise/free_response.h"

namespace flyball::optimise {

double input_at(const ProblemIr& p, Index input, Index offset) {
  const auto i = static_cast<std::size_t>(input);
  const auto rows = static_cast<Index>(p.history.size());
  const bool is_mv = i < p.mv.size();
  if (offset >= 0) {
    if (is_mv) return p.u_prev[i];
    const DvTerm& dv = p.dv[i - p.mv.size()];
    if (!dv.forecast.empty())
      return dv.forecast[std::min(static_cast<std::size_t>(offset), dv.forecast.size() - 1)];
    offset = -1;
  }
  if (rows == 0) return is_mv ? p.u_prev[i] : p.dv[i - p.mv.size()].train.mean;
  const auto row = static_cast<std::size_t>(std::max<Index>(0, rows + offset));
  return p.history[row].u[i].value_or(0.0);
}

Vector output_now(const model::LinearStateSpace& m, const ProblemIr& p, const Estimate& at) {
  Vector y = m.C * at.x + m.g + at.y_shift;
  for (Index c = 0; c < static_cast<Index>(m.channels.size()); ++c) {
    const auto& channel = m.channels[static_cast<std::size_t>(c)];
    y += m.D.col(c) * (input_at(p, channel.input, -channel.delay) - m.u0(channel.input));
  }
  return y;
}

Matrix free_response(const model::LinearStateSpace& m, const ProblemIr& p, const Estimate& at) {
  Matrix y(p.horizon, m.outputs());
  const auto nc = static_cast<Index>(m.channels.size());
  Vector x = at.x;
  Vector next(x.size());
  Vector in(nc);
  for (Index k = 0; k <= p.horizon; ++k) {
    for (Index c = 0; c < nc; ++c) {
      const auto& channel = m.channels[static_cast<std::size_t>(c)];
      in(c) = input_at(p, channel.input, k - channel.delay) - m.u0(channel.input);
    }
    if (k > 0) {
      y.row(k - 1).transpose().noalias() = m.C * x;
      y.row(k - 1).transpose().noalias() += m.D * in;
      y.row(k - 1).transpose() += m.g + at.y_shift;
    }
    next.noalias() = m.A * x;
    next.noalias() += m.B * in;
    x = next + m.f + at.x_shift;
  }
  return y;
}

}  // namespace flyball::optimise
