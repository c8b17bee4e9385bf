#include "identify/instrumental.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/output_error_noise.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr Index kStageLags = 10;
constexpr double kStageRidge = 1e-8;
constexpr double kMinimumShare = 1e-10;  ///< of M's scaled diagonal: instruments say nothing
constexpr int kShrinks = 200;

/// Roots of A moved inside by aᵢ ← ρⁱ aᵢ; false when that does not help.
bool move_inside(Eigen::Ref<Vector> a, double radius) {
  for (int i = 0; i < kShrinks; ++i) {
    if (!a.allFinite()) return false;
    if (roots_inside(a, radius)) return true;
    double factor = 1;
    for (double& c : a) c *= factor *= 0.98;
  }
  return false;
}

/// D(q)/A(q) v, v at `before` until its first value.
Vector filtered(const Vector& v, double before, const Vector& d, const Vector& a) {
  const double start = before * (1 - d.sum()) / (1 - a.sum());
  Vector out(v.size());
  for (Index t = 0; t < v.size(); ++t) {
    double sum = v(t);
    for (Index i = 1; i <= d.size(); ++i) sum -= d(i - 1) * (t >= i ? v(t - i) : before);
    for (Index i = 1; i <= a.size(); ++i) sum += a(i - 1) * (t >= i ? out(t - i) : start);
    out(t) = sum;
  }
  return out;
}

class Iteration {
 public:
  Iteration(const Regression& r, const Structure& s, const std::vector<Interval>& within,
            const Matrix& noise_free)
      : r_(r), s_(s), free_(noise_free), lag_(s.max_lag()) {
    for (const Interval& interval : within) {
      for_each_run(r, interval, lag_, [&](Index t0, Index t1) { pieces_.push_back({t0, t1}); });
    }
    for (const Interval& p : pieces_) {
      for (Index t = p.first; t < p.end; ++t) rows_ += r.target[static_cast<std::size_t>(t)];
    }
  }

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index parameters() const { return s_.parameters() + 1; }

  /// θ with its constant; empty when M is singular.
  std::optional<Vector> next(const Arx& arx, const Vector& d) {
    const Index p = parameters();
    m_ = z_ = Matrix::Zero(p, p);
    v_ = Vector::Zero(p);
    for (const Interval& piece : pieces_) {
      const Signals f = signals_of(piece, arx, d);
      const Rows rows = rows_of(piece, f, arx.a());
      const Matrix free_z = without_start(rows.z, rows.start);
      m_.noalias() += free_z.transpose() * rows.phi;
      z_.noalias() += free_z.transpose() * free_z;
      v_.noalias() += free_z.transpose() * rows.y;
    }
    const Vector scale = z_.diagonal().cwiseSqrt();
    if (!((scale.array() > 0).all())) return std::nullopt;
    const Matrix scaled =
        scale.cwiseInverse().asDiagonal() * m_ * scale.cwiseInverse().asDiagonal();
    const auto inverse = math::solve(scaled, Matrix::Identity(p, p));
    if (!inverse || !inverse->allFinite() || inverse->norm() > 1 / kMinimumShare)
      return std::nullopt;
    inverse_ = scale.cwiseInverse().asDiagonal() * *inverse * scale.cwiseInverse().asDiagonal();
    return Vector(inverse_ * v_);
  }

  [[nodiscard]] Matrix covariance(double variance) const {
    return variance * (inverse_ * z_ * inverse_.transpose());
  }

  /// y minus the simulation from the measured inputs.
  [[nodiscard]] Vector disturbance(const Arx& arx) const {
    Vector w = Vector::Constant(r_.x.rows(), std::nan(""));
    for (const Interval& piece : pieces_) {
      const Index from = piece.first - lag_;
      const Vector x = simulate(piece, arx, r_.x, r_.x.col(r_.nu).segment(from, lag_));
      for (Index t = piece.first; t < piece.end; ++t) {
        if (r_.target[static_cast<std::size_t>(t)] == 0) continue;
        w(t) = r_.x(t, r_.nu) - x(t - piece.first + lag_);
      }
    }
    return w;
  }

  [[nodiscard]] const std::vector<Interval>& pieces() const { return pieces_; }

 private:
  struct Signals {
    Vector y, x, one;
    std::vector<Vector> u, u_free;
  };

  [[nodiscard]] Vector simulate(const Interval& piece, const Arx& arx, const Matrix& inputs,
                                const Vector& start) const {
    const Index from = piece.first - lag_, rows = piece.end - from;
    Vector x(rows);
    x.head(lag_) = start;
    for (Index t = lag_; t < rows; ++t) {
      double sum = arx.constant;
      for (Index i = 1; i <= s_.na; ++i) sum += arx.a()(i - 1) * x(t - i);
      for (std::size_t j = 0; j < s_.inputs.size(); ++j) {
        const auto b = arx.b(static_cast<Index>(j));
        for (Index i = 0; i < s_.nb; ++i) {
          sum += b(i) * inputs(from + t - s_.inputs[j].first_lag - i, s_.inputs[j].input);
        }
      }
      x(t) = sum;
    }
    return x;
  }

