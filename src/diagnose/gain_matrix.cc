#include "diagnose/gain_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify/training_data.h"
#include "math/linear_algebra.h"
#include "math/random.h"
#include "math/statistics.h"

namespace flyball::diagnose {
namespace {

constexpr int kDraws = 400;
constexpr std::uint32_t kSeed = 42;
constexpr double kWeak = 1.0 / 50, kWeakUncertain = 1.0 / 10;
constexpr double kSingular = 1e-12;
constexpr double kShown = 0.2;  ///< of the largest weight of a direction

/// Gains of one CV with their covariance over the MVs.
struct Row {
  std::string cv;
  Vector gains;
  Matrix covariance;
};

std::vector<Row> rows_of(const dataset::Dataset& data, const identify::Findings& findings) {
  const auto n_mv = static_cast<Index>(data.columns(dataset::Role::mv).size());
  std::vector<Row> rows;
  for (const Index c : data.columns(dataset::Role::cv)) {
    const std::string& cv = data.spec.variables[static_cast<std::size_t>(c)].id;
    rows.push_back({cv, Vector::Zero(n_mv), Matrix::Zero(n_mv, n_mv)});
  }
  for (const identify::StepResponse& s : findings.step_responses) {
    const auto row = std::ranges::find(rows, s.cv, &Row::cv);
    const auto m = std::ranges::find(findings.excitation, s.input, &identify::Excitation::input) -
                   findings.excitation.begin();
    if (row == rows.end() || m >= n_mv) continue;
    row->gains(m) = s.gain.value_or(s.rate.value_or(0));
    for (Index k = 0; k < n_mv && k < std::ssize(s.gain_covariance); ++k)
      row->covariance(m, k) = s.gain_covariance[static_cast<std::size_t>(k)];
  }
  return rows;
}

/// L with L Lᵀ = C, of a covariance that may be singular.
Matrix root_of(const Matrix& c) {
  const math::SymmetricEigen e = math::symmetric_eigen((c + c.transpose()) / 2);
  return e.vectors * e.values.cwiseMax(0).cwiseSqrt().asDiagonal();
}

std::vector<std::vector<double>> lists(const Matrix& m) {
  std::vector<std::vector<double>> out(static_cast<std::size_t>(m.rows()));
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) out[static_cast<std::size_t>(i)].push_back(m(i, j));
  }
  return out;
}

/// "u1 +0.71, u2 −0.70": the weights that count, the largest of them positive.
std::string direction(const Vector& weights, const std::vector<std::string>& names, double sign) {
  std::string out;
  const double largest = weights.cwiseAbs().maxCoeff();
  for (Index i = 0; i < weights.size(); ++i) {
    if (std::abs(weights(i)) < kShown * largest) continue;
    const double w = sign * weights(i) / largest;
    out += fmt::format("{}{} {}{:.2f}", out.empty() ? "" : ", ", names[static_cast<std::size_t>(i)],
                       w < 0 ? "−" : "+", std::abs(w));
  }
  return out;
}

/// Values of each entry over the draws.
struct Draws {
  std::vector<std::vector<double>> entries;
  explicit Draws(Index n) : entries(static_cast<std::size_t>(n)) {}
  void add(const double* values) {
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].push_back(values[i]);
  }
  [[nodiscard]] Vector at(double q) const {
    Vector out(static_cast<Index>(entries.size()));
    for (std::size_t i = 0; i < entries.size(); ++i)
      out(static_cast<Index>(i)) = math::quantile(entries[i], q);
    return out;
  }
};

std::vector<double> list(const Vector& v) {
  return {v.begin(), v.end()};
}

/// Largest over least; infinite when singular.
double condition_of(const Vector& values) {
  const double least = values(values.size() - 1);
  return least > kSingular * values(0) ? values(0) / least : HUGE_VAL;
}

class Sampled {
 public:
  Sampled(std::vector<Row> rows, const Matrix& scale, GainMatrix& out)
      : rows_(std::move(rows)), scale_(scale), out_(out) {}

  void fill() {
    const Index ny = scale_.rows(), nu = scale_.cols();
    Matrix k(ny, nu);
    for (Index j = 0; j < ny; ++j) k.row(j) = rows_[static_cast<std::size_t>(j)].gains.transpose();
    const Matrix scaled = k.cwiseProduct(scale_);
    const Singular s = singular_values_of(scaled);
    out_.gains = lists(k);
    out_.scaled = lists(scaled);
    out_.relative = lists(relative_gains(scaled));
    out_.singular_values = list(s.values);
    sample(k, s.values.size());
    const double condition = condition_of(s.values);
    if (std::isfinite(condition)) out_.condition = condition;
    for (Index i = 1; i < s.values.size(); ++i) judge(s, i);
  }

