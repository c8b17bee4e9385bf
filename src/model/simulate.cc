#include "model/simulate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "math/linear_algebra.h"

namespace flyball::model {
namespace {

const LinearStateSpace& checked(const LinearStateSpace& m) {
  check(m);
  return m;
}

Matrix steady_map(const LinearStateSpace& m) {
  const Matrix identity = Matrix::Identity(m.states(), m.states());
  auto inverse = math::solve(identity - m.A + m.K * m.C, identity);
  if (!inverse) throw Error("MODEL_PREDICTOR");
  return *std::move(inverse);
}

constexpr Index kNoLimit = std::numeric_limits<Index>::max();

}  // namespace

Simulator::Simulator(const LinearStateSpace& m)
    : start_fit_(checked(m)),
      a_(m.A),
      b_(m.B),
      c_(m.C),
      d_(m.D),
      k_(m.K),
      to_steady_(steady_map(m)),
      channels_(m.channels),
      n_mv_(m.n_mv),
      f_(m.f),
      g_(m.g),
      u0_(m.u0),
      x_(Vector::Zero(m.states())),
      run_(x_),
      next_(x_),
      in_(Vector::Zero(m.B.cols())),
      e_(Vector::Zero(m.outputs())),
      yhat_(e_),
      observed_(static_cast<std::size_t>(m.outputs())) {}

/// Channel inputs of a row: rows before `first` count as `first`, DVs after `last_dv` as `last_dv`.
void Simulator::read_inputs(const Record& record, Index row, Index first, Index last_dv) noexcept {
  const Index rows = record.u.rows();
  const double* u = record.u.data();
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const Channel& channel = channels_[c];
    Index at = std::max(row - channel.delay, first);
    if (channel.input >= n_mv_) at = std::min(at, last_dv);
    in_[static_cast<Index>(c)] = u[channel.input * rows + at] - u0_[channel.input];
  }
}

void Simulator::predict(const double* x) noexcept {
  std::copy_n(g_.data(), g_.size(), yhat_.data());
  c_.add_product(x, yhat_.data());
  d_.add_product(in_.data(), yhat_.data());
}

void Simulator::advance(const double* x, double* next) noexcept {
  std::copy_n(f_.data(), f_.size(), next);
  a_.add_product(x, next);
  b_.add_product(in_.data(), next);
}

void Simulator::correct(const Record& record, Index row, double* next) noexcept {
  const Index rows = record.y.rows();
  for (Index j = 0; j < e_.size(); ++j) {
    const double y = record.y.data()[j * rows + row];
    observed_[static_cast<std::size_t>(j)] = std::isfinite(y) ? 1 : 0;
    e_[j] = std::isfinite(y) ? y - yhat_[j] : 0.0;
  }
  k_.add_product(e_.data(), next);
}

void Simulator::start(const Record& record, Index t, Index history) noexcept {
  const Index first = t - history;
  const Index rows = record.y.rows();
  read_inputs(record, first, first, kNoLimit);
  // yhat_ holds g + D ũ, so that y − yhat_ is what the states must explain.
  std::copy_n(g_.data(), g_.size(), yhat_.data());
  d_.add_product(in_.data(), yhat_.data());
  bool complete = true;
  for (Index j = 0; j < e_.size(); ++j) {
    const double* y = record.y.data() + j * rows;
    for (Index row = first; row < t; ++row) complete = complete && std::isfinite(y[row]);
    Index row = first;
    while (row < t && !std::isfinite(y[row])) ++row;
    e_[j] = row < t ? y[row] - yhat_[j] : g_[j] - yhat_[j];
  }
  std::copy_n(f_.data(), f_.size(), next_.data());
  b_.add_product(in_.data(), next_.data());
  k_.add_product(e_.data(), next_.data());
  std::fill_n(x_.data(), x_.size(), 0.0);
  to_steady_.add_product(next_.data(), x_.data());
  start_fit_.begin(history, complete);
  for (Index row = first; row < t; ++row) {
    read_inputs(record, row, first, kNoLimit);
    predict(x_.data());
    advance(x_.data(), next_.data());
    correct(record, row, next_.data());
    start_fit_.add(e_.data(), observed_.data());
    x_.swap(next_);
  }
  start_fit_.finish(x_.data());
}

void Simulator::rollout(const Record& record, Index t, Index history, Index steps, Future future,
                        Eigen::Ref<Matrix> out) noexcept {
  const Index first = t - history;
  const Index last_dv = future == Future::held ? std::max(t - 1, first) : kNoLimit;
  std::copy_n(x_.data(), x_.size(), run_.data());
  for (Index k = 0; k < steps; ++k) {
    read_inputs(record, t + k, first, last_dv);
    predict(run_.data());
    for (Index j = 0; j < yhat_.size(); ++j) out(k, j) = yhat_[j];
    advance(run_.data(), next_.data());
    run_.swap(next_);
  }
}

void Simulator::one_step(const Record& record, Index t, Index history, Index steps,
                         Eigen::Ref<Matrix> out) noexcept {
  for (Index k = 0; k < steps; ++k) {
    read_inputs(record, t + k, t - history, kNoLimit);
    predict(x_.data());
    for (Index j = 0; j < yhat_.size(); ++j) out(k, j) = yhat_[j];
    advance(x_.data(), next_.data());
    correct(record, t + k, next_.data());
    x_.swap(next_);
  }
}

}  // namespace flyball::model
