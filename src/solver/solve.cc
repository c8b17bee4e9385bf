#include "solver/solve.h"

#include <Eigen/SparseCholesky>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/error.h"
#include "solver/active_set.h"
#include "solver/polish.h"
#include "solver/presolve.h"

namespace flyball::solver {

namespace {

constexpr Index kDense = 250;      // variables up to which the dense method is tried first,
constexpr Index kDenseFull = 800;  // and up to which when H is full
constexpr Index kFallback = 300;   // and last
constexpr int kIterations = 200;
constexpr double kSettled = 1e-11;

/// Entries rounded to six digits move the eigenvalues of a semidefinite H by up to about
/// 1e-6·√n·max|h|: that much below 0 is let pass.
void expect_convex(const SparseMatrix& h) {
  if (h.nonZeros() == 0) return;
  SparseMatrix shifted = h, shift(h.rows(), h.cols());
  shift.setIdentity();
  shifted +=
      1e-6 * std::sqrt(static_cast<double>(h.rows())) * h.coeffs().cwiseAbs().maxCoeff() * shift;
  const Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower> ldlt(shifted);
  if (ldlt.info() != Eigen::Success || (ldlt.vectorD().array() < 0).any())
    throw Error("QP_NOT_CONVEX");
}

class Attempt {
 public:
  Attempt(const Program& program, const Settings& settings)
      : p_(program),
        settings_(settings),
        coefficients_(row_coefficients(program.a)),
        begun_(std::chrono::steady_clock::now()),
        pre_(program, settings.tolerance) {
    const Index n = program.variables(), m = program.rows();
    best_.x = best_.z = Vector::Zero(n);
    best_.y = Vector::Zero(m);
  }

  Solution run() {
    if (pre_.infeasible()) return infeasible(pre_.certificate());
    const Program& r = pre_.reduced();
    if (r.variables() == 0) {
      offer(Vector(0), Vector::Zero(r.rows()), Vector(0));
    } else {
      if (small() && dense(true)) return best_;
      expect_convex(p_.h);
      pre_.equilibrate();
      interior();
    }
    if (done()) return finish(Status::solved);
    if (out_of_time()) return finish(Status::time_limit);
    if (refuted()) return best_;
    if (r.variables() > 0 && r.variables() <= kFallback && dense(false)) return best_;
    return finish(out_of_time() ? Status::time_limit
                  : done()      ? Status::solved
                                : Status::unverified);
  }

 private:
  [[nodiscard]] bool done() const { return best_.residuals.worst() <= settings_.tolerance; }
  [[nodiscard]] double left() const {
    if (settings_.time_limit == kInfinity) return kInfinity;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun_;
    return settings_.time_limit - spent.count();
  }
  [[nodiscard]] bool out_of_time() const { return left() <= 0; }

  /// Measures a point of the reduced program on the one as given and keeps the best.
  double offer(const Vector& x, const Vector& y, const Vector& z) {
    Solution s;
    pre_.restore(x, y, z, s);
    measure(p_, coefficients_, s);
    const double worst = s.residuals.worst();
    if (worst < best_.residuals.worst() || best_.residuals.worst() == kInfinity) {
      s.iterations = best_.iterations;
      best_ = std::move(s);
    }
    return worst;
  }

  Solution finish(Status status) {
    best_.status = status;
    best_.feasible = best_.residuals.primal <= settings_.tolerance;
    if (status == Status::solved)
      best_.gap = best_.residuals.complementarity * (1 + std::abs(best_.objective));
    best_.active =
        static_cast<int>((best_.y.array() != 0).count() + (best_.z.array() != 0).count());
    return best_;
  }

  Solution infeasible(Certificate c) {
    if (c.crossed < 0 && !proves_infeasible(p_, coefficients_, settings_.tolerance, c)) {
      return finish(Status::unverified);
    }
    best_.certificate = std::move(c);
    return finish(Status::infeasible);
  }

  [[nodiscard]] bool small() const {
    const double n = static_cast<double>(pre_.reduced().variables());
    const double full = static_cast<double>(pre_.reduced().h.nonZeros()) / (n * n);
    return n <= (full > 0.2 ? kDenseFull : kDense);
  }

  /// The dense active set on the reduced program; only where H is definite when `definite`.
  bool dense(bool definite, const InteriorPoint* from = nullptr) {
    const Program& r = pre_.reduced();
    Settings settings = settings_;
    settings.tolerance = std::min(settings.tolerance, 1e-9);
    settings.time_limit = left();
    std::optional<ActiveSet> set;
    try {
      set.emplace(Matrix(r.h), Matrix(r.a), settings);
    } catch (const Error&) {
      return false;  // indefinite by rounding: expect_convex has let it pass
    }
    if (definite && !set->strictly_convex()) return false;
    if (from != nullptr) set->start_from(from->active, from->x);
    const Solution& s = set->solve(r.g, r.row_lower, r.row_upper, r.lower, r.upper);
    best_.iterations += s.iterations;
    if (s.status == Status::infeasible) return refute(s.certificate.y);
    offer(s.x, s.y, s.z);
    if (!done()) return false;
    finish(Status::solved);
    return true;
  }