  [[nodiscard]] Signals signals_of(const Interval& piece, const Arx& arx, const Vector& d) const {
    const Index from = piece.first - lag_, rows = piece.end - from;
    const Vector a = arx.a();
    // Neither the start of the simulation nor that of the filters may hold the disturbance.
    double at_rest = arx.constant;
    for (std::size_t j = 0; j < s_.inputs.size(); ++j) {
      at_rest += arx.b(static_cast<Index>(j)).sum() * free_(from, s_.inputs[j].input);
    }
    at_rest /= 1 - a.sum();
    Signals f;
    f.y = filtered(r_.x.col(r_.nu).segment(from, rows), at_rest, d, a);
    f.x = filtered(simulate(piece, arx, free_, Vector::Constant(lag_, at_rest)), at_rest, d, a);
    f.one = filtered(Vector::Ones(rows), 1, d, a);
    for (const auto& input : s_.inputs) {
      const double before = free_(from, input.input);
      f.u.push_back(filtered(r_.x.col(input.input).segment(from, rows), before, d, a));
      f.u_free.push_back(filtered(free_.col(input.input).segment(from, rows), before, d, a));
    }
    return f;
  }

  void fill(const Vector& y, const std::vector<Vector>& u, const Vector& one, Index at,
            Vector& out) const {
    Index k = 0;
    for (std::size_t j = 0; j < u.size(); ++j) {
      for (Index i = 0; i < s_.nb; ++i) out(k++) = u[j](at - s_.inputs[j].first_lag - i);
    }
    for (Index i = 1; i <= s_.na; ++i) out(k++) = y(at - i);
    out(k) = one(at);
  }

  struct Rows {
    Matrix phi, z, start;  ///< start: what the unknown state at the start can still do
    Vector y;
  };

  [[nodiscard]] Rows rows_of(const Interval& piece, const Signals& f, const Vector& a) const {
    std::vector<Index> at;
    for (Index t = piece.first; t < piece.end; ++t) {
      if (r_.target[static_cast<std::size_t>(t)] != 0) at.push_back(t - piece.first + lag_);
    }
    const auto n = static_cast<Index>(at.size());
    const Vector modes = disturbance_response(a, 0, piece.end - piece.first + s_.na);
    Rows rows{Matrix(n, parameters()), Matrix(n, parameters()), Matrix(n, s_.na), Vector(n)};
    Vector row(parameters());
    for (Index i = 0; i < n; ++i) {
      const Index t = at[static_cast<std::size_t>(i)];
      fill(f.y, f.u, f.one, t, row);
      rows.phi.row(i) = row;
      fill(f.x, f.u_free, f.one, t, row);
      rows.z.row(i) = row;
      rows.y(i) = f.y(t);
      for (Index k = 0; k < s_.na; ++k) rows.start(i, k) = modes(t - lag_ + k);
    }
    return rows;
  }

  /// Z after projecting on the complement of the modes.
  static Matrix without_start(const Matrix& z, const Matrix& start) {
    Matrix gram = start.transpose() * start;
    gram.diagonal().array() += 1e-12 * std::max(gram.trace(), 1e-300);
    const auto share = math::solve(gram, Matrix(start.transpose() * z));
    return share ? Matrix(z - start * *share) : z;
  }

  const Regression& r_;
  const Structure& s_;
  const Matrix& free_;
  Index lag_, rows_ = 0;
  std::vector<Interval> pieces_;
  Matrix m_, z_, inverse_;
  Vector v_;
};

double mean_square_of(const Vector& e) {
  double sum = 0, rows = 0;
  for (const double v : e) {
    if (!std::isfinite(v)) continue;
    sum += v * v;
    rows += 1;
  }
  return rows > 0 ? sum / rows : std::numeric_limits<double>::infinity();
}

/// D(q) w; the first rows of a piece keep what they have.
Vector innovations_of(const Vector& w, const Vector& d) {
  Vector e = w;
  for (Index t = d.size(); t < e.size(); ++t) {
    for (Index i = 1; i <= d.size(); ++i) e(t) -= d(i - 1) * w(t - i);
  }
  return e;
}

