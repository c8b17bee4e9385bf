#include "identify/narx_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/linear_algebra.h"

namespace flyball::identify {
namespace {

constexpr double kLeastGain = 1e-6;  ///< of the CV's variance, for a term to come in
constexpr double kLeastNew = 1e-6;   ///< of a candidate's power that the terms do not explain
constexpr std::size_t kTried = 3;    ///< best candidates that are refitted
constexpr Index kBlock = 128;        ///< rows of ψ that are multiplied at once

}  // namespace

NarxFitter::NarxFitter(const NarxData& data, const std::vector<NarxProduct>& pool, Index na)
    : data_(data), na_(na) {
  for (const NarxProduct& product : pool) {
    Product made{0, 0, 0};
    for (std::size_t f = 0; f < product.size(); ++f) {
      if (product[f].signal == data_.r->nu) {
        made[f] = product[f].lag;
        continue;
      }
      auto at = std::ranges::find(inputs_, product[f]);
      if (at == inputs_.end()) at = inputs_.insert(inputs_.end(), product[f]);
      made[f] = na_ + 1 + (at - inputs_.begin());
    }
    products_.push_back(made);
  }
  double sum = 0, count = 0, squares = 0;
  for (const Interval& piece : data_.pieces) {
    for (Index t = piece.first; t < piece.end; ++t) {
      if (!measured(t)) continue;
      sum += y(t);
      squares += y(t) * y(t);
      ++count;
    }
  }
  variance_ = count > 0 ? squares - sum * sum / count : 0;
}

NarxFitter::Model NarxFitter::model_of(const NarxFit& fit) const {
  Model m;
  for (const Index i : fit.terms) m.products.push_back(products_[static_cast<std::size_t>(i)]);
  m.theta = fit.theta;
  return m;
}

double NarxFitter::value_at(const Model& m, const double* v) const {
  double sum = 0;
  for (std::size_t i = 0; i < m.products.size(); ++i) {
    const Product& p = m.products[i];
    sum += m.theta.data()[i] * v[p[0]] * v[p[1]] * v[p[2]];
  }
  return sum;
}

void NarxFitter::lag_slopes(const Model& m, const double* v, double* slopes) const {
  std::fill_n(slopes, na_ + 1, 0.0);
  for (std::size_t i = 0; i < m.products.size(); ++i) {
    const Product& p = m.products[i];
    const double theta = m.theta.data()[i];
    if (p[0] >= 1 && p[0] <= na_) slopes[p[0]] += theta * v[p[1]] * v[p[2]];
    if (p[1] >= 1 && p[1] <= na_) slopes[p[1]] += theta * v[p[0]] * v[p[2]];
    if (p[2] >= 1 && p[2] <= na_) slopes[p[2]] += theta * v[p[0]] * v[p[1]];
  }
}

void NarxFitter::fill_inputs(Index row, double* v) const {
  const double* x = data_.r->x.data();
  const Index rows = data_.r->x.rows();
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    v[na_ + 1 + static_cast<Index>(i)] = x[inputs_[i].signal * rows + row - inputs_[i].lag];
}

void NarxFitter::fill_lags(Index row, double* v) const {
  v[0] = 1;
  for (Index l = 1; l <= na_; ++l) v[l] = y(row - l);
}

template <class Visit>
void NarxFitter::run(const Model& m, Visit&& visit) const {
  std::vector<double> v(static_cast<std::size_t>(na_) + 1 + inputs_.size());
  for (const Interval& piece : data_.pieces) {
    fill_lags(piece.first, v.data());
    for (Index t = piece.first; t < piece.end; ++t) {
      fill_inputs(t, v.data());
      const double free = value_at(m, v.data());
      const bool held = !(free >= data_.low && free <= data_.high);
      const double yhat = !held ? free : free > data_.high ? data_.high : data_.low;
      visit(t, v.data(), yhat, held);
      std::copy_backward(v.begin() + 1, v.begin() + na_, v.begin() + na_ + 1);
      v[1] = yhat;
    }
  }
}

template <class Visit>
void NarxFitter::run_slopes(const Model& m, const std::vector<Product>& products,
                            Visit&& visit) const {
  const auto p = static_cast<Index>(products.size());
  Matrix past = Matrix::Zero(p, na_ + 1);  // ψ(t−l) in column (newest + l − 1) mod (na + 1)
  std::vector<double> slopes(static_cast<std::size_t>(na_) + 1);
  Index newest = 0, piece_at = -1;
  run(m, [&](Index t, const double* v, double yhat, bool held) {
    const auto next_piece = static_cast<std::size_t>(piece_at + 1);
    if (next_piece < data_.pieces.size() && t == data_.pieces[next_piece].first) {
      ++piece_at;
      past.setZero();
    }
    const Index at = (newest + na_) % (na_ + 1);
    double* psi = past.col(at).data();
    if (held) {
      std::fill_n(psi, p, 0.0);
    } else {
      for (Index i = 0; i < p; ++i) {
        const Product& f = products[static_cast<std::size_t>(i)];
        psi[i] = v[f[0]] * v[f[1]] * v[f[2]];
      }
      lag_slopes(m, v, slopes.data());
      for (Index l = 1; l <= na_; ++l) {
        const double slope = slopes[static_cast<std::size_t>(l)];
        if (slope == 0) continue;
        const double* before = past.col((newest + l - 1) % (na_ + 1)).data();
        for (Index i = 0; i < p; ++i) psi[i] += slope * before[i];
      }
    }
    newest = at;
    visit(t, psi, yhat);
  });
}

/// Σ (y − ŷ)² as a function of the coefficients.
struct NarxProblem {
  const NarxFitter& f;
  std::vector<NarxFitter::Product> products;
  Vector penalty;

