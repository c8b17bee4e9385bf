#include "identify/innovations.h"

#include <algorithm>
#include <cmath>

namespace flyball::identify {
namespace {

constexpr double kNoInnovation = 1e-12;  ///< (1e-6·std)²: nothing but rounding

}  // namespace

std::vector<Term> past_inputs(const std::vector<bool>& used, Index lags) {
  std::vector<Term> terms;
  for (std::size_t m = 0; m < used.size(); ++m) {
    for (Index k = 1; used[m] && k <= lags; ++k) terms.push_back({static_cast<Index>(m), k});
  }
  return terms;
}

void Innovations::measured_only() {
  x_ = data_.x;
  std::vector<Index> columns;
  for (Index c = 0; c < x_.cols(); ++c) {
    if (c < data_.nu() && !used_[static_cast<std::size_t>(c)]) {
      x_.col(c).setZero();
      continue;
    }
    columns.push_back(c);
    for (Index t = 0; c >= data_.nu() && t < x_.rows(); ++t) {
      if (data_.observed(t, c - data_.nu()) == 0) x_(t, c) = std::nan("");
    }
  }
  stretches_ = usable(x_, columns, data_.blocks);
}

std::vector<Term> Innovations::cv_terms(Index order, Index first_input_lag) const {
  std::vector<Term> terms;
  for (Index c = 0; c < x_.cols(); ++c) {
    const bool input = c < data_.nu();
    if (input && !used_[static_cast<std::size_t>(c)]) continue;
    for (Index k = input ? first_input_lag : 1; k <= order; ++k) terms.push_back({c, k});
  }
  return terms;
}

Vector Innovations::residual(const std::vector<Term>& terms, Index target) const {
  const Vector theta = solve(normal_, terms, {target, 0}, kFeedbackSolve).theta;
  Vector e = Vector::Constant(x_.rows(), std::nan(""));
  double offset = normal_.mean(normal_.index(target, 0));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    offset -=
        theta(static_cast<Index>(i)) * normal_.mean(normal_.index(terms[i].signal, terms[i].lag));
  }
  for (const Stretch& s : stretches_) {
    const Index first = s.first + lags_, rows = s.end - first;
    if (rows < 1) continue;
    e.segment(first, rows) = x_.col(target).segment(first, rows).array() - offset;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      e.segment(first, rows) -= theta(static_cast<Index>(i)) *
                                x_.col(terms[i].signal).segment(first - terms[i].lag, rows);
    }
  }
  return e;
}

template <class TermsOf>
Vector Innovations::best(const TermsOf& terms_of, Index target) const {
  const double all = normal_.c(normal_.index(target, 0), normal_.index(target, 0));
  double least = 0;
  Index chosen = 0;
  for (Index order = 1; order <= lags_; ++order) {
    const auto terms = terms_of(order);
    const double rss = solve(normal_, terms, {target, 0}, kFeedbackSolve).rss;
    if (!(rss > kNoInnovation * all)) return {};
    const double criterion =
        static_cast<double>(rows()) * std::log(rss) + 2 * static_cast<double>(terms.size());
    if (chosen > 0 && !(criterion < least)) continue;
    least = criterion;
    chosen = order;
  }
  return residual(terms_of(chosen), target);
}

Innovations::Innovations(const TrainingData& data, const std::vector<bool>& used)
    : data_(data), used_(used) {
  measured_only();
  const auto inputs = std::ranges::count(used, true);
  const Index columns = inputs + data.ny();
  Index rows = 0;
  for (const Stretch& s : stretches_) rows += s.end - s.first;
  lags_ = std::min(kPastLags, rows / (10 * std::max<Index>(columns, 1)));
  if (lags_ < 1) return;
  math::LagGram gram(x_.cols(), lags_);
  for (const Stretch& s : stretches_) gram.add(x_, s.first + lags_, s.end);
  if (gram.rows() < 2 * lags_ * columns) {
    lags_ = 0;
    return;
  }
  normal_ = {gram.centred(), gram.sums() / static_cast<double>(gram.rows()), gram.rows(), lags_};
  for (Index j = 0; j < data.ny(); ++j) {
    e_y_.push_back(best([&](Index order) { return cv_terms(order, 0); }, data.nu() + j));
  }
}

Vector Innovations::of_mv(Index m) const {
  return best([&](Index order) { return past_inputs(used_, order); }, m);
}

Vector Innovations::of_cv_before(Index j) const {
  return best([&](Index order) { return cv_terms(order, 1); }, data_.nu() + j);
}

}  // namespace flyball::identify