Arx least_squares_start(const Regression& r, const Structure& s,
                        const std::vector<Interval>& within) {
  Arx arx;
  arx.structure = s;
  arx.integrating = r.integrating;
  arx.differenced = r.differenced;
  const auto terms = s.terms(r.nu);
  const Normal normal = normal_of(r, gram_of(r, s.max_lag(), within));
  arx.theta = solve(normal, terms, {r.nu, 0}, {.lambda = kStageRidge}).theta;
  arx.constant = constant_of(normal, terms, r.nu, arx.theta);
  return arx;
}

}  // namespace

std::optional<InstrumentalFit> fit_instrumental(const Regression& r, const Structure& structure,
                                                const std::vector<Interval>& within,
                                                const Matrix& noise_free,
                                                const InstrumentalOptions& options) {
  Iteration iteration(r, structure, within, noise_free);
  const Index p = iteration.parameters();
  if (iteration.rows() < 2 * p || structure.inputs.empty()) return std::nullopt;
  InstrumentalFit fit;
  fit.rows = iteration.rows();
  fit.arx = least_squares_start(r, structure, within);
  if (!move_inside(fit.arx.theta.tail(structure.na), options.radius)) return std::nullopt;
  Vector d;
  for (; fit.iterations < options.max_iterations && !fit.converged; ++fit.iterations) {
    const auto theta = iteration.next(fit.arx, d);
    if (!theta || !theta->allFinite()) return std::nullopt;
    Vector next = theta->head(p - 1);
    if (!move_inside(next.tail(structure.na), options.radius)) return std::nullopt;
    const double change = (next - fit.arx.theta).norm() / std::max(next.norm(), 1e-12);
    fit.arx.theta = next;
    fit.arx.constant = (*theta)(p - 1);
    fit.residual = iteration.disturbance(fit.arx);
    d = fit_autoregression(fit.residual, iteration.pieces()).d;
    fit.converged = fit.iterations > 0 && change < options.tolerance;
  }
  fit.residual = innovations_of(fit.residual, d);
  const double left = static_cast<double>(fit.rows) / static_cast<double>(fit.rows - p);
  fit.covariance = iteration.covariance(mean_square_of(fit.residual) * left);
  fit.noise = {fit.arx.a(), d};
  return fit;
}

namespace {

/// u(t) = c + Σ aᵢ u(t−i) + Σ fᵢ r(t−i) from the steady state of the first set-point.
Vector follow(const Arx& arx, const Eigen::Ref<const Vector>& set_point) {
  const Vector a = arx.a(), f = arx.b(0);
  const double at_rest = 1 - a.sum();
  const double start =
      std::abs(at_rest) > 1e-6 ? (arx.constant + f.sum() * set_point(0)) / at_rest : 0.0;
  Vector u(set_point.size());
  for (Index t = 0; t < u.size(); ++t) {
    double sum = arx.constant;
    for (Index i = 1; i <= a.size(); ++i) sum += a(i - 1) * (t >= i ? u(t - i) : start);
    for (Index i = 0; i < f.size(); ++i) sum += f(i) * set_point(std::max<Index>(t - i, 0));
    u(t) = sum;
  }
  return u;
}

}  // namespace

NoiseFreeInputs noise_free_inputs(const TrainingData& data,
                                  const std::vector<Index>& set_point_of) {
  NoiseFreeInputs out;
  out.values = data.x.leftCols(data.nu());
  out.share.assign(static_cast<std::size_t>(data.nu()), 1.0);
  for (Index m = 0; m < data.nu(); ++m) {
    const Index column = set_point_of[static_cast<std::size_t>(m)];
    if (column < 0) continue;
    Regression r;
    r.nu = 1;
    r.x.resize(data.x.rows(), 2);
    r.x << data.x.col(column), data.x.col(m);
    r.target.assign(static_cast<std::size_t>(data.x.rows()), 1);
    r.stretches = usable(r.x, {0, 1}, data.blocks);
    out.values.col(m).setConstant(std::nan(""));
    out.share[static_cast<std::size_t>(m)] = 0;
    const Structure s{kStageLags, kStageLags + 1, {{0, 0}}};
    Arx arx = least_squares_start(r, s, {{0, std::numeric_limits<Index>::max() / 2}});
    if (!move_inside(arx.theta.tail(s.na), 1 - 1e-6)) continue;
    double missed = 0, all = 0;
    for (const Stretch& piece : r.stretches) {
      const Index rows = piece.end - piece.first;
      const Vector u = follow(arx, r.x.col(0).segment(piece.first, rows));
      out.values.col(m).segment(piece.first, rows) = u;
      missed += (r.x.col(1).segment(piece.first, rows) - u).squaredNorm();
      all += r.x.col(1).segment(piece.first, rows).squaredNorm();
    }
    if (all > 0) out.share[static_cast<std::size_t>(m)] = std::max(0.0, 1 - missed / all);
  }
  return out;
}

}  // namespace flyball::identify
