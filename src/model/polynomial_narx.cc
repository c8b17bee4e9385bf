#include "model/polynomial_narx.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/checks.h"

namespace flyball::model {
namespace {

constexpr Index kNoLimit = std::numeric_limits<Index>::max();

template <class F>
void for_each_factor(const PolynomialNarx& m, F&& f) {
  for (const NarxOutput& output : m.outputs) {
    for (const NarxTerm& term : output.terms) {
      for (const NarxFactor& factor : term.factors) f(factor);
    }
  }
}

void check_that(bool holds, const char* what) {
  check_shape(what, holds ? 1 : 0, 1, 1, 1);
}

const PolynomialNarx& checked(const PolynomialNarx& m) {
  check(m);
  return m;
}

}  // namespace

Index PolynomialNarx::output_lag() const {
  std::int64_t longest = 1;
  for_each_factor(*this, [&](const NarxFactor& f) {
    if (f.signal >= inputs()) longest = std::max(longest, f.lag);
  });
  return longest;
}

Index PolynomialNarx::max_lag() const {
  std::int64_t longest = 1;
  for_each_factor(*this, [&](const NarxFactor& f) { longest = std::max(longest, f.lag); });
  return longest;
}

void check(const PolynomialNarx& m) {
  check_that(m.centre.size() == m.scale.size() && m.inputs() >= 0 && m.n_mv >= 0 &&
                 m.n_mv <= m.inputs() && m.output_count() > 0,
             "numbers of inputs and CVs");
  check_finite({m.centre.data(), static_cast<std::size_t>(m.centre.size())}, "centre");
  check_finite({m.scale.data(), static_cast<std::size_t>(m.scale.size())}, "scale");
  check_that((m.scale.array() > 0).all(), "positive scales");
  for (const NarxOutput& output : m.outputs) {
    check_finite(std::array{output.low, output.high}, "bounds");
    check_that(output.low < output.high, "low below high");
    for (const NarxTerm& term : output.terms) {
      check_finite(std::array{term.coefficient}, "coefficient");
      check_that(term.factors.size() <= kNarxDegreeMax, "degree of a term");
    }
  }
  for_each_factor(m, [&](const NarxFactor& f) {
    const bool inside = f.signal >= 0 && f.signal < m.centre.size();
    check_that(inside && f.lag >= (f.signal < m.inputs() ? 0 : 1) && f.lag <= 100'000,
               "factor within signals and lags");
  });
}

NarxSimulator::NarxSimulator(const PolynomialNarx& m)
    : centre_(checked(m).centre),
      scale_(m.scale),
      nu_(m.inputs()),
      n_mv_(m.n_mv),
      lag_(m.output_lag()),
      lags_(Vector::Zero(lag_ * m.output_count())),
      run_(lags_),
      yhat_(Vector::Zero(m.output_count())),
      y_(yhat_) {
  const auto regressor = [&](const NarxFactor& f) {
    const auto same = std::ranges::find_if(
        regressors_, [&](const Regressor& r) { return r.signal == f.signal && r.lag == f.lag; });
    if (same != regressors_.end()) return static_cast<Index>(same - regressors_.begin());
    regressors_.push_back({f.signal, f.lag});
    return static_cast<Index>(regressors_.size()) - 1;
  };
  for (std::size_t j = 0; j < m.outputs.size(); ++j) {
    const NarxOutput& output = m.outputs[j];
    const Index cv = nu_ + static_cast<Index>(j);
    outputs_.push_back(
        {static_cast<Index>(products_.size()), static_cast<Index>(output.terms.size()),
         (output.low - centre_(cv)) / scale_(cv), (output.high - centre_(cv)) / scale_(cv)});
    for (const NarxTerm& term : output.terms) {
      products_.push_back({static_cast<Index>(factors_.size()),
                           static_cast<Index>(term.factors.size()), term.coefficient});
      for (const NarxFactor& f : term.factors) factors_.push_back(regressor(f));
    }
  }
  values_ = Vector::Zero(static_cast<Index>(regressors_.size()));
}

/// Regressors at a row: rows before `first` count as `first`, DVs after `last_dv` as `last_dv`.
void NarxSimulator::read(const Record& record, Index row, Index first, Index last_dv,
                         const Vector& lags) noexcept {
  const Index rows = record.u.rows(), ny = yhat_.size();
  for (std::size_t i = 0; i < regressors_.size(); ++i) {
    const Regressor& r = regressors_[i];
    double value = 0;
    if (r.signal < nu_) {
      Index at = std::max(row - r.lag, first);
      if (r.signal >= n_mv_) at = std::min(at, last_dv);
      value = (record.u.data()[r.signal * rows + at] - centre_[r.signal]) / scale_[r.signal];
    } else {
      value = lags[(r.lag - 1) * ny + r.signal - nu_];
    }
    values_[static_cast<Index>(i)] = value;
  }
}

Index NarxSimulator::predict() noexcept {
  Index held = 0;
  for (std::size_t j = 0; j < outputs_.size(); ++j) {
    const Output& output = outputs_[j];
    double sum = 0;
    for (Index p = output.first; p < output.first + output.count; ++p) {
      const Product& product = products_[static_cast<std::size_t>(p)];
      double value = product.coefficient;
      for (Index f = product.first; f < product.first + product.count; ++f)
        value *= values_[factors_[static_cast<std::size_t>(f)]];
      sum += value;
    }
    if (!(sum >= output.low && sum <= output.high)) {
      ++held;
      sum = sum > output.high ? output.high : output.low;
    }
    yhat_[static_cast<Index>(j)] = sum;
  }
  return held;
}

void NarxSimulator::push(Vector& lags, const Vector& newest) noexcept {
  const Index ny = newest.size();
  double* data = lags.data();
  std::copy_backward(data, data + lags.size() - ny, data + lags.size());
  std::copy_n(newest.data(), ny, data);
}

/// After predict: the y of the row, or ŷ where it is missing, becomes lag 1.
void NarxSimulator::take(const Record& record, Index row) noexcept {
  const Index rows = record.y.rows();
  for (Index j = 0; j < y_.size(); ++j) {
    const double y = record.y.data()[j * rows + row];
    y_[j] = std::isfinite(y) ? (y - centre_[nu_ + j]) / scale_[nu_ + j] : yhat_[j];
  }
  push(lags_, y_);
}

void NarxSimulator::start(const Record& record, Index t, Index history) noexcept {
  const Index first = t - history, rows = record.y.rows();
  for (Index j = 0; j < y_.size(); ++j) {
    const double* y = record.y.data() + j * rows;
    Index row = first;
    while (row < t && !std::isfinite(y[row])) ++row;
    y_[j] = row < t ? (y[row] - centre_[nu_ + j]) / scale_[nu_ + j] : 0.0;
  }
  for (Index l = 0; l < lag_; ++l) push(lags_, y_);
  for (Index row = first; row < t; ++row) {
    read(record, row, first, kNoLimit, lags_);
    predict();
    take(record, row);
  }
}

Index NarxSimulator::rollout(const Record& record, Index t, Index history, Index steps,
                             Future future, Eigen::Ref<Matrix> out) noexcept {
  const Index first = t - history;
  const Index last_dv = future == Future::held ? std::max(t - 1, first) : kNoLimit;
  std::copy_n(lags_.data(), lags_.size(), run_.data());
  Index held = 0;
  for (Index k = 0; k < steps; ++k) {
    read(record, t + k, first, last_dv, run_);
    held += predict();
    for (Index j = 0; j < yhat_.size(); ++j)
      out(k, j) = centre_[nu_ + j] + scale_[nu_ + j] * yhat_[j];
    push(run_, yhat_);
  }
  return held;
}

void NarxSimulator::one_step(const Record& record, Index t, Index history, Index steps,
                             Eigen::Ref<Matrix> out) noexcept {
  for (Index k = 0; k < steps; ++k) {
    read(record, t + k, t - history, kNoLimit, lags_);
    predict();
    for (Index j = 0; j < yhat_.size(); ++j)
      out(k, j) = centre_[nu_ + j] + scale_[nu_ + j] * yhat_[j];
    take(record, t + k);
  }
}

}  // namespace flyball::model