  void interior() {
    const Program& r = pre_.reduced();
    const int most = settings_.max_iterations > 0 ? settings_.max_iterations : kIterations;
    for (const double size : {1e2, 1e4, 1.0}) {
      InteriorPoint point = interior_point(r, 1e-12, size, most, [this] { return out_of_time(); });
      best_.iterations += point.iterations;
      if (point.x.size() == 0) return;
      offer(point.x, point.y, point.z);
      if (point.stopped) return;
      polish(r, point, 1e-13, 10, [this](const Vector& x, const Vector& y, const Vector& z) {
        return out_of_time() ? 0.0 : offer(x, y, z);
      });
      // Where the polish did not settle the active limits, the dense method does, if it can.
      const bool settled = best_.residuals.worst() <= kSettled || r.variables() > kFallback;
      if (!settled && !out_of_time()) dense(false, &point);
      if (done() || out_of_time() || settings_.max_iterations > 0) return;
    }
  }

  bool refute(const Vector& reduced_y) {
    Certificate c = pre_.restore_certificate(reduced_y);
    if (!proves_infeasible(p_, coefficients_, settings_.tolerance, c)) return false;
    best_.certificate = std::move(c);
    finish(Status::infeasible);
    return true;
  }

  /// A proof that there is no optimum: the multipliers of the least total violation, or a
  /// direction.
  bool refuted() {
    const Program& r = pre_.reduced();
    const Index n = r.variables(), m = r.rows();
    const auto stop = [this] { return out_of_time(); };
    const auto solve_part = [&](const Program& part) {
      InteriorPoint point = interior_point(part, 1e-13, 1e2, kIterations, stop);
      if (point.x.size() == 0) return point;
      const Vector rows = row_coefficients(part.a);
      polish(part, point, 1e-14, 10, [&](const Vector& x, const Vector& y, const Vector& z) {
        Solution s;
        s.x = x, s.y = y, s.z = z;
        measure(part, rows, s);
        return s.residuals.worst();
      });
      return point;
    };
    if (m > 0) {
      Program elastic;
      elastic.g = Vector::Ones(n + 2 * m);
      elastic.g.head(n).setZero();
      elastic.h.resize(n + 2 * m, n + 2 * m);
      std::vector<Eigen::Triplet<double>> a;
      for (Index j = 0; j < n; ++j) {
        for (SparseMatrix::InnerIterator it(r.a, j); it; ++it)
          a.emplace_back(it.row(), j, it.value());
      }
      for (Index i = 0; i < m; ++i) {
        a.emplace_back(i, n + i, 1.0);
        a.emplace_back(i, n + m + i, -1.0);
      }
      elastic.a.resize(m, n + 2 * m);
      elastic.a.setFromTriplets(a.begin(), a.end());
      elastic.row_lower = r.row_lower;
      elastic.row_upper = r.row_upper;
      elastic.lower = Vector::Zero(n + 2 * m);
      elastic.lower.head(n) = r.lower;
      elastic.upper = Vector::Constant(n + 2 * m, kInfinity);
      elastic.upper.head(n) = r.upper;
      const InteriorPoint point = solve_part(elastic);
      if (point.y.size() == m && refute(point.y)) return true;
    }
    Program ray;
    ray.h.resize(n, n);
    ray.g = r.g;
    ray.lower = Vector::Constant(n, -1);
    ray.upper = Vector::Constant(n, 1);
    std::vector<Eigen::Triplet<double>> a;
    for (Index j = 0; j < n; ++j) {
      if (r.lower[j] > -kInfinity) ray.lower[j] = 0;
      if (r.upper[j] < kInfinity) ray.upper[j] = 0;
      if (ray.lower[j] == ray.upper[j]) ray.lower[j] = ray.upper[j] = 0;
      for (SparseMatrix::InnerIterator it(r.a, j); it; ++it)
        a.emplace_back(it.row(), j, it.value());
      for (SparseMatrix::InnerIterator it(r.h, j); it; ++it)
        a.emplace_back(m + it.row(), j, it.value());
    }
    ray.a.resize(m + n, n);
    ray.a.setFromTriplets(a.begin(), a.end());
    ray.row_lower = ray.row_upper = Vector::Zero(m + n);
    for (Index i = 0; i < m; ++i) {
      if (r.row_lower[i] == -kInfinity) ray.row_lower[i] = -kInfinity;
      if (r.row_upper[i] == kInfinity) ray.row_upper[i] = kInfinity;
    }
    const Presolve pre(ray, 1e-12);
    if (pre.infeasible() || pre.reduced().variables() == 0) return false;
    const InteriorPoint point = solve_part(pre.reduced());
    if (point.x.size() == 0) return false;
    Solution direction;
    pre.restore(point.x, point.y, point.z, direction);
    Vector d = pre_.restore_direction(direction.x);
    if (!proves_unbounded(p_, coefficients_, d)) return false;
    best_.direction = d;
    finish(Status::unbounded);
    return true;
  }

  const Program& p_;
  Settings settings_;
  Vector coefficients_;
  std::chrono::steady_clock::time_point begun_;
  Presolve pre_;
  Solution best_;
};

}  // namespace

Solution solve(Program program, const Settings& settings) {
  complete(program);
  return Attempt(program, settings).run();
}

}  // namespace flyball::solver
