// Pictures of a static model: curves through the region where it holds, and its points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/study_static.h"
#include "evaluate/windows.h"
#include "math/distributions.h"
#include "math/statistics.h"

namespace flyball::app {
namespace {

using dataset::Part;
constexpr Index kCurvePoints = 121;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// One CV of a static model with what it takes to draw it.
struct Drawn {
  const model::StaticResponse& all;
  model::StaticResponse alone;  ///< this surface only: its own region
  const identify::StaticCv& found;
  Index cv;

  [[nodiscard]] double value(const Vector& u) const {
    return model::outside(alone, u) ? kNan : model::surface_values(alone, u)(0);
  }
};

const dataset::Variable& variable_at(const dataset::Dataset& data, Index column) {
  return data.spec.variables[static_cast<std::size_t>(column)];
}

std::vector<double> axis(const model::StaticResponse& m, Index input) {
  std::vector<double> x;
  for (Index i = 0; i < kCurvePoints; ++i)
    x.push_back(m.low(input) + (m.high(input) - m.low(input)) * static_cast<double>(i) /
                                   static_cast<double>(kCurvePoints - 1));
  return x;
}

report::ResponseCurve curve_of(const Drawn& d, Index input,
                               const std::vector<evaluate::PointResult>& points) {
  report::ResponseCurve out;
  out.x = axis(d.all, input);
  const auto dof = static_cast<double>(d.found.points) - d.found.leverage_sum;
  const double t = dof > 0 ? math::t_quantile(0.975, dof) : kNan;
  for (const double x : out.x) {
    Vector u = d.all.mean;
    u(input) = x;
    const double y = d.value(u);
    const double half =
        t * d.found.residual_std * std::sqrt(model::leverage(d.alone, d.alone.surfaces[0], u));
    out.centre.push_back(y);
    out.low.push_back(y - half);
    out.high.push_back(y + half);
  }
  for (const evaluate::PointResult& p : points) {
    if (!p.inside() || p.point->part == Part::val) continue;
    Vector u = d.all.mean;
    u(input) = p.u(input);
    const double moved = model::surface_values(d.alone, u)(0) + p.y(d.cv) - p.predicted(d.cv);
    const bool train = p.point->part == Part::train;
    (train ? out.train_x : out.test_x).push_back(p.u(input));
    (train ? out.train_y : out.test_y).push_back(moved);
  }
  return out;
}

/// The two inputs that move the CV most over their range; −1: fewer.
std::array<Index, 2> strongest(const Drawn& d) {
  std::array<Index, 2> out{-1, -1};
  std::array<double, 2> most{0, 0};
  for (Index i = 0; i < d.all.inputs(); ++i) {
    const identify::StaticGain& g = d.found.gains[static_cast<std::size_t>(i)];
    const double effect =
        std::max(std::abs(g.low), std::abs(g.high)) * (d.all.high(i) - d.all.low(i));
    if (effect > most[0]) {
      out = {i, out[0]};
      most = {effect, most[0]};
    } else if (effect > most[1]) {
      out[1] = i;
      most[1] = effect;
    }
  }
  return out;
}

report::ResponseSlices slices_of(const Drawn& d, Index input, Index other,
                                 const std::vector<evaluate::PointResult>& points) {
  report::ResponseSlices out;
  std::vector<double> values;
  for (const evaluate::PointResult& p : points) {
    if (p.point->part == Part::train) values.push_back(p.u(other));
  }
  out.x = axis(d.all, input);
  for (const double share : {0.1, 0.5, 0.9}) {
    const double at = math::quantile(values, share);
    if (!out.at.empty() && at == out.at.back()) continue;
    out.at.push_back(at);
    auto& line = out.y.emplace_back();
    for (const double x : out.x) {
      Vector u = d.all.mean;
      u(input) = x;
      u(other) = at;
      line.push_back(d.value(u));
    }
  }
  return out;
}

report::PointCloud cloud_of(Index cv, const std::vector<evaluate::PointResult>& points) {
  report::PointCloud out;
  for (const evaluate::PointResult& p : points) {
    if (!p.inside() || p.point->part == Part::val) continue;
    const bool train = p.point->part == Part::train;
    (train ? out.train_predicted : out.test_predicted).push_back(p.predicted(cv));
    (train ? out.train_actual : out.test_actual).push_back(p.y(cv));
  }
  return out;
}

}  // namespace

void draw_static(const dataset::Dataset& data, const StaticTrained& statics,
                 const evaluate::Evaluation& evaluation, report::StudyPictures& pictures) {
  const evaluate::Layout columns = evaluate::layout(data);
  const model::StaticResponse& all = statics.result.model;
  const identify::StaticFindings& f = statics.result.findings;
  const auto& points = evaluation.points;
  for (Index j = 0; j < all.outputs(); ++j) {
    Drawn d{all, all, f.cvs[static_cast<std::size_t>(j)], j};
    d.alone.surfaces = {all.surfaces[static_cast<std::size_t>(j)]};
    const auto& cv = variable_at(data, columns.outputs[static_cast<std::size_t>(j)]);
    const auto input_at = [&](Index i) -> const dataset::Variable& {
      return variable_at(data, columns.inputs[static_cast<std::size_t>(i)]);
    };
    for (Index i = 0; i < all.inputs(); ++i) {
      if (f.inputs[static_cast<std::size_t>(i)].left_out) continue;
      auto curve = curve_of(d, i, points);
      curve.cv = cv.id;
      curve.cv_unit = cv.model_unit;
      curve.input = input_at(i).id;
      curve.input_unit = input_at(i).model_unit;
      pictures.response_curves.push_back(std::move(curve));
    }
    if (const auto [a, b] = strongest(d); b >= 0) {
      auto slices = slices_of(d, a, b, points);
      slices.cv = cv.id;
      slices.cv_unit = cv.model_unit;
      slices.input = input_at(a).id;
      slices.input_unit = input_at(a).model_unit;
      slices.other = input_at(b).id;
      slices.other_unit = input_at(b).model_unit;
      pictures.response_slices.push_back(std::move(slices));
    }
    auto cloud = cloud_of(j, points);
    cloud.cv = cv.id;
    cloud.unit = cv.model_unit;
    pictures.point_clouds.push_back(std::move(cloud));
  }
  for (const identify::StaticCandidate& c : f.candidates) {
    pictures.candidates.push_back(
        {fmt::format("{}: {}, {} parameters, ridge {:g}", c.cv, c.basis, c.parameters, c.lambda),
         c.score, c.reason == "chosen", c.reason});
  }
}

}  // namespace flyball::app
