#include "identify/refine_score.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "identify/hot_loops.h"

namespace flyball::identify {
namespace {

constexpr double kExact = 1e-12;  ///< noise-free data: smaller errors are equal

/// Answers of the CVs to an innovation at time 0: I, C K, C A K, …
std::vector<Matrix> innovation_answers(const model::LinearStateSpace& m, Index steps) {
  std::vector<Matrix> out;
  Matrix state = m.K;
  for (Index k = 0; k < steps; ++k) {
    if (k == 0) {
      out.push_back(Matrix::Identity(m.outputs(), m.outputs()));
      continue;
    }
    out.push_back(m.C * state);
    state = m.A * state;
  }
  return out;
}

Index start_of(const Regression& r, Index t) {
  const auto s = std::ranges::find_if(
      r.stretches, [&](const Stretch& at) { return at.first <= t && t < at.end; });
  return s->first;
}

bool coupled(const std::vector<Matrix>& answers, Index to, Index from) {
  return std::ranges::any_of(answers, [&](const Matrix& a) { return a(to, from) != 0; });
}

/// Windows of one CV whose errors come from several innovations.
double coupled_error_sum(const Matrix& e, const std::vector<Matrix>& answers, Index cv,
                         double* one_step) {
  const auto horizon = static_cast<Index>(answers.size());
  const Index starts = e.rows() - horizon + 1;
  if (starts <= 0) return 0;
  Vector d = Vector::Zero(e.rows());
  double sum = 0;
  for (Index k = 0; k < horizon; ++k) {
    for (Index l = 0; l < e.cols(); ++l) {
      const double h = answers[static_cast<std::size_t>(k)](cv, l);
      if (h != 0) add_scaled(d.data() + k, e.col(l).data(), h, e.rows() - k);
    }
    const double part = d.segment(k, starts).squaredNorm();
    sum += part;
    if (k == 0) *one_step += part;
  }
  return sum;
}

/// ½ ln(mean square), of both errors or of the F steps alone.
double log_loss(const FoldErrors& f, const Judged& judged) {
  const auto of = [](double sum, double n) { return std::log(std::max(sum / n, kExact)) / 2; };
  const double rollout = of(f.rollout, f.windows * static_cast<double>(judged.horizon));
  if (!judged.free_run || !(f.free_rows > 0)) return rollout;
  return (rollout + of(f.free, f.free_rows)) / 2;
}

}  // namespace

double rollout_score(const std::vector<FoldErrors>& folds, Index horizon) {
  double sum = 0, windows = 0;
  for (const FoldErrors& f : folds) {
    sum += f.rollout;
    windows += f.windows;
  }
  return windows > 0 ? std::sqrt(sum / (windows * static_cast<double>(horizon)))
                     : std::numeric_limits<double>::quiet_NaN();
}

double one_step_score(const std::vector<FoldErrors>& folds) {
  double sum = 0, windows = 0;
  for (const FoldErrors& f : folds) {
    sum += f.one_step;
    windows += f.windows;
  }
  return windows > 0 ? std::sqrt(sum / windows) : std::numeric_limits<double>::quiet_NaN();
}

double free_run_score(const std::vector<FoldErrors>& folds) {
  double sum = 0, rows = 0;
  for (const FoldErrors& f : folds) {
    sum += f.free;
    rows += f.free_rows;
  }
  return rows > 0 ? std::sqrt(sum / rows) : std::numeric_limits<double>::quiet_NaN();
}

double combined_loss(const std::vector<FoldErrors>& folds, const Judged& judged) {
  double sum = 0, n = 0;
  for (const FoldErrors& f : folds) {
    if (!(f.windows > 0)) continue;
    sum += log_loss(f, judged);
    n += 1;
  }
  return n > 0 ? std::exp(sum / n) : std::numeric_limits<double>::quiet_NaN();
}

double difference_in_errors(const std::vector<FoldErrors>& a, const std::vector<FoldErrors>& b,
                            const Judged& judged) {
  double sum = 0, squares = 0, n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i].windows > 0)) continue;
    const double d = log_loss(b[i], judged) - log_loss(a[i], judged);
    sum += d;
    squares += d * d;
    n += 1;
  }
  if (n < 2 || sum == 0) return 0;
  const double mean = sum / n;
  const double variance = std::max(0.0, squares / n - mean * mean) * n / (n - 1);
  return mean / std::sqrt(variance / n);
}