 private:
  void sample(const Matrix& k, Index n) {
    math::Random random(kSeed);
    std::vector<Matrix> roots;
    for (const Row& row : rows_) roots.push_back(root_of(row.covariance));
    Draws relative(k.size()), singular(n), condition(1);
    for (int draw = 0; draw < kDraws; ++draw) {
      Matrix drawn = k;
      for (Index j = 0; j < k.rows(); ++j) {
        Vector z(k.cols());
        for (double& v : z) v = random.normal();
        drawn.row(j) += (roots[static_cast<std::size_t>(j)] * z).transpose();
      }
      drawn = drawn.cwiseProduct(scale_);
      const Vector values = singular_values_of(drawn).values;
      const double c = condition_of(values);
      relative.add(relative_gains(drawn).data());
      singular.add(values.data());
      condition.add(&c);
    }
    const auto shaped = [&](double q) {
      const Vector v = relative.at(q);
      return lists(Eigen::Map<const Matrix>(v.data(), k.rows(), k.cols()));
    };
    out_.relative_low = shaped(0.025);
    out_.relative_high = shaped(0.975);
    out_.singular_low = list(singular.at(0.025));
    out_.singular_high = list(singular.at(0.975));
    const double low = condition.at(0.025)(0), high = condition.at(0.975)(0);
    if (std::isfinite(low)) out_.condition_low = low;
    if (std::isfinite(high)) out_.condition_high = high;
  }

  /// Var σᵢ = Σⱼ uⱼ² vᵀ Cⱼ v of the scaled covariances.
  void judge(const Singular& s, Index i) {
    double variance = 0;
    for (Index j = 0; j < scale_.rows(); ++j) {
      const Vector v = s.v.col(i).cwiseProduct(scale_.row(j).transpose());
      variance += s.u(j, i) * s.u(j, i) * v.dot(rows_[static_cast<std::size_t>(j)].covariance * v);
    }
    WeakDirection w;
    w.singular_value = s.values(i);
    w.std_error = std::sqrt(std::max(0.0, variance));
    w.certain = w.singular_value > 2 * w.std_error && w.singular_value > kSingular * s.values(0);
    const double ratio = s.values(i) / s.values(0);
    if (!(ratio < kWeak || (ratio < kWeakUncertain && !w.certain))) return;
    Index largest = 0;
    s.v.col(i).cwiseAbs().maxCoeff(&largest);
    const double sign = s.v(largest, i) < 0 ? -1 : 1;
    w.moves = direction(s.v.col(i), out_.mvs, sign);
    w.answer = direction(s.u.col(i), out_.cvs, sign);
    out_.weak.push_back(std::move(w));
  }

  std::vector<Row> rows_;
  const Matrix& scale_;
  GainMatrix& out_;
};

}  // namespace

Singular singular_values_of(const Matrix& k) {
  const Index ny = k.rows(), nu = k.cols(), n = std::min(ny, nu);
  Matrix wide = Matrix::Zero(ny + nu, ny + nu);
  wide.topRightCorner(ny, nu) = k;
  wide.bottomLeftCorner(nu, ny) = k.transpose();
  const math::SymmetricEigen e = math::symmetric_eigen(wide);
  Singular out{Matrix(ny, n), Matrix(nu, n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    const Index at = ny + nu - 1 - i;  // ascending: the last are the largest
    out.values(i) = std::max(0.0, e.values(at));
    out.u.col(i) = e.vectors.col(at).head(ny).normalized();
    out.v.col(i) = e.vectors.col(at).tail(nu).normalized();
  }
  return out;
}

Matrix relative_gains(const Matrix& k) {
  const Singular s = singular_values_of(k);
  Matrix inverse = Matrix::Zero(k.rows(), k.cols());  // (K⁺)ᵀ
  for (Index i = 0; i < s.values.size(); ++i) {
    if (s.values(i) > kSingular * s.values(0))
      inverse += s.u.col(i) * s.v.col(i).transpose() / s.values(i);
  }
  return k.cwiseProduct(inverse);
}

std::optional<GainMatrix> gain_matrix_of(const dataset::Dataset& data,
                                         const identify::Findings& findings) {
  std::vector<Row> rows = rows_of(data, findings);
  std::erase_if(rows, [](const Row& r) { return r.gains.isZero(0); });
  const auto mv_columns = data.columns(dataset::Role::mv);
  std::vector<Index> kept;
  for (std::size_t m = 0; m < mv_columns.size(); ++m) {
    const auto i = static_cast<Index>(m);
    if (std::ranges::any_of(rows, [&](const Row& r) { return r.gains(i) != 0; })) kept.push_back(i);
  }
  if (rows.size() < 2 || kept.size() < 2) return std::nullopt;
  GainMatrix out;
  const identify::TrainingData train = identify::training_data(data);
  Matrix scale(std::ssize(rows), std::ssize(kept));
  for (const Index m : kept) {
    out.mvs.push_back(
        data.spec.variables[static_cast<std::size_t>(mv_columns[static_cast<std::size_t>(m)])].id);
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    Row& row = rows[j];
    out.cvs.push_back(row.cv);
    const auto c = std::ranges::find(train.outputs, row.cv) - train.outputs.begin();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      scale(static_cast<Index>(j), static_cast<Index>(i)) =
          train.std(kept[i]) / train.std(train.nu() + c);
    }
    row.gains = Vector(row.gains(kept));
    row.covariance = Matrix(row.covariance(kept, kept));
  }
  Sampled(std::move(rows), scale, out).fill();
  return out;
}

}  // namespace flyball::diagnose
