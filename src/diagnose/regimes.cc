#include "diagnose/regimes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "diagnose/held.h"
#include "identify/regression.h"
#include "math/distributions.h"
#include "math/linear_algebra.h"
#include "math/statistics.h"

namespace flyball::diagnose {
namespace {

using identify::TrainingData;

constexpr Index kOutputLags = 20, kInputLags = 10, kRowsMost = 20'000, kRowsPerParameter = 10;
constexpr std::array kLevels{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
constexpr double kSideLeast = 0.1;  ///< of the rows
constexpr double kExact = 1e-10;    ///< error variance below it is rounding
constexpr double kTold = 1e-4;      ///< of a column's power that φ must leave
constexpr double kRidge = 1e-10;
constexpr double kGainChange = 0.25, kBiasShare = 0.5;

struct Input {
  Index column = 0, first_lag = 0;
};

/// θ of Φ θ ≈ y with columns scaled; inverse of ΦᵀΦ.
struct Fit {
  Vector theta;
  Matrix inverse;
  double rss = 0;
};

std::optional<Fit> fit(const Matrix& x, const Vector& y) {
  const Vector scale = x.colwise().norm().cwiseMax(1e-300).cwiseInverse();
  Matrix normal = Matrix::Zero(x.cols(), x.cols());
  normal.selfadjointView<Eigen::Lower>().rankUpdate((x * scale.asDiagonal()).transpose());
  normal.triangularView<Eigen::StrictlyUpper>() = normal.transpose();
  normal.diagonal().array() += kRidge;
  const auto factor = math::Cholesky::of(normal);
  if (!factor) return std::nullopt;
  Fit out;
  Vector rest = y;
  out.theta = Vector::Zero(x.cols());
  for (int i = 0; i < 2; ++i) {  // the second pass takes the ridge's bias away
    const Vector more = scale.cwiseProduct(factor->solve(scale.cwiseProduct(x.transpose() * rest)));
    out.theta += more;
    rest -= x * more;
  }
  out.inverse = scale.asDiagonal() * factor->inverse() * scale.asDiagonal();
  out.rss = rest.squaredNorm();
  return out;
}

/// The regression of one CV: rows, centred regressors, what each input contributes.
class OneCv {
 public:
  OneCv(const TrainingData& data, Index cv, const identify::CvFinding& found,
        const identify::Findings& findings)
      : data_(data), cv_(cv), differenced_(found.differenced || found.integrating) {
    std::vector<bool> used;
    for (const identify::Excitation& e : findings.excitation) used.push_back(!e.constant);
    std::vector<bool> active(used.size(), false);
    lag_.assign(used.size(), 1);
    for (std::size_t m = 0; m < used.size(); ++m) {
      const auto& d =
          findings
              .dead_times[m * static_cast<std::size_t>(data.ny()) + static_cast<std::size_t>(cv)];
      if (!used[m] || !d.active) continue;
      lag_[m] = std::max<Index>(d.steps, 0);
      inputs_.push_back({static_cast<Index>(m), lag_[m]});
    }
    r_ = identify::make_regression(data, cv, used, found.integrating, found.differenced);
    choose_rows();
    if (enough()) fill();
  }

  [[nodiscard]] bool enough() const {
    return std::ssize(rows_) >= kRowsPerParameter * parameters();
  }

  [[nodiscard]] bool exact() const {
    return !pooled_ || pooled_->rss <= kExact * static_cast<double>(rows_.size());
  }

  /// Normalised values of the splitting signal at the rows; column nu + cv: the CV one step ago.
  [[nodiscard]] Vector splitting(Index column) const {
    const Index lag = column < data_.nu() ? lag_[static_cast<std::size_t>(column)] : 1;
    Vector s(std::ssize(rows_));
    for (Index i = 0; i < s.size(); ++i) s(i) = data_.x(rows_[std::size_t(i)] - lag, column);
    return s;
  }

  [[nodiscard]] bool differenced() const { return differenced_; }

  RegimeTest test(Index column, double tests) const {
    const Vector s = splitting(column);
    RegimeTest out;
    out.cv = data_.name(data_.nu() + cv_);
    out.by = data_.name(column);
    double best = 0, level = 0;
    int used = 0;
    std::vector<double> levels;
    for (const double share : kLevels) {
      levels.push_back(math::quantile({s.data(), static_cast<std::size_t>(s.size())}, share));
    }
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const double at : levels) {
      const Matrix z = added(s, at, column);
      if (z.cols() == 0) continue;
      ++used;
      const double f = f_of(z), n = static_cast<double>(z.rows());
      const auto columns = static_cast<double>(z.cols());
      // Likelihood gained, less what as many columns are worth (Schwarz): their numbers differ.
      const double gained =
          n * std::log1p(f * columns / rows_left(z.cols())) - columns * std::log(n);
      if (used > 1 && !(gained > best)) continue;
      best = gained;
      level = at;
    }
    if (used == 0) return {};
    describe(s, level, column, tests * static_cast<double>(kLevels.size()), out);
    return out;
  }

 private:
  [[nodiscard]] Index parameters() const {
    return kOutputLags + kInputLags * std::ssize(inputs_) + 1;
  }

  void choose_rows() {
    Index lag = kOutputLags;
    for (const Index l : lag_) lag = std::max(lag, l + kInputLags);
    std::vector<Index> all;
    for (const identify::Stretch& stretch : r_.stretches) {
      for (Index t = stretch.first + lag; t < stretch.end; ++t) {
        if (r_.target[static_cast<std::size_t>(t)] != 0 && known(t)) all.push_back(t);
      }
    }
    const Index stride = (std::ssize(all) + kRowsMost - 1) / kRowsMost;
    for (Index i = 0; i < std::ssize(all); i += std::max<Index>(stride, 1))
      rows_.push_back(all[static_cast<std::size_t>(i)]);
  }

  /// Every splitting signal has a value.
  [[nodiscard]] bool known(Index t) const {
    for (Index m = 0; m < data_.nu(); ++m) {
      if (!std::isfinite(data_.x(t - lag_[static_cast<std::size_t>(m)], m))) return false;
    }
    return std::isfinite(data_.x(t - 1, data_.nu() + cv_));
  }

  void fill() {
    const Index n = std::ssize(rows_);
    phi_.resize(n, parameters() - 1);
    y_.resize(n);
    for (Index i = 0; i < n; ++i) {
      const Index t = rows_[static_cast<std::size_t>(i)];
      y_(i) = r_.x(t, r_.nu);
      Index at = 0;
      for (const Input& in : inputs_) {
        for (Index k = 0; k < kInputLags; ++k)
          phi_(i, at++) = r_.x(t - in.first_lag - k, in.column);
      }
      for (Index k = 1; k <= kOutputLags; ++k) phi_(i, at++) = r_.x(t - k, r_.nu);
    }
    const Matrix raw = phi_;
    phi_.rowwise() -= phi_.colwise().mean();
    y_.array() -= y_.mean();
    pooled_ = fit(phi_, y_);
    if (!pooled_) return;
    residual_ = y_ - phi_ * pooled_->theta;
    contribution_.resize(n, std::ssize(inputs_));
    for (Index m = 0; m < contribution_.cols(); ++m) {
      contribution_.col(m) = raw.middleCols(m * kInputLags, kInputLags) *
                             pooled_->theta.segment(m * kInputLags, kInputLags);
    }
  }

  /// I, then I·cₘ, centred, without those that φ or an earlier one determines; empty when a side
  /// has too few rows. In differences without I: a level of the error means nothing there.
  [[nodiscard]] Matrix added(const Vector& s, double level, Index column,
                             std::vector<Index>* which = nullptr) const {
    const Index n = s.size();
    const Vector above = (s.array() > level).cast<double>();
    const double share = above.sum() / static_cast<double>(n);
    if (share < kSideLeast || share > 1 - kSideLeast) return {};
    std::vector<Vector> kept, left;
    const auto take = [&](Vector z, Index m) {
      z.array() -= z.mean();
      const double power = z.squaredNorm();
      Vector rest = without_phi(z);
      for (const Vector& earlier : left)
        rest -= earlier * (earlier.dot(rest) / earlier.squaredNorm());
      if (!(rest.squaredNorm() > kTold * power) || power == 0) return;
      kept.push_back(std::move(z));
      left.push_back(std::move(rest));
      if (which != nullptr) which->push_back(m);
    };
    const auto own = answering(column);
    for (Index k = 0; own && k < kInputLags; ++k) take(bent(*own, level, k), *own);
    if (!differenced_) take(above, -1);
    for (Index m = 0; m < contribution_.cols(); ++m) {
      if (m != own) take(above.cwiseProduct(contribution_.col(m)), m);
    }
    Matrix out(n, std::ssize(kept));
    for (Index k = 0; k < out.cols(); ++k) out.col(k) = kept[static_cast<std::size_t>(k)];
    return out;
  }

  /// Position of a column among the inputs that the CV answers.
  [[nodiscard]] std::optional<Index> answering(Index column) const {
    const auto at = std::ranges::find(inputs_, column, &Input::column);
    return at == inputs_.end() ? std::nullopt : std::optional<Index>(at - inputs_.begin());
  }

  /// max(uₘ − level, 0) at lag k of input m: what an effect that bends at the level adds.
  [[nodiscard]] Vector bent(Index m, double level, Index k) const {
    const Input& in = inputs_[static_cast<std::size_t>(m)];
    Vector out(std::ssize(rows_));
    for (Index i = 0; i < out.size(); ++i) {
      const Index t = rows_[static_cast<std::size_t>(i)] - in.first_lag - k;
      out(i) = std::max(data_.x(t, in.column) - level, 0.0);
    }
    if (!differenced_) return out;
    for (Index i = 0; i < out.size(); ++i) {
      const Index t = rows_[static_cast<std::size_t>(i)] - in.first_lag - k - 1;
      out(i) -= std::max(data_.x(t, in.column) - level, 0.0);
    }
    return out;
  }

  [[nodiscard]] Vector without_phi(Vector z) const {
    for (int i = 0; i < 2; ++i) z -= phi_ * (pooled_->inverse * (phi_.transpose() * z));
    return z;
  }

  [[nodiscard]] double rows_left(Index added) const {
    return static_cast<double>(y_.size() - phi_.cols() - 1 - added);
  }

  /// F of the added columns, by the part of the residual that they explain.
  [[nodiscard]] double f_of(const Matrix& z) const {
    Matrix rest(z.rows(), z.cols());
    for (Index k = 0; k < z.cols(); ++k) rest.col(k) = without_phi(z.col(k));
    const auto more = fit(rest, residual_);
    if (!more) return 0;
    return (pooled_->rss - more->rss) / static_cast<double>(z.cols()) /
           (more->rss / rows_left(z.cols()));
  }

  void describe(const Vector& s, double level, Index column, double tests, RegimeTest& out) const {
    std::vector<Index> which;
    const Matrix z = added(s, level, column, &which);
    const Index p = phi_.cols();
    Matrix both(z.rows(), p + z.cols());
    both << phi_, z;
    const auto joint = fit(both, y_);
    if (!joint) return;
    const double f = f_of(z);
    out.p_value = std::min(
        1.0, tests * math::f_survival(f, static_cast<double>(z.cols()), rows_left(z.cols())));
    out.detected = out.p_value < kRegimeLevel;
    const double unit = data_.std(column), centre = data_.mean(column);
    out.level = centre + unit * level;
    const Vector error = y_ - both * joint->theta;
    out.below = side(
        s, error, [&](double v) { return v <= level; }, column);
    out.above = side(
        s, error, [&](double v) { return v > level; }, column);
    const double variance = joint->rss / rows_left(z.cols());
    const auto own = answering(column);
    if (own) add_bent_gain(*joint, variance, *own, p, std::ranges::count(which, *own), out);
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (which[k] >= 0 && which[k] != own)
        add_gain(*joint, variance, which[k], p + static_cast<Index>(k), out);
    }
    out.p_spread = std::min(1.0, tests * spread_p(s, level, error));
    out.spread_detected = out.p_spread < kRegimeLevel;
    judge(*joint, out);
  }

