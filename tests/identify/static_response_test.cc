// Recovery of known surfaces, and the laws of the regression behind them.
#include "identify/static_parts.h"
#include "math/linear_algebra.h"
#include "static_plants.h"

namespace flyball::identify {
namespace {

using dataset::Points;

/// Rows u1, u2, y1 of a designed experiment, `runs` runs.
std::vector<Matrix> designed(Index runs, Index rows, double noise, double curve,
                             math::Random& random) {
  std::vector<Matrix> out;
  for (Index r = 0; r < runs; ++r) {
    Matrix x(rows, 3);
    for (Index t = 0; t < rows; ++t) {
      const double a = static_cast<double>(random.index(3) - 1),
                   b = static_cast<double>(random.index(3) - 1);
      x(t, 0) = 10 + 2 * a;
      x(t, 1) = 100 + 5 * b;
      x(t, 2) = 7 + 2 * a - b + curve * a * a + noise * random.normal();
    }
    out.push_back(std::move(x));
  }
  return out;
}

StaticResult identified(const dataset::Dataset& data, Points points = Points::segments) {
  return identify_static(data, points_of(data, {.points = points}));
}

TEST(StaticResponse, RecoversAQuadraticSurfaceBehindDynamicsAndNoise) {
  math::Random random(11);
  std::vector<Matrix> runs;
  for (int i = 0; i < 5; ++i) runs.push_back(surface_run(2500, 50, 0.05, random));
  const auto data = train_dataset(runs, "uuy");
  const StaticResult found = identified(data);
  EXPECT_EQ(found.findings.cvs[0].basis, "quadratic");
  for (const double u1 : {19.0, 19.7, 20.5, 21.0}) {
    for (const double u2 : {260.0, 290.0, 310.0, 340.0}) {
      const Vector u{{u1, u2}};
      EXPECT_NEAR(model::surface_values(found.model, u)(0), surface_truth(u1, u2), 0.1);
    }
  }
  // d/du1 = 3 + 3 a − 0.8 b, within 4 of its standard errors at the centre of the points.
  const auto& gain = found.findings.cvs[0].gains[0];
  const double a = found.model.mean(0) - 20, b = (found.model.mean(1) - 300) / 40;
  EXPECT_NEAR(gain.centre, 3 + 3 * a - 0.8 * b, 4 * gain.std_error + 0.02);
  EXPECT_TRUE(gain.active);
  EXPECT_EQ(found.findings.cvs[0].gains[1].sign, "-");
}

TEST(StaticResponse, LinearTruthGivesTheLinearBasisInMostSeeds) {
  int linear = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    math::Random random(seed);
    const auto found =
        identified(train_dataset(designed(6, 12, 0.5, 0, random), "uuy"), Points::rows);
    linear += found.findings.cvs[0].basis == "linear";
  }
  EXPECT_GE(linear, 30);
}

TEST(StaticResponse, MissesNoStrongCurvature) {
  math::Random random(12);
  const auto found =
      identified(train_dataset(designed(6, 12, 0.2, 3, random), "uuy"), Points::rows);
  EXPECT_EQ(found.findings.cvs[0].basis, "quadratic");
}

TEST(StaticResponse, SurfaceIsTheSameInOtherUnits) {
  math::Random random(13);
  auto runs = designed(5, 12, 0.3, 2, random);
  const auto plain = identified(train_dataset(runs, "uuy"), Points::rows);
  for (Matrix& x : runs) x = (x.array() * 1000 + 273.15).matrix();
  const auto other = identified(train_dataset(runs, "uuy"), Points::rows);
  const auto &a = plain.findings.cvs[0], &b = other.findings.cvs[0];
  EXPECT_EQ(a.basis, b.basis);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_NEAR(*a.score, *b.score, 1e-9);
  EXPECT_NEAR(a.h_max, b.h_max, 1e-9);
  EXPECT_NEAR(a.gains[0].centre, b.gains[0].centre, 1e-8);
  EXPECT_NEAR(*a.lack_of_fit.p_value, *b.lack_of_fit.p_value, 1e-6);
  const Vector u{{10.7, 103}};
  const Vector scaled = (u.array() * 1000 + 273.15).matrix();
  EXPECT_NEAR(model::predict(plain.model, u)(0) * 1000 + 273.15,
              model::predict(other.model, scaled)(0), 1e-6);
}

TEST(StaticResponse, LeavingOutARunIsARefitWithoutIt) {
  math::Random random(14);
  const auto data = train_dataset(designed(4, 11, 0.4, 2, random), "uuy");
  std::vector<StaticInput> inputs;
  const PointTable table = point_table(data, points_of(data, {.points = Points::rows}), inputs);
  ASSERT_TRUE(table.by_run);
  const auto bases = statics::bases_of(inputs);
  ASSERT_EQ(bases.size(), 3u);
  for (const double lambda : {0.0, 1e-2}) {
    const TermRegression regression(table, bases.back().terms);
    const auto left = regression.leave_out(table.y.col(0), lambda);
    ASSERT_TRUE(left);
    const Matrix& phi = regression.phi();
    const Index n = phi.rows(), p = phi.cols();
    const Vector penalty = (phi.rowwise() - phi.colwise().mean()).colwise().squaredNorm();
    for (Index g = 0; g < table.groups; ++g) {
      // Stacked least squares of the other runs, rows of √(λ·penalty) below.
      Matrix a = Matrix::Zero(n + p, p);
      Vector b = Vector::Zero(n + p);
      for (Index i = 0; i < n; ++i) {
        if (table.group[static_cast<std::size_t>(i)] == g) continue;
        a.row(i) = phi.row(i);
        b(i) = table.y(i, 0);
      }
      for (Index j = 0; j < p; ++j) a(n + j, j) = std::sqrt(lambda * penalty(j));
      const Vector coefficients = math::least_squares(a, b);
      double squares = 0;
      for (Index i = 0; i < n; ++i) {
        if (table.group[static_cast<std::size_t>(i)] == g)
          squares += std::pow(table.y(i, 0) - phi.row(i).dot(coefficients), 2);
      }
      EXPECT_NEAR(left->squares(g), squares, 1e-8 * squares);
    }
  }
}

TEST(StaticResponse, LeveragesAddUpToTheParameters) {
  math::Random random(15);
  const auto found =
      identified(train_dataset(designed(5, 12, 0.1, 3, random), "uuy"), Points::rows);
  const auto& cv = found.findings.cvs[0];
  ASSERT_EQ(cv.lambda, 0);
  EXPECT_NEAR(cv.leverage_sum, static_cast<double>(cv.parameters), 1e-9);
}

TEST(StaticResponse, StandardErrorsHoldTheTruthAsOftenAsTheySay) {
  int held = 0;
  constexpr int kSeeds = 200;
  for (std::uint32_t seed = 1; seed <= kSeeds; ++seed) {
    math::Random random(seed);
    const auto data = train_dataset(designed(5, 10, 0.5, 3, random), "uuy");
    std::vector<StaticInput> inputs;
    const PointTable table = point_table(data, points_of(data, {.points = Points::rows}), inputs);
    const TermRegression regression(table, statics::bases_of(inputs).back().terms);
    const auto fit = regression.fit(table.y.col(0), 0);
    // The coefficient of u2 with u1 at its mean: −1 per 5, whatever u1 is.
    const double value = fit->coefficients(2) / table.scale(1) * 5;
    const double error = std::sqrt(fit->covariance(2, 2)) / table.scale(1) * 5;
    held += std::abs(value + 1) <= 2.015 * error;
  }
  // 95 % by t with 44 degrees of freedom: 190 of 200, three binomial deviations are 9.
  EXPECT_GE(held, 181);
  EXPECT_LE(held, 199);
}

TEST(LackOfFit, SeesAMissingSquareAndNoneWhereNoneIs) {
  int seen = 0, false_alarms = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    for (const double curve : {0.0, 1.5}) {
      math::Random random(seed);
      const auto data = train_dataset(designed(5, 12, 0.5, curve, random), "uuy");
      std::vector<StaticInput> inputs;
      const PointTable table = point_table(data, points_of(data, {.points = Points::rows}), inputs);
      const auto linear = statics::bases_of(inputs).front();
      const TermRegression regression(table, linear.terms);
      const auto fit = regression.fit(table.y.col(0), 0);
      const LackOfFit lack = statics::lack_of_fit(table, table.y.col(0), fit->squares, 3);
      ASSERT_TRUE(lack.p_value);
      EXPECT_EQ(lack.settings, 9);
      (curve > 0 ? seen : false_alarms) += *lack.p_value < 0.05;
    }
  }
  EXPECT_GE(seen, 97);
  EXPECT_LE(false_alarms, 12);
}

