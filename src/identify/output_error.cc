#include "identify/output_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "identify/hot_loops.h"
#include "identify/refine_step.h"
#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kDecayed = 1e-12;  ///< of the answer to the values before a piece
constexpr double kSeen = 1e-13;      ///< of the largest eigenvalue of R Rᵀ: less is not seen

struct Piece {
  Index t0 = 0, t1 = 0;
  [[nodiscard]] Index rows() const { return t1 - t0; }
};

/// e of one piece: n values before it, then its rows.
struct PieceErrors {
  Vector e;
  Matrix inverse;  ///< (R Rᵀ)⁺ over the observed rows
};

struct Evaluation {
  double sum = std::numeric_limits<double>::infinity();
  Matrix r;  ///< n × effective length: answer of e to e(t0−1), …, e(t0−n) = 1
  std::vector<PieceErrors> pieces;
};

class Problem {
 public:
  Problem(const Regression& r, const Rational& start, const std::vector<Interval>& within,
          const RefineOptions& options)
      : r_(r), s_(start.arx.structure), options_(options) {
    terms_ = s_.terms(r.nu);
    order_ = output_error() ? s_.na : start.noise.c.size();
    const Index shortest = order_ + 2;
    for (const Interval& interval : within) {
      for_each_run(r, interval, s_.max_lag(), [&](Index t0, Index t1) {
        if (t1 - t0 >= shortest) pieces_.push_back({t0, t1});
      });
    }
    for (const Piece& p : pieces_) {
      longest_ = std::max(longest_, p.rows());
      for (Index t = p.t0; t < p.t1; ++t) rows_ += observed(t) ? 1 : 0;
    }
  }

  [[nodiscard]] bool output_error() const { return options_.criterion == Criterion::output_error; }
  [[nodiscard]] bool observed(Index t) const { return r_.target[static_cast<std::size_t>(t)] != 0; }
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index order() const { return order_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  [[nodiscard]] Index parameters() const {
    return s_.parameters() + (output_error() ? 0 : order_) + (r_.has_constant() ? 1 : 0);
  }

  [[nodiscard]] Vector pack(const Rational& m) const {
    Vector p(parameters());
    p.head(m.arx.theta.size()) = m.arx.theta;
    if (!output_error()) p.segment(s_.parameters(), order_) = m.noise.c;
    if (r_.has_constant()) p(p.size() - 1) = m.arx.constant;
    return p;
  }
  void unpack(const Vector& p, Rational& m) const {
    m.arx.theta = p.head(s_.parameters());
    m.arx.constant = r_.has_constant() ? p(p.size() - 1) : 0;
    m.noise.c = c_of(p);
  }
  [[nodiscard]] Vector c_of(const Vector& p) const {
    return output_error() ? p.segment(s_.parameters() - s_.na, s_.na)
                          : p.segment(s_.parameters(), order_);
  }
  [[nodiscard]] bool feasible(const Vector& p) const {
    return p.allFinite() && roots_inside(p.segment(s_.parameters() - s_.na, s_.na), radius()) &&
           (output_error() || roots_inside(c_of(p), options_.radius));
  }
  [[nodiscard]] double radius() const {
    return std::min(options_.radius, 1 - 1 / static_cast<double>(std::max<Index>(longest_, 2)));
  }

  /// e(t) = w(t) + Σ cᵢ e(t−i) from the n values before the piece.
  void errors(const Vector& p, const Piece& piece, Vector& e) const {
    const double constant = r_.has_constant() ? p(p.size() - 1) : 0;
    residuals(r_, s_, p.head(s_.parameters()), constant, piece.t0, piece.t1, e.data() + order_);
    recurse(c_of(p), e);
  }

  [[nodiscard]] Evaluation evaluate(const Vector& p) const {
    Evaluation out;
    out.r = answers(c_of(p));
    out.sum = 0;
    for (const Piece& piece : pieces_) {
      PieceErrors errors_of;
      errors_of.e = Vector::Zero(order_ + piece.rows());
      errors(p, piece, errors_of.e);
      start_from_best(piece, out.r, errors_of);
      for (Index t = 0; t < piece.rows(); ++t) {
        if (observed(piece.t0 + t)) out.sum += errors_of.e(order_ + t) * errors_of.e(order_ + t);
      }
      out.pieces.push_back(std::move(errors_of));
    }
    if (!std::isfinite(out.sum)) out.sum = std::numeric_limits<double>::infinity();
    return out;
  }

  /// ∂e/∂θ of a piece, parameters × rows; zero where the CV was not measured when `masked`.
  [[nodiscard]] Matrix slope(const Vector& p, const Piece& piece, const Vector& e,
                             bool masked) const {
    const Index n = piece.rows();
    Matrix j(parameters(), n);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const auto row = static_cast<Index>(k);
      const Term& term = terms_[k];
      j.row(row) = -r_.x.col(term.signal).segment(piece.t0 - term.lag, n).transpose();
      if (output_error() && term.signal == r_.nu) {
        j.row(row) += e.segment(order_ - term.lag, n).transpose();
      }
    }
    for (Index i = 1; i <= order_ && !output_error(); ++i) {
      j.row(s_.parameters() + i - 1) = e.segment(order_ - i, n).transpose();
    }
    if (r_.has_constant()) j.row(parameters() - 1).setConstant(-1);
    const Vector c = c_of(p);
    for (Index t = 1; t < n; ++t) {
      for (Index i = 1; i <= std::min(t, order_); ++i) {
        add_scaled(j.col(t).data(), j.col(t - i).data(), c(i - 1), j.rows());
      }
    }
    for (Index t = 0; masked && t < n; ++t) {
      if (!observed(piece.t0 + t)) j.col(t).setZero();
    }
    return j;
  }

