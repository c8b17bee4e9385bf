#include "optimise/rest_proof.h"

#include <algorithm>
#include <cmath>

#include "math/linear_algebra.h"
#include "optimise/steady_state.h"

namespace flyball::optimise {
namespace {

double width(const TrainRange& t) {
  return std::max(t.std, t.max - t.min);
}

double reference(const CvTerm& cv) {
  return cv.refs.empty() ? cv.ref.value_or(0.0) : cv.refs.back();
}

/// The price of a limit; NaN where one is not a price.
double priced(const SteadyState& claimed, const std::string& id) {
  double sum = 0;
  for (const ShadowPrice& s : claimed.prices) {
    if (!(s.price >= 0)) return std::nan("");
    if (s.id == id) sum += s.price;
  }
  return sum;
}

std::pair<double, double> box_of(const MvTerm& mv) {
  if (!(mv.train.min < mv.train.max)) return {mv.min, mv.max};
  return {std::max(mv.min, mv.train.min), std::min(mv.max, mv.train.max)};
}

/// Σ price · room: a price counts where its limit is reached.
double idle(const SteadyState& claimed, const std::map<std::string, double>& room) {
  double sum = 0;
  for (const ShadowPrice& s : claimed.prices) {
    const auto it = room.find(s.id);
    if (it == room.end()) return std::nan("");
    sum += s.price * std::max(0.0, it->second);
  }
  return sum;
}

}  // namespace

double savings_left(const ProblemIr& p, const model::LinearStateSpace& m,
                    const SteadyState& claimed, const std::vector<double>& y,
                    const std::map<std::string, double>& room) {
  const Index ny = m.outputs(), own = m.disturbance_states, levels = m.integrators;
  const Index n = m.states() - own - levels;  // [stable; levels; disturbance]
  Vector gy(ny);
  for (Index j = 0; j < ny; ++j) {
    const CvTerm& cv = p.cv[static_cast<std::size_t>(j)];
    const double s = cv.train.std, at_rest = y[static_cast<std::size_t>(j)];
    gy(j) = cv.price;
    if (cv.role == CvRole::min) gy(j) += cv.weight / s;
    if (cv.role == CvRole::max) gy(j) -= cv.weight / s;
    if (cv.role == CvRole::track) gy(j) += cv.weight * (at_rest - reference(cv)) / (s * s);
    for (const char* kind : {".hardMax", ".hardMax+margin", ".softMax"})
      gy(j) += priced(claimed, cv.var_id + kind);
    for (const char* kind : {".hardMin", ".hardMin+margin", ".softMin"})
      gy(j) -= priced(claimed, cv.var_id + kind);
  }
  // Multipliers of the steady equations: of the stable states for gy, and for each level.
  const Matrix left = (Matrix::Identity(n, n) - m.A.topLeftCorner(n, n)).transpose();
  Matrix right(n, 1 + levels);
  right.col(0) = m.C.leftCols(n).transpose() * gy;
  right.rightCols(levels) = m.A.block(n, 0, levels, n).transpose();
  Matrix nu = right;
  if (n > 0) {
    const auto solved = math::solve(left, right);
    if (!solved) return std::nan("");
    nu = *solved;
  }
  // What each MV could still save over its box, for each choice of the levels' multipliers.
  std::vector<Vector> rows;
  for (Index i = 0; i < m.n_mv; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const MvTerm& mv = p.mv[at];
    if (!mv.available) continue;
    Vector r = Vector::Zero(1 + levels);
    r(0) = mv.price + kNearWeight * (claimed.u[at] - p.u_prev[at]) / std::pow(mv.train.std, 2) +
           priced(claimed, mv.var_id + ".max") - priced(claimed, mv.var_id + ".min");
    if (mv.target)
      r(0) += mv.target_weight * (claimed.u[at] - *mv.target) / std::pow(mv.train.std, 2);
    for (std::size_t c = 0; c < m.channels.size(); ++c) {
      if (m.channels[c].input != i) continue;
      const auto column = static_cast<Index>(c);
      r(0) += m.D.col(column).dot(gy);
      r += nu.transpose() * m.B.col(column).head(n);
      r.tail(levels) += m.B.col(column).segment(n, levels);
    }
    const auto [low, high] = box_of(mv);
    rows.push_back(r * std::max(high - low, 1e-6 * mv.train.std));
  }
  for (Index l = 0; l < levels; ++l) {
    double reach = 0;
    for (Index j = 0; j < ny; ++j)
      if (m.C(j, n + l) != 0)
        reach = std::max(reach,
                         width(p.cv[static_cast<std::size_t>(j)].train) / std::abs(m.C(j, n + l)));
    Vector r = Vector::Zero(1 + levels);
    r(0) = m.C.col(n + l).dot(gy);
    r += nu.transpose() * m.A.col(n + l).head(n);
    for (Index k = 0; k < levels; ++k) r(1 + k) += m.A(n + k, n + l) - (k == l ? 1 : 0);
    rows.push_back(r * reach);
  }
  Matrix all(static_cast<Index>(rows.size()), 1 + levels);
  for (std::size_t i = 0; i < rows.size(); ++i)
    all.row(static_cast<Index>(i)) = rows[i].transpose();
  Vector rest = all.col(0);
  if (levels > 0) rest += all.rightCols(levels) * math::least_squares(all.rightCols(levels), -rest);
  return rest.cwiseAbs().sum() + idle(claimed, room);
}

}  // namespace flyball::optimise