  struct Evaluation {
    double sum = 0;  ///< with the ridge
    double errors = 0;
    Index held = 0, rows = 0;
  };

  [[nodiscard]] static bool feasible(const Vector& theta) { return theta.allFinite(); }

  [[nodiscard]] Evaluation evaluate(const Vector& theta) const {
    Evaluation out;
    f.run({products, theta}, [&](Index t, const double*, double yhat, bool held) {
      out.held += held ? 1 : 0;
      if (!f.measured(t)) return;
      const double e = f.y(t) - yhat;
      out.errors += e * e;
      ++out.rows;
    });
    out.sum = out.errors + penalty.dot(theta.cwiseAbs2());
    return out;
  }

  [[nodiscard]] NormalStep step(const Vector& theta, const Evaluation&) const {
    const Index p = theta.size();
    NormalStep out{Matrix::Zero(p, p), Vector::Zero(p)};
    Matrix block(p, kBlock);
    Vector e(kBlock);
    Index n = 0;
    const auto flush = [&] {
      const auto psi = block.leftCols(n);
      out.h.selfadjointView<Eigen::Lower>().rankUpdate(psi);
      out.g.noalias() -= psi * e.head(n);  // ∂e/∂θ = −ψ
      n = 0;
    };
    f.run_slopes({products, theta}, products, [&](Index t, const double* psi, double yhat) {
      if (!f.measured(t)) return;
      std::copy_n(psi, p, block.col(n).data());
      e(n) = f.y(t) - yhat;
      if (++n == kBlock) flush();
    });
    flush();
    out.h = out.h.selfadjointView<Eigen::Lower>();
    out.h.diagonal() += penalty;
    out.g += penalty.cwiseProduct(theta);
    return out;
  }
};

NarxFit NarxFitter::begin() const {
  NarxFit fit;
  for (Index i = 0; i <= na_; ++i) fit.terms.push_back(i);
  const Index p = na_ + 1;
  Matrix h = Matrix::Zero(p, p);
  Vector g = Vector::Zero(p), v(p);
  for (const Interval& piece : data_.pieces) {
    for (Index t = piece.first; t < piece.end; ++t) {
      if (!measured(t)) continue;
      fill_lags(t, v.data());
      h += v * v.transpose();
      g += v * y(t);
      ++fit.rows;
    }
  }
  h.diagonal() *= 1 + 1e-8;
  fit.theta = math::solve(h, g).value_or(Matrix::Zero(p, 1));
  fit.err.assign(static_cast<std::size_t>(p), 0);
  fit.penalty = Vector::Zero(p);
  const auto at = NarxProblem{*this, model_of(fit).products, fit.penalty}.evaluate(fit.theta);
  fit.sum = at.errors;
  fit.cost = at.sum;
  fit.held = at.held;
  return fit;
}

void NarxFitter::refine(NarxFit& fit, int iterations) const {
  const NarxProblem problem{*this, model_of(fit).products, fit.penalty};
  NarxProblem::Evaluation at = problem.evaluate(fit.theta);
  iterate(problem, {iterations, 1e-6}, fit.theta, at);
  fit.sum = at.errors;
  fit.cost = at.sum;
  fit.held = at.held;
  fit.rows = at.rows;
}

bool NarxFitter::grow(NarxFit& fit, int iterations) const {
  const Model m = model_of(fit);
  const auto all = static_cast<Index>(products_.size()), p = static_cast<Index>(fit.terms.size());
  Matrix g = Matrix::Zero(all, p), block(all, kBlock), own(p, kBlock);
  Vector c = Vector::Zero(all), power = Vector::Zero(all), e(kBlock);
  Index n = 0;
  const auto flush = [&] {
    for (Index i = 0; i < p; ++i)
      own.row(i).head(n) = block.row(fit.terms[static_cast<std::size_t>(i)]).head(n);
    g.noalias() += block.leftCols(n) * own.leftCols(n).transpose();
    c.noalias() += block.leftCols(n) * e.head(n);
    power += block.leftCols(n).rowwise().squaredNorm();
    n = 0;
  };
  run_slopes(m, products_, [&](Index t, const double* psi, double yhat) {
    if (!measured(t)) return;
    std::copy_n(psi, all, block.col(n).data());
    e(n) = y(t) - yhat;
    if (++n == kBlock) flush();
  });
  flush();
  Matrix h(p, p);
  Vector in(p);
  for (Index i = 0; i < p; ++i) {
    h.row(i) = g.row(fit.terms[static_cast<std::size_t>(i)]);
    in(i) = c(fit.terms[static_cast<std::size_t>(i)]);
  }
  // The ridge of every product follows what its ψ is now.
  const auto penalty_of = [&](Index term) {
    const Product& product = products_[static_cast<std::size_t>(term)];
    return product[1] == 0 ? 0.0 : data_.ridge * power(term);
  };
  for (Index i = 0; i < p; ++i) fit.penalty(i) = penalty_of(fit.terms[static_cast<std::size_t>(i)]);
  fit.cost = fit.sum + fit.penalty.dot(fit.theta.cwiseAbs2());
  in -= fit.penalty.cwiseProduct(fit.theta);
  h.diagonal() += fit.penalty;
  h.diagonal() *= 1 + 1e-10;
  Matrix right(p, all + 1);
  right << g.transpose(), in;
  const auto solved = math::solve(h, right);
  if (!solved || !solved->allFinite()) return false;
  struct Gain {
    double gain = 0;
    Index term = 0;
  };
  std::vector<Gain> gains;
  for (Index i = 0; i < all; ++i) {
    if (std::ranges::find(fit.terms, i) != fit.terms.end()) continue;
    double left = power(i) - g.row(i).dot(solved->col(i));
    if (!(left > kLeastNew * power(i))) continue;
    left += penalty_of(i);
    const double with_error = c(i) - g.row(i).dot(solved->col(all));
    gains.push_back({with_error * with_error / left, i});
  }
  std::ranges::stable_sort(gains, [](const Gain& a, const Gain& b) { return a.gain > b.gain; });
  if (gains.size() > kTried) gains.resize(kTried);
  const double before = fit.sum, cost = fit.cost;
  NarxFit best = fit;
  for (const Gain& candidate : gains) {
    NarxFit tried = fit;
    tried.terms.push_back(candidate.term);
    tried.theta.conservativeResize(p + 1);
    tried.theta(p) = 0;
    tried.penalty.conservativeResize(p + 1);
    tried.penalty(p) = penalty_of(candidate.term);
    refine(tried, iterations);
    tried.err.push_back(variance_ > 0 ? (before - tried.sum) / variance_ : 0);
    if (tried.cost < best.cost) best = std::move(tried);
  }
  if (!(cost - best.cost > kLeastGain * variance_)) return false;
  fit = std::move(best);
  return true;
}

void NarxFitter::prune(NarxFit& fit, int iterations) const {
  const auto rows = static_cast<double>(fit.rows);
  const auto criterion = [&](const NarxFit& f) {
    return rows * std::log(f.cost / rows) + static_cast<double>(f.terms.size()) * std::log(rows);
  };
  while (fit.terms.size() > 2) {
    const NarxProblem problem{*this, model_of(fit).products, fit.penalty};
    const Matrix h = problem.step(fit.theta, {}).h;
    const auto inverse = math::solve(h, Matrix::Identity(h.rows(), h.cols()));
    if (!inverse) return;
    Index least = -1;
    double cost = std::numeric_limits<double>::infinity();
    for (Index i = 1; i < fit.theta.size(); ++i) {
      const double rise = fit.theta(i) * fit.theta(i) / (*inverse)(i, i);
      if (rise >= 0 && rise < cost) {
        cost = rise;
        least = i;
      }
    }
    if (least < 0) return;
    NarxFit smaller = fit;
    smaller.terms.erase(smaller.terms.begin() + least);
    smaller.err.erase(smaller.err.begin() + least);
    const auto without = [&](const Vector& v) {
      Vector left(v.size() - 1);
      left << v.head(least), v.tail(v.size() - 1 - least);
      return left;
    };
    smaller.theta = without(fit.theta);
    smaller.penalty = without(fit.penalty);
    refine(smaller, iterations);
    if (!(criterion(smaller) < criterion(fit))) return;
    fit = std::move(smaller);
  }
}

NarxFitter::Simulation NarxFitter::simulate(const NarxFit& fit) const {
  const auto at = NarxProblem{*this, model_of(fit).products, fit.penalty}.evaluate(fit.theta);
  return {variance_ > 0 ? 1 - at.errors / variance_ : 0, at.held, at.rows};
}

Matrix NarxFitter::slopes(const NarxFit& fit) const {
  const Model m = model_of(fit);
  std::vector<Vector> rows;
  run_slopes(m, m.products, [&](Index t, const double* psi, double) {
    if (measured(t)) rows.emplace_back(Eigen::Map<const Vector>(psi, fit.theta.size()));
  });
  Matrix out(static_cast<Index>(rows.size()), fit.theta.size());
  for (std::size_t i = 0; i < rows.size(); ++i) out.row(static_cast<Index>(i)) = rows[i];
  return out;
}

Matrix NarxFitter::covariance(const NarxFit& fit) const {
  const Model m = model_of(fit);
  const Index p = fit.theta.size();
  Vector residual = Vector::Constant(data_.r->x.rows(), std::numeric_limits<double>::quiet_NaN());
  Matrix psi = Matrix::Zero(p, data_.r->x.rows());
  Matrix h = Matrix::Zero(p, p);
  run_slopes(m, m.products, [&](Index t, const double* slope, double yhat) {
    if (!measured(t)) return;
    residual(t) = y(t) - yhat;
    psi.col(t) = Eigen::Map<const Vector>(slope, p);
    h += psi.col(t) * psi.col(t).transpose();
  });
  const Autoregression noise = fit_autoregression(residual, data_.pieces);
  Sandwich sandwich(noise, p);
  for (const Interval& piece : data_.pieces) {
    Matrix slope = psi.middleCols(piece.first, piece.end - piece.first);
    sandwich.add(slope);
  }
  return sandwich.covariance(h, fit.rows, std::max<Index>(fit.rows - p, 1));
}

std::vector<Interval> NarxFitter::with_history(const std::vector<Interval>& runs) const {
  Index longest = na_;
  for (const auto& input : inputs_) longest = std::max(longest, input.lag);
  std::vector<Interval> out;
  for (const Interval& run : runs) {
    const Index first = std::max(run.first, longest);
    if (first < run.end) out.push_back({first, run.end});
  }
  return out;
}

FoldErrors NarxFitter::score(const NarxFit& fit, const std::vector<Interval>& runs, Index horizon,
                             Index stride, Index& held) const {
  const Model m = model_of(fit);
  FoldErrors out;
  std::vector<double> v(static_cast<std::size_t>(na_) + 1 + inputs_.size());
  for (const Interval& run : runs) {
    for (Index start = run.first; start + horizon <= run.end; start += stride) {
      fill_lags(start, v.data());
      for (Index k = 0; k < horizon; ++k) {
        fill_inputs(start + k, v.data());
        const double free = value_at(m, v.data());
        const bool beyond = !(free >= data_.low && free <= data_.high);
        const double yhat = !beyond ? free : free > data_.high ? data_.high : data_.low;
        held += beyond ? 1 : 0;
        const double e = y(start + k) - yhat;
        out.rollout += e * e;
        if (k == 0) out.one_step += e * e;
        std::copy_backward(v.begin() + 1, v.begin() + na_, v.begin() + na_ + 1);
        v[1] = yhat;
      }
      out.windows += 1;
    }
  }
  return out;
}

}  // namespace flyball::identify