  /// 1 + γ B₀(1)/B(1): B₀ of the pooled fit, B below the level.
  void add_gain(const Fit& joint, double variance, Index m, Index at, RegimeTest& out) const {
    const double b0 = pooled_->theta.segment(m * kInputLags, kInputLags).sum();
    const double b = joint.theta.segment(m * kInputLags, kInputLags).sum();
    const double gamma = joint.theta(at);
    Vector slope = Vector::Zero(joint.theta.size());
    slope(at) = b0 / b;
    slope.segment(m * kInputLags, kInputLags).setConstant(-gamma * b0 / (b * b));
    const double ratio = 1 + gamma * b0 / b;
    const double error = std::sqrt(std::max(0.0, variance * slope.dot(joint.inverse * slope)));
    if (std::isfinite(ratio) && std::isfinite(error))
      out.gains.push_back({data_.name(inputs_[static_cast<std::size_t>(m)].column), ratio, error});
  }

  /// 1 + Σγ/B(1): the bend's lags, `count` from `first` on, over those below the level.
  void add_bent_gain(const Fit& joint, double variance, Index m, Index first, Index count,
                     RegimeTest& out) const {
    if (count == 0) return;
    const double b = joint.theta.segment(m * kInputLags, kInputLags).sum();
    const double more = joint.theta.segment(first, count).sum();
    Vector slope = Vector::Zero(joint.theta.size());
    slope.segment(first, count).setConstant(1 / b);
    slope.segment(m * kInputLags, kInputLags).setConstant(-more / (b * b));
    const double ratio = 1 + more / b;
    const double error = std::sqrt(std::max(0.0, variance * slope.dot(joint.inverse * slope)));
    if (std::isfinite(ratio) && std::isfinite(error))
      out.gains.push_back({data_.name(inputs_[static_cast<std::size_t>(m)].column), ratio, error});
  }