  [[nodiscard]] NormalStep step(const Vector& p, const Evaluation& at) const {
    NormalStep out{Matrix::Zero(p.size(), p.size()), Vector::Zero(p.size())};
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Matrix j = projected(p, at, i);
      out.h.selfadjointView<Eigen::Lower>().rankUpdate(j);
      out.g += j * at.pieces[i].e.tail(pieces_[i].rows());
    }
    out.h.triangularView<Eigen::StrictlyUpper>() = out.h.transpose();
    return out;
  }

  [[nodiscard]] Matrix covariance(const Vector& p, const Evaluation& at,
                                  const Autoregression& noise) const {
    Sandwich sandwich(noise, p.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Matrix j = projected(p, at, i);
      sandwich.add(j);
    }
    return sandwich.covariance(step(p, at).h, rows_, rows_ - p.size() - states());
  }

  /// Values before the pieces, which are parameters of their own.
  [[nodiscard]] Index states() const { return order_ * static_cast<Index>(pieces_.size()); }

 private:
  /// ∂e/∂θ at the observed rows without what the values before the piece explain.
  [[nodiscard]] Matrix projected(const Vector& p, const Evaluation& at, std::size_t i) const {
    Matrix j = slope(p, pieces_[i], at.pieces[i].e, true);
    if (order_ == 0) return j;
    const Index n = std::min(pieces_[i].rows(), at.r.cols());
    const Matrix seen = seen_answers(pieces_[i], at.r.leftCols(n));
    const Matrix across = j.leftCols(n) * seen.transpose();
    j.leftCols(n) -= across * at.pieces[i].inverse * seen;
    return j;
  }

  /// R at the observed rows of a piece, 0 elsewhere.
  [[nodiscard]] Matrix seen_answers(const Piece& piece, Matrix r) const {
    for (Index t = 0; t < r.cols(); ++t) {
      if (!observed(piece.t0 + t)) r.col(t).setZero();
    }
    return r;
  }

  void recurse(const Vector& c, Vector& e) const {
    for (Index t = order_; t < e.size(); ++t) {
      double v = e(t);
      for (Index i = 1; i <= order_; ++i) v += c(i - 1) * e(t - i);
      e(t) = v;
    }
  }

  [[nodiscard]] Matrix answers(const Vector& c) const {
    Matrix r = Matrix::Zero(order_, longest_);
    Index length = 0;
    for (; length < longest_ && order_ > 0; ++length) {
      auto column = r.col(length);
      for (Index i = 1; i <= order_; ++i) {
        if (length - i >= 0) {
          column += c(i - 1) * r.col(length - i);
        } else {
          column(i - length - 1) += c(i - 1);
        }
      }
      const Index recent = std::min(order_, length + 1);
      if (length >= order_ &&
          r.middleCols(length + 1 - recent, recent).cwiseAbs().maxCoeff() < kDecayed) {
        break;
      }
    }
    return r.leftCols(std::min(length + 1, longest_)).eval();
  }

  /// The least values before the piece that make Σ e² least: directions that its rows hardly see
  /// stay 0, or rounding of values of any size would drown the rest.
  void start_from_best(const Piece& piece, const Matrix& r, PieceErrors& out) const {
    const Index n = std::min(piece.rows(), r.cols());
    if (order_ == 0) return;
    const Matrix seen = seen_answers(piece, r.leftCols(n));
    const Vector right = seen * out.e.segment(order_, n);
    const math::SymmetricEigen e = math::symmetric_eigen(seen * seen.transpose());
    const double least = kSeen * e.values(order_ - 1);
    const Vector inverted = (e.values.array() > least).select(e.values.cwiseInverse(), 0);
    out.inverse = e.vectors * inverted.asDiagonal() * e.vectors.transpose();
    const Vector before = -(out.inverse * right);
    for (Index i = 1; i <= order_; ++i) out.e(order_ - i) = before(i - 1);
    out.e.segment(order_, n) += r.leftCols(n).transpose() * before;
  }

  const Regression& r_;
  Structure s_;
  const RefineOptions& options_;
  std::vector<Term> terms_;
  std::vector<Piece> pieces_;
  Index order_ = 0, longest_ = 0, rows_ = 0;
};

