#include "evaluate/points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "evaluate/metrics.h"
#include "evaluate/windows.h"
#include "math/statistics.h"

namespace flyball::evaluate {
namespace {

struct RunErrors {
  std::string run;
  std::int64_t points = 0;
  std::vector<ErrorSums> sums;  ///< per CV
};

CvScore cv_score(const std::string& cv, const ErrorSums& sums, double train_std) {
  CvScore out;
  out.cv = cv;
  if (sums.count == 0) return out;
  out.rmse = finite_or_none(sums.rmse());
  out.mae = finite_or_none(sums.mae());
  out.bias = finite_or_none(sums.bias());
  out.nrmse = finite_or_none(nrmse(sums.rmse(), train_std));
  if (out.rmse) out.rmse_by_step = {*out.rmse};
  return out;
}

}  // namespace

std::vector<PointResult> predict_points(const dataset::Dataset& data,
                                        const dataset::OperatingPoints& points,
                                        const Predict& predict) {
  const Layout columns = layout(data);
  const auto nu = static_cast<Index>(columns.inputs.size());
  const auto ny = static_cast<Index>(columns.outputs.size());
  const auto pick = [](const Vector& mean, const std::vector<Index>& from) {
    Vector out(static_cast<Index>(from.size()));
    for (Index i = 0; i < out.size(); ++i) out(i) = mean(from[static_cast<std::size_t>(i)]);
    return out;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<PointResult> out;
  for (const dataset::OperatingPoint& p : points.points) {
    PointResult r{&p, pick(p.mean, columns.inputs), pick(p.mean, columns.outputs), {}};
    model::Record record{Matrix(1, nu), Matrix::Constant(1, ny, kNan)};
    record.u.row(0) = r.u.transpose();
    Matrix ahead = Matrix::Constant(1, ny, kNan);
    predict(record, 0, 1, ahead);
    r.predicted = ahead.row(0).transpose();
    out.push_back(std::move(r));
  }
  return out;
}

std::vector<double> train_spread(const std::vector<PointResult>& points, Index outputs) {
  std::vector<double> out;
  for (Index j = 0; j < outputs; ++j) {
    std::vector<double> values;
    for (const PointResult& p : points) {
      if (p.point->part == dataset::Part::train) values.push_back(p.y(j));
    }
    out.push_back(math::sample_std(values));
  }
  return out;
}

Score score_points(const dataset::Dataset& data, const std::vector<PointResult>& points,
                   dataset::Part part, const std::vector<double>& train_std, bool held) {
  const Layout columns = layout(data);
  const std::size_t ny = columns.outputs.size();
  std::vector<RunErrors> runs;
  Score out;
  out.horizon = 1;
  const PointResult* before = nullptr;
  for (const PointResult& p : points) {
    if (p.point->part != part) continue;
    const PointResult* last = before;
    before = &p;
    if (last != nullptr && last->point->run_id != p.point->run_id) last = nullptr;
    if (!p.inside() || (held && last == nullptr)) continue;
    if (runs.empty() || runs.back().run != p.point->run_id)
      runs.push_back({p.point->run_id, 0, std::vector<ErrorSums>(ny)});
    ++out.windows;
    ++runs.back().points;
    for (std::size_t j = 0; j < ny; ++j) {
      const auto at = static_cast<Index>(j);
      runs.back().sums[j].add((held ? last->y(at) : p.predicted(at)) - p.y(at));
    }
  }
  std::vector<double> errors;
  for (std::size_t j = 0; j < ny; ++j) {
    ErrorSums all;
    for (const RunErrors& run : runs) all.add(run.sums[j]);
    const auto& id = data.spec.variables[static_cast<std::size_t>(columns.outputs[j])].id;
    out.per_target.push_back(cv_score(id, all, train_std[j]));
    errors.push_back(out.per_target.back().nrmse.value_or(std::nan("")));
  }
  out.nrmse = finite_or_none(mean_or_nan(errors));
  for (const RunErrors& run : runs) {
    RunScore& score = out.per_run.emplace_back();
    score.run = run.run;
    score.windows = run.points;
    for (std::size_t j = 0; j < ny; ++j)
      score.nrmse_per_cv.push_back(nrmse(run.sums[j].rmse(), train_std[j]));
    score.nrmse = finite_or_none(mean_or_nan(score.nrmse_per_cv));
  }
  return out;
}

}  // namespace flyball::evaluate
