// A static model is judged at operating points that it never saw, and only where it holds.
#include "evaluate/points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/artifact.h"
#include "evaluate/evaluate.h"
#include "math/random.h"
#include "model/static_artifact.h"

namespace flyball::testing {
namespace {

using dataset::Part;

/// Six runs of rows (u, y), two per part; y = 3 + 2 u + noise.
dataset::Dataset rows_of(double noise, Index rows = 40) {
  dataset::Dataset d;
  d.spec.beat_ms = 1000;
  for (const char* id : {"u", "y"}) {
    dataset::Variable v;
    v.id = id;
    v.node_id = std::string("L/") + id;
    v.role = *id == 'u' ? dataset::Role::mv : dataset::Role::cv;
    d.spec.variables.push_back(v);
  }
  math::Random random(3);
  for (int r = 0; r < 6; ++r) {
    dataset::Series s;
    s.run_id = "R" + std::to_string(r + 1);
    s.values.resize(rows, 2);
    s.mask = Mask::Ones(rows, 2);
    for (Index t = 0; t < rows; ++t) {
      s.t.push_back(t * 1'000'000);
      s.values(t, 0) = random.uniform(-1, 1);
      s.values(t, 1) = 3 + 2 * s.values(t, 0) + noise * random.normal();
    }
    d.blocks.push_back({s.run_id + "#0", s.run_id, static_cast<Part>(r / 2), 0, rows, 0, 0, rows});
    d.runs.push_back(std::move(s));
  }
  return d;
}

dataset::OperatingPoints row_points(const dataset::Dataset& data) {
  dataset::SteadyRule rule;
  rule.points = dataset::Points::rows;
  return dataset::operating_points(data, rule);
}

/// 3 + 2 u on [low, high].
model::StaticResponse truth(double low, double high) {
  model::StaticResponse m;
  m.mean = Vector{{0}};
  m.scale = Vector{{1}};
  m.low = Vector{{low}};
  m.high = Vector{{high}};
  m.surfaces = {{{{-1, -1}, {0, -1}}, Vector{{3, 2}}, Matrix::Identity(2, 2) * 0.01, 1}};
  return m;
}

evaluate::Evaluation judged(const dataset::Dataset& data, const dataset::OperatingPoints& points,
                            const model::StaticResponse& m) {
  return evaluate::evaluate_points(data, points, evaluate::predict_with(m), 2, {});
}

TEST(Points, ErrorIsTheRootMeanSquareOverTheSpreadOfTrainPoints) {
  const auto data = rows_of(0.3);
  const auto points = row_points(data);
  const auto e = judged(data, points, truth(-2, 2));
  double square = 0;
  std::vector<double> train;
  for (const auto& p : points.points) {
    if (p.part == Part::test) square += std::pow(3 + 2 * p.mean(0) - p.mean(1), 2);
    if (p.part == Part::train) train.push_back(p.mean(1));
  }
  const Eigen::Map<const Vector> t(train.data(), 80);
  const double spread = std::sqrt((t.array() - t.mean()).square().sum() / 79);
  EXPECT_NEAR(*e.metrics.one_step_test.nrmse, std::sqrt(square / 80) / spread, 1e-12);
  EXPECT_EQ(e.metrics.one_step_test.windows, 80);
  EXPECT_EQ(e.metrics.row_count, 240);
  EXPECT_EQ(e.metrics.test.runs.size(), 2u);
  EXPECT_EQ(e.metrics.operating_points->count(), 240);
}

TEST(Points, ThoseWhereTheModelDoesNotHoldAreCountedNotScored) {
  const auto data = rows_of(0.3);
  const auto points = row_points(data);
  const auto e = judged(data, points, truth(-0.5, 0.5));
  std::int64_t inside = 0;
  for (const auto& p : points.points) inside += p.part == Part::test && std::abs(p.mean(0)) <= 0.5;
  EXPECT_EQ(e.metrics.one_step_test.windows, inside);
  EXPECT_EQ(e.metrics.operating_points->test_outside, 80 - inside);
}

TEST(Points, HeldErrorIsThatOfThePointBeforeInTheSameRun) {
  const auto data = rows_of(0.1);
  const auto points = row_points(data);
  const auto e = judged(data, points, truth(-2, 2));
  EXPECT_EQ(e.metrics.one_step_persistence_test.windows, 78) << "the first of a run has none";
  double square = 0;
  for (int r = 4; r < 6; ++r) {
    const auto& y = data.runs[static_cast<std::size_t>(r)].values.col(1);
    for (Index i = 1; i < y.size(); ++i) square += std::pow(y(i - 1) - y(i), 2);
  }
  EXPECT_NEAR(*e.metrics.one_step_persistence_test.per_target[0].rmse, std::sqrt(square / 78),
              1e-12);
}

TEST(Points, TheFileOfAStaticModelOpensAndTries) {
  model::StaticArtifact a;
  a.dataset_sha256 = "d";
  a.beat_ms = 1000;
  a.point_count = 80;
  a.variables = {{"u", "mv", "", 0, 1, 0, 0}, {"y", "cv", "", 0, 1, 0, 0}};
  a.surfaces = {{"y", "linear", 0, 0, {}, {}, {}, {}}};
  model::pack(truth(-1, 1), a);
  evaluate::IoSpec io;
  io.mvs = {"u"};
  io.cvs = {"y"};
  const auto good =
      evaluate::inspect_artifact(model::kStaticResponse, model::write_artifact(a), &io);
  EXPECT_FALSE(good.problem) << good.problem->text();
  EXPECT_EQ(good.dataset_sha256, "d");
  io.mvs = {"other"};
  EXPECT_EQ(evaluate::inspect_artifact(model::kStaticResponse, model::write_artifact(a), &io)
                .problem->code,
            "G5_SHAPE");
  EXPECT_EQ(evaluate::inspect_artifact(model::kLinearStateSpace, model::write_artifact(a), nullptr)
                .problem->code,
            "G5_UNREADABLE");
}

}  // namespace
}  // namespace flyball::testing