/// c·r^i with the largest r that has its roots inside.
void shrink_inside(Vector& c, double radius) {
  for (double r = 1; !roots_inside(c, radius); r *= 0.99) {
    double power = 1;
    for (double& v : c) v *= (power *= 0.99);
  }
}

}  // namespace

Refined refine(const Regression& r, const Rational& start, const std::vector<Interval>& within,
               const RefineOptions& options) {
  Rational from = start;
  const Problem problem(r, from, within, options);
  if (options.max_iterations > 0) {
    Vector a = from.arx.a();
    shrink_inside(a, problem.radius());
    from.arx.theta.tail(a.size()) = a;
    shrink_inside(from.noise.c, options.radius);
  }
  Vector p = problem.pack(from);
  Evaluation at = problem.evaluate(p);
  Refined out;
  out.model = from;
  out.rows = problem.rows();
  out.states = problem.states();
  const double rows = static_cast<double>(std::max<Index>(out.rows, 1));
  out.start = at.sum / rows;
  if (out.rows > problem.parameters() && problem.feasible(p)) {
    out.iterations = iterate(problem, {options.max_iterations, options.tolerance}, p, at);
  }
  out.end = at.sum / rows;
  problem.unpack(p, out.model);
  out.residual = Vector::Constant(r.x.rows(), std::nan(""));
  std::vector<Interval> runs;
  for (std::size_t i = 0; i < problem.pieces().size(); ++i) {
    const Piece& piece = problem.pieces()[i];
    runs.push_back({piece.t0, piece.t1});
    for (Index t = 0; t < piece.rows(); ++t) {
      if (problem.observed(piece.t0 + t)) {
        out.residual(piece.t0 + t) = at.pieces[i].e(problem.order() + t);
      }
    }
  }
  Autoregression noise{{}, out.end};
  if (options.criterion == Criterion::output_error) {
    noise = fit_autoregression(out.residual, runs);
    out.model.noise.ar = noise.d;
  } else {
    out.model.noise.ar.resize(0);
  }
  out.covariance = problem.covariance(p, at, noise);
  return out;
}

double mean_square(const Regression& r, const Rational& model, const std::vector<Interval>& within,
                   const RefineOptions& options) {
  const Problem problem(r, model, within, options);
  const Vector p = problem.pack(model);
  if (!problem.feasible(p)) return std::numeric_limits<double>::infinity();
  return problem.evaluate(p).sum / static_cast<double>(std::max<Index>(problem.rows(), 1));
}

Sensitivity sensitivity(const Regression& r, const Rational& model, Criterion criterion, Index t0,
                        Index t1, const Vector& before) {
  const RefineOptions options{.criterion = criterion};
  const Problem problem(r, model, {{t0, t1}}, options);
  const Vector p = problem.pack(model);
  const Piece piece{t0, t1};
  Vector e = Vector::Zero(problem.order() + piece.rows());
  for (Index i = 0; i < before.size(); ++i) e(problem.order() - 1 - i) = before(i);
  problem.errors(p, piece, e);
  return {e.tail(piece.rows()), problem.slope(p, piece, e, false).transpose()};
}

}  // namespace flyball::identify
