#include "optimise/distance.h"

#include <algorithm>
#include <cmath>

#include "optimise/free_response.h"

namespace flyball::optimise {
namespace {

/// Of one row [MVs; DVs; CVs].
Distances distances(const ProblemIr& p, const Vector& x) {
  Distances out;
  if (!x.allFinite()) return out;
  Index at = 0;
  double far = 0;
  const auto see = [&](const TrainRange& train) {
    far = std::max(far, std::abs(x(at++) - train.mean) / train.std);
  };
  for (const MvTerm& m : p.mv) see(m.train);
  for (const DvTerm& d : p.dv) see(d.train);
  for (const CvTerm& c : p.cv) see(c.train);
  out.box = far;
  if (!p.spread) return out;
  const auto n = static_cast<std::size_t>(x.size());
  Vector z(x.size());
  for (std::size_t i = 0; i < n; ++i)
    z(static_cast<Index>(i)) = (x(static_cast<Index>(i)) - p.spread->mean[i]) / p.spread->std[i];
  double square = 0;
  for (std::size_t i = 0; i < n; ++i)
    square += z(static_cast<Index>(i)) *
              Eigen::Map<const Vector>(p.spread->inverse[i].data(), z.size()).dot(z);
  out.mahalanobis = std::sqrt(std::max(0.0, square));
  return out;
}

Index columns(const ProblemIr& p) {
  return static_cast<Index>(p.mv.size() + p.dv.size() + p.cv.size());
}

}  // namespace

Distances distances_now(const ProblemIr& p) {
  Vector x = Vector::Constant(columns(p), std::nan(""));
  const auto inputs = static_cast<Index>(p.mv.size() + p.dv.size());
  for (Index i = 0; i < inputs; ++i)
    x(i) = i < static_cast<Index>(p.mv.size()) ? p.u_prev[static_cast<std::size_t>(i)]
                                               : input_at(p, i, -1);
  for (std::size_t j = 0; j < p.cv.size(); ++j)
    for (auto row = p.history.rbegin(); row != p.history.rend(); ++row) {
      if (!row->y[j]) continue;
      x(inputs + static_cast<Index>(j)) = *row->y[j];
      break;
    }
  return distances(p, x);
}

Distances distances_along(const ProblemIr& p, const Trajectory& t) {
  Distances out;
  Vector x(columns(p));
  const auto mvs = static_cast<Index>(p.mv.size()), dvs = static_cast<Index>(p.dv.size());
  for (Index k = 0; k < t.controls.rows(); ++k) {
    x.head(mvs) = t.controls.row(k).transpose();
    for (Index d = 0; d < dvs; ++d) x(mvs + d) = input_at(p, mvs + d, k);
    x.tail(t.predicted.cols()) = t.predicted.row(k).transpose();
    const Distances here = distances(p, x);
    if (!here.box) return {};
    out.box = std::max(out.box.value_or(0), *here.box);
    if (here.mahalanobis)
      out.mahalanobis = std::max(out.mahalanobis.value_or(0), *here.mahalanobis);
  }
  return out;
}

}  // namespace flyball::optimise