  template <class In>
  Regime side(const Vector& s, const Vector& error, In&& in, Index column) const {
    Regime out;
    const double sigma = data_.std(data_.nu() + cv_);
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0, squares = 0, own = 0;
    for (Index i = 0; i < s.size(); ++i) {
      if (!in(s(i))) continue;
      low = std::min(low, s(i));
      high = std::max(high, s(i));
      ++out.rows;
      sum += residual_(i);
      squares += residual_(i) * residual_(i);
      own += error(i) * error(i);
    }
    const auto n = static_cast<double>(std::max<std::int64_t>(out.rows, 1));
    out.from = data_.mean(column) + data_.std(column) * low;
    out.to = data_.mean(column) + data_.std(column) * high;
    out.bias = sigma * sum / n;
    out.bias_std_error = sigma * std::sqrt(squares) / n;
    out.spread = sigma * std::sqrt(own / n);
    return out;
  }

  /// Brown and Forsythe: |e − median of the side|, equal means.
  static double spread_p(const Vector& s, double level, const Vector& error) {
    std::array<std::vector<double>, 2> sides;
    for (Index i = 0; i < s.size(); ++i) sides[s(i) > level ? 1 : 0].push_back(error(i));
    double n[2], mean[2], squares = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const double middle = math::median(sides[k]);
      for (double& v : sides[k]) v = std::abs(v - middle);
      n[k] = static_cast<double>(sides[k].size());
      mean[k] = math::mean(sides[k]);
      for (const double v : sides[k]) squares += (v - mean[k]) * (v - mean[k]);
    }
    const double between = n[0] * n[1] / (n[0] + n[1]) * (mean[0] - mean[1]) * (mean[0] - mean[1]);
    return math::f_survival(between / (squares / (n[0] + n[1] - 2)), 1, n[0] + n[1] - 2);
  }

