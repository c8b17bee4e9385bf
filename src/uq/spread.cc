#include "uq/spread.h"

#include <algorithm>
#include <cmath>

#include "math/linear_algebra.h"

namespace flyball::uq {
namespace {

constexpr double kLeastShrinkage = 0.01;
constexpr double kQuantile = 0.995;

/// Rows without a missing value.
Matrix complete_rows(const Matrix& rows) {
  Matrix out(rows.rows(), rows.cols());
  Index kept = 0;
  for (Index i = 0; i < rows.rows(); ++i)
    if (rows.row(i).allFinite()) out.row(kept++) = rows.row(i);
  out.conservativeResize(kept, rows.cols());
  return out;
}

std::optional<std::vector<Index>> columns_of(const dataset::Dataset& data,
                                             const std::vector<std::string>& variables) {
  std::vector<Index> out;
  for (const std::string& id : variables) {
    const auto it = std::ranges::find(data.spec.variables, id, &dataset::Variable::id);
    if (it == data.spec.variables.end()) return std::nullopt;
    out.push_back(it - data.spec.variables.begin());
  }
  return out;
}

}  // namespace

std::optional<Spread> spread_of(const Matrix& all, const std::vector<std::string>& variables) {
  const Matrix rows = complete_rows(all);
  const Index n = rows.cols(), count = rows.rows();
  if (n == 0 || count < n + 2) return std::nullopt;
  const Eigen::RowVectorXd mean = rows.colwise().mean();
  Matrix z = rows.rowwise() - mean;
  const Eigen::RowVectorXd std =
      (z.colwise().squaredNorm() / static_cast<double>(count - 1)).cwiseSqrt();
  for (Index i = 0; i < n; ++i)
    if (!(std(i) > 1e-9 * std::abs(mean(i)))) return std::nullopt;
  z = z * std.cwiseInverse().asDiagonal();
  const double shrink =
      std::min(1.0, std::max(kLeastShrinkage, static_cast<double>(n) / static_cast<double>(count)));
  const Matrix r = (1 - shrink) * (z.transpose() * z) / static_cast<double>(count - 1) +
                   shrink * Matrix::Identity(n, n);
  const auto factor = math::Cholesky::of(r);
  if (!factor) return std::nullopt;
  const Matrix inverse = factor->inverse();
  std::vector<double> distances;
  const Vector squares = (z * inverse).cwiseProduct(z).rowwise().sum();
  for (const double d : squares) distances.push_back(std::sqrt(std::max(0.0, d)));
  std::ranges::sort(distances);
  Spread out;
  out.variables = variables;
  out.mean.assign(mean.data(), mean.data() + n);
  out.std.assign(std.data(), std.data() + n);
  for (Index i = 0; i < n; ++i) {
    const Vector row = inverse.row(i).transpose();
    out.inverse.emplace_back(row.data(), row.data() + n);
  }
  const auto at = static_cast<std::size_t>(std::ceil(kQuantile * static_cast<double>(count))) - 1;
  out.limit = distances[std::min(at, distances.size() - 1)];
  out.rows = count;
  return out;
}

std::optional<Spread> train_spread(const dataset::Dataset& data,
                                   const std::vector<std::string>& variables) {
  const auto columns = columns_of(data, variables);
  if (!columns) return std::nullopt;
  Index count = 0;
  for (const dataset::Block* b : data.part(dataset::Part::train)) count += b->steps;
  Matrix rows(count, static_cast<Index>(columns->size()));
  Index to = 0;
  for (const dataset::Block* b : data.part(dataset::Part::train)) {
    const Matrix& values = data.run(b->run_id).values;
    for (std::size_t c = 0; c < columns->size(); ++c)
      rows.block(to, static_cast<Index>(c), b->steps, 1) =
          values.block(b->first_step, (*columns)[c], b->steps, 1);
    to += b->steps;
  }
  return spread_of(rows, variables);
}

std::optional<Spread> point_spread(const dataset::Dataset& data,
                                   const dataset::OperatingPoints& points,
                                   const std::vector<std::string>& variables) {
  const auto columns = columns_of(data, variables);
  if (!columns) return std::nullopt;
  const auto train = points.part(dataset::Part::train);
  Matrix rows(static_cast<Index>(train.size()), static_cast<Index>(columns->size()));
  for (std::size_t i = 0; i < train.size(); ++i)
    for (std::size_t c = 0; c < columns->size(); ++c)
      rows(static_cast<Index>(i), static_cast<Index>(c)) = train[i]->mean((*columns)[c]);
  return spread_of(rows, variables);
}

std::optional<double> mahalanobis(const Spread& s, std::span<const double> x) {
  const std::size_t n = s.variables.size();
  if (x.size() != n || n == 0) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      sum += (x[i] - s.mean[i]) / s.std[i] * s.inverse[i][j] * (x[j] - s.mean[j]) / s.std[j];
  }
  if (!std::isfinite(sum)) return std::nullopt;
  return std::sqrt(std::max(0.0, sum));
}

}  // namespace flyball::uq
