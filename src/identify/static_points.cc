// Train points as a table, and what their inputs did.
#include <algorithm>
#include <cmath>

#include "identify/static_parts.h"
#include "math/linear_algebra.h"
#include "math/statistics.h"

namespace flyball::identify {
namespace {

constexpr double kLevelShare = 0.1;
constexpr std::int64_t kMostLevels = 11;
constexpr Index kRunsToLeaveOut = 3, kMostStretches = 10;

std::int64_t count_levels(std::vector<double> values) {
  std::ranges::sort(values);
  const double range = values.back() - values.front();
  std::int64_t levels = 1;
  double base = values.front();
  for (const double v : values) {
    if (v - base <= kLevelShare * range) continue;
    ++levels;
    base = v;
  }
  return std::min(levels, kMostLevels);
}

void group_points(const std::vector<const dataset::OperatingPoint*>& train, PointTable& table) {
  std::vector<std::string> runs;
  for (const auto* p : train) {
    auto it = std::ranges::find(runs, p->run_id);
    if (it == runs.end()) it = runs.insert(it, p->run_id);
    table.group.push_back(it - runs.begin());
  }
  table.groups = static_cast<Index>(runs.size());
  table.by_run = table.groups >= kRunsToLeaveOut;
  if (table.by_run) return;
  const auto n = static_cast<Index>(train.size());
  table.groups = std::min(n, kMostStretches);
  for (Index i = 0; i < n; ++i) table.group[static_cast<std::size_t>(i)] = i * table.groups / n;
}

}  // namespace

PointTable point_table(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                       std::vector<StaticInput>& inputs) {
  std::vector<Index> columns = data.columns(dataset::Role::mv);
  const auto n_mv = columns.size();
  std::ranges::copy(data.columns(dataset::Role::dv), std::back_inserter(columns));
  const std::vector<Index> outputs = data.columns(dataset::Role::cv);
  const auto train = points.part(dataset::Part::train);
  const auto n = static_cast<Index>(train.size()), nu = static_cast<Index>(columns.size());
  PointTable t;
  t.u.resize(n, nu);
  t.z = Matrix::Zero(n, nu);
  t.y.resize(n, static_cast<Index>(outputs.size()));
  for (Index r = 0; r < n; ++r) {
    const Vector& mean = train[static_cast<std::size_t>(r)]->mean;
    for (Index i = 0; i < nu; ++i) t.u(r, i) = mean(columns[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < t.y.cols(); ++j) t.y(r, j) = mean(outputs[static_cast<std::size_t>(j)]);
  }
  group_points(train, t);
  t.mean = Vector::Zero(nu);
  t.scale = Vector::Ones(nu);
  inputs.clear();
  for (Index i = 0; i < nu; ++i) {
    const auto c = static_cast<std::size_t>(columns[static_cast<std::size_t>(i)]);
    StaticInput in;
    in.input = data.spec.variables[c].id;
    in.mv = static_cast<std::size_t>(i) < n_mv;
    if (n > 0) {
      const std::vector<double> values(t.u.col(i).begin(), t.u.col(i).end());
      in.low = t.u.col(i).minCoeff();
      in.high = t.u.col(i).maxCoeff();
      t.mean(i) = math::mean(values);
      const double noise = c < points.rule.tolerances.size() ? points.rule.tolerances[c].noise : 0;
      in.left_out = n < 2 || dataset::is_constant(in.low, in.high) || in.high - in.low <= 4 * noise;
      in.levels = in.left_out ? 1 : count_levels(values);
      if (!in.left_out) {
        t.scale(i) = math::sample_std(values);
        t.z.col(i) = (t.u.col(i).array() - t.mean(i)) / t.scale(i);
      }
    }
    inputs.push_back(std::move(in));
  }
  return t;
}

namespace statics {
namespace {

constexpr double kCollinear = 0.9, kExact = 1 - 1e-9;

/// Share of the variance of column i that the others explain, and the one it follows most.
void explain(const PointTable& points, const std::vector<Index>& moved, std::size_t at,
             std::vector<StaticInput>& inputs) {
  const Index n = points.z.rows();
  Matrix others(n, static_cast<Index>(moved.size()) - 1);
  Index k = 0;
  double closest = -1;
  StaticInput& in = inputs[static_cast<std::size_t>(moved[at])];
  const Vector own = points.z.col(moved[at]);
  for (std::size_t o = 0; o < moved.size(); ++o) {
    if (o == at) continue;
    others.col(k) = points.z.col(moved[o]);
    const double r = std::abs(others.col(k++).dot(own));
    if (r > closest) in.with = inputs[static_cast<std::size_t>(moved[o])].input;
    closest = std::max(closest, r);
  }
  const Vector rest = own - others * math::least_squares(others, own);
  in.explained = std::clamp(1 - rest.squaredNorm() / own.squaredNorm(), 0.0, 1.0);
  if (in.explained < kExact) in.vif = 1 / (1 - in.explained);
}

}  // namespace

void judge_inputs(const PointTable& points, std::vector<StaticInput>& inputs,
                  std::vector<Message>& warnings) {
  std::vector<Index> moved;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].left_out) moved.push_back(static_cast<Index>(i));
    if (inputs[i].left_out)
      warnings.push_back(
          {"STATIC_INPUT_CONSTANT",
           {{"input", inputs[i].input}, {"value", points.mean(static_cast<Index>(i))}}});
    if (!inputs[i].left_out && inputs[i].levels == 2) {
      warnings.push_back({"STATIC_TWO_LEVELS",
                          {{"input", inputs[i].input},
                           {"low", inputs[i].low},
                           {"high", inputs[i].high},
                           {"middle", (inputs[i].low + inputs[i].high) / 2}}});
    }
  }
  for (std::size_t at = 0; at < moved.size(); ++at) {
    StaticInput& in = inputs[static_cast<std::size_t>(moved[at])];
    if (moved.size() == 1) {
      in.vif = 1;
      continue;
    }
    explain(points, moved, at, inputs);
    if (in.mv && in.explained >= kCollinear) {
      warnings.push_back(
          {"STATIC_COLLINEAR",
           {{"mv", in.input}, {"with", in.with}, {"explained", in.explained * 100, "%"}}});
    }
  }
}

}  // namespace statics
}  // namespace flyball::identify