  /// Whether it matters, and on which side the one model is nearest.
  void judge(const Fit& joint, RegimeTest& out) const {
    if (!out.detected) return;
    const GainChange* most = nullptr;
    for (const GainChange& g : out.gains) {
      const double change = std::abs(g.ratio - 1);
      // Either side may be the larger one.
      const double relative = std::max(change, change / std::max(std::abs(g.ratio), 1e-9));
      if (relative < kGainChange || change < 2 * g.std_error) continue;
      if (most == nullptr || change / g.std_error > std::abs(most->ratio - 1) / most->std_error)
        most = &g;
    }
    const auto biased = [](const Regime& r) { return std::abs(r.bias) > kBiasShare * r.spread; };
    out.material = most != nullptr || biased(out.below) || biased(out.above);
    if (!out.material) return;
    bool use_above = std::abs(out.above.bias) < std::abs(out.below.bias);
    if (most != nullptr) {
      const Index m =
          std::ranges::find_if(
              inputs_, [&](const Input& in) { return data_.name(in.column) == most->input; }) -
          inputs_.begin();
      const auto steady = [&](const Vector& theta) {
        return theta.segment(m * kInputLags, kInputLags).sum() /
               (1 - theta.segment(phi_.cols() - kOutputLags, kOutputLags).sum());
      };
      const double model = steady(pooled_->theta) / steady(joint.theta);  // over the gain below
      use_above = std::abs(model - most->ratio) / std::max(std::abs(most->ratio), 1e-9) <
                  std::abs(model - 1);
      std::swap(out.gains[static_cast<std::size_t>(most - out.gains.data())], out.gains.front());
    }
    out.valid_from = use_above ? out.above.from : out.below.from;
    out.valid_to = use_above ? out.above.to : out.below.to;
  }

  const TrainingData& data_;
  Index cv_;
  bool differenced_;
  std::vector<Index> lag_;
  std::vector<Input> inputs_;
  identify::Regression r_;
  std::vector<Index> rows_;
  Matrix phi_, contribution_;
  Vector y_, residual_;
  std::optional<Fit> pooled_;
};

}  // namespace

std::vector<RegimeTest> regimes_of(const dataset::Dataset& dataset,
                                   const identify::IdentifyResult& found) {
  const TrainingData data = identify::training_data(dataset);
  const double tests = static_cast<double>(data.ny() * (data.nu() + 1));
  std::vector<RegimeTest> out;
  for (Index j = 0; j < data.ny(); ++j) {
    if (held_cv(data, j)) continue;
    const OneCv cv(data, j, found.findings.cvs[static_cast<std::size_t>(j)], found.findings);
    if (!cv.enough() || cv.exact()) continue;
    for (Index m = 0; m <= data.nu(); ++m) {
      const bool own = m == data.nu();
      if (own ? cv.differenced() : data.constant[static_cast<std::size_t>(m)]) continue;
      RegimeTest test = cv.test(own ? data.nu() + j : m, tests);
      if (!test.cv.empty()) out.push_back(std::move(test));
    }
  }
  return out;
}

}  // namespace flyball::diagnose