TEST(StaticResponse, RefusesOutsideTheBoxAndOffTheDesign) {
  math::Random random(16);
  Matrix x(60, 3);
  for (Index t = 0; t < 60; ++t) {
    const double a = random.uniform(-1, 1), b = a + 0.1 * random.normal();
    x.row(t) << a, b, a + b + 0.01 * random.normal();
  }
  const auto found = identified(train_dataset({x}, "uuy"), Points::rows);
  const auto value = [&](double a, double b) {
    return model::predict(found.model, Vector{{a, b}})(0);
  };
  EXPECT_NEAR(value(0.3, 0.3), 0.6, 0.05);
  EXPECT_TRUE(std::isnan(value(5, 0)));
  EXPECT_EQ(model::outside(found.model, Vector{{5, 0}})->input, 0);
  // Inside the box, but u2 never left u1: no data there.
  EXPECT_TRUE(std::isnan(value(0.8, -0.8)));
  EXPECT_EQ(model::outside(found.model, Vector{{0.8, -0.8}})->input, -1);
  EXPECT_TRUE(std::isnan(value(std::nan(""), 0)));
  EXPECT_TRUE(std::ranges::any_of(found.findings.warnings,
                                  [](const Message& m) { return m.code == "STATIC_COLLINEAR"; }));
  EXPECT_GT(*found.findings.inputs[0].vif, 10);
}