FoldScorer::FoldScorer(const TrainingData& data, std::vector<Index> cvs, Index history,
                       Index horizon)
    : record_{data.x.leftCols(data.nu()), Matrix(data.x.rows(), static_cast<Index>(cvs.size()))},
      std_(static_cast<Index>(cvs.size())),
      history_(history),
      horizon_(horizon) {
  const auto in_units = [&](Index column) {
    return (data.x.col(column).array() * data.std(column) + data.mean(column)).matrix();
  };
  for (Index m = 0; m < data.nu(); ++m) record_.u.col(m) = in_units(m);
  for (std::size_t j = 0; j < cvs.size(); ++j) {
    record_.y.col(static_cast<Index>(j)) = in_units(data.nu() + cvs[j]);
    std_(static_cast<Index>(j)) = data.std(data.nu() + cvs[j]);
  }
}

std::vector<FoldErrors> FoldScorer::errors(const model::LinearStateSpace& m, const Regression& r,
                                           Index max_lag, const std::vector<Interval>& fold) const {
  std::vector<FoldErrors> sums(static_cast<std::size_t>(std_.size()));
  std::vector<Matrix> answers = innovation_answers(m, horizon_);
  for (Matrix& a : answers) a = std_.cwiseInverse().asDiagonal() * a * std_.asDiagonal();
  model::Simulator simulator(m);
  for (const Interval& interval : fold) {
    for_each_run(r, interval, max_lag, [&](Index t0, Index t1) {
      const Index history = std::clamp<Index>(history_, 1, t0 - start_of(r, t0));
      Matrix e(t1 - t0, std_.size());
      simulator.start(record_, t0, history);
      simulator.rollout(record_, t0, history, e.rows(), model::Future::measured, e);
      e = (record_.y.middleRows(t0, e.rows()) - e) * std_.cwiseInverse().asDiagonal();
      add_free(r, t0, e, sums);
      simulator.one_step(record_, t0, history, e.rows(), e);
      e = (record_.y.middleRows(t0, e.rows()) - e) * std_.cwiseInverse().asDiagonal();
      const auto observed = [&](Index t) {
        return r.target[static_cast<std::size_t>(t0 + t)] != 0;
      };
      for (Index t = 0; t < e.rows();) {
        const Index first = t;
        while (t < e.rows() && observed(t)) ++t;
        add_run(e, answers, first, t - first, sums);
        while (t < e.rows() && !observed(t)) ++t;
      }
    });
  }
  return sums;
}

void FoldScorer::add_free(const Regression& r, Index t0, const Matrix& e,
                          std::vector<FoldErrors>& sums) const {
  for (Index t = 0; t < e.rows(); ++t) {
    if (r.target[static_cast<std::size_t>(t0 + t)] == 0) continue;
    for (Index j = 0; j < std_.size(); ++j) {
      sums[static_cast<std::size_t>(j)].free += e(t, j) * e(t, j);
      sums[static_cast<std::size_t>(j)].free_rows += 1;
    }
  }
}

void FoldScorer::add_run(const Matrix& e, const std::vector<Matrix>& answers, Index first,
                         Index rows, std::vector<FoldErrors>& sums) const {
  if (rows < horizon_) return;
  for (Index j = 0; j < std_.size(); ++j) {
    FoldErrors& s = sums[static_cast<std::size_t>(j)];
    bool alone = true;
    for (Index l = 0; l < std_.size() && alone; ++l) alone = l == j || !coupled(answers, j, l);
    if (alone) {
      Vector h(horizon_);
      for (Index k = 0; k < horizon_; ++k) h(k) = answers[static_cast<std::size_t>(k)](j, j);
      s.rollout += rollout_error_sum(e.col(j).data() + first, rows, h, &s.one_step);
    } else {
      s.rollout += coupled_error_sum(e.middleRows(first, rows), answers, j, &s.one_step);
    }
    s.windows += static_cast<double>(rows - horizon_ + 1);
  }
}

TrainingData scale_of(const TrainingData& data, Index cv) {
  TrainingData one;
  one.inputs = data.inputs;
  one.outputs = {data.outputs[static_cast<std::size_t>(cv)]};
  one.n_mv = data.n_mv;
  const auto keep = [&](const Vector& v) {
    Vector out(data.nu() + 1);
    out << v.head(data.nu()), v(data.nu() + cv);
    return out;
  };
  one.mean = keep(data.mean);
  one.std = keep(data.std);
  one.low = keep(data.low);
  one.high = keep(data.high);
  one.levels_differ = {data.has_run_levels(cv)};
  one.run_tracking = data.run_tracking;
  return one;
}

}  // namespace flyball::identify