TEST(StaticResponse, SaysHowManyPointsAreMissing) {
  math::Random random(17);
  const auto data = train_dataset({surface_run(400, 50, 0.02, random)}, "uuy");
  try {
    identified(data);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "STATIC_TOO_FEW");
    EXPECT_NE(std::string(e.what()).find("more"), std::string::npos);
  }
}

TEST(StaticResponse, ConstantAndTwoLevelInputsAreNamed) {
  math::Random random(18);
  Matrix x(40, 4);
  for (Index t = 0; t < 40; ++t) {
    const double a = static_cast<double>(random.index(2)), b = random.uniform(-1, 1);
    x.row(t) << a, 4.0, b, 1 + a + b * b + 0.01 * random.normal();
  }
  const auto found = identified(train_dataset({x}, "uuuy"), Points::rows);
  const auto named = [&](const char* code) {
    return std::ranges::count(found.findings.warnings, code, &Message::code);
  };
  EXPECT_EQ(named("STATIC_INPUT_CONSTANT"), 1);
  EXPECT_EQ(named("STATIC_TWO_LEVELS"), 1);
  EXPECT_TRUE(found.findings.inputs[1].left_out);
  for (const auto& t : found.model.surfaces[0].terms) {
    EXPECT_NE(t, (model::Term{0, 0}));
    EXPECT_NE(t.first, 1);
  }
  EXPECT_TRUE(std::isfinite(model::predict(found.model, Vector{{1, 4, 0.2}})(0)));
  EXPECT_TRUE(std::isnan(model::predict(found.model, Vector{{1, 5, 0.2}})(0)));
}

TEST(StaticResponse, FindsTheOptimumOfABowl) {
  math::Random random(19);
  Matrix x(60, 3);
  for (Index t = 0; t < 60; ++t) {
    const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
    x.row(t) << 50 + 10 * a, 5 + b,
        90 - 4 * std::pow(a - 0.3, 2) - 2 * std::pow(b + 0.2, 2) + 0.02 * random.normal();
  }
  const auto found = identified(train_dataset({x}, "uuy"), Points::rows);
  const Curvature& c = found.findings.cvs[0].curvature;
  EXPECT_EQ(c.kind, "maximum");
  ASSERT_EQ(c.stationary.size(), 2u);
  EXPECT_NEAR(c.stationary[0], 53, 0.3);
  EXPECT_NEAR(c.stationary[1], 4.8, 0.03);
  EXPECT_TRUE(c.inside);
  EXPECT_NEAR(*c.value, 90, 0.05);
}

TEST(StaticResponse, SameDataGiveTheSameBits) {
  math::Random random(20);
  const auto data = train_dataset(designed(5, 12, 0.3, 2, random), "uuy");
  EXPECT_EQ(to_json(identified(data, Points::rows).findings).dump(),
            to_json(identified(data, Points::rows).findings).dump());
}

}  // namespace
}  // namespace flyball::identify
