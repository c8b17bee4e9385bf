#include "identify/subspace.h"

#include <gtest/gtest.h>

#include "identify/plants.h"
#include "identify/records.h"
#include "identify/subspace_rational.h"
#include "math/linear_algebra.h"
#include "math/statistics.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, 1 << 30};

/// Two inputs, two CVs, three states with poles 0.9, 0.7, −0.3; input 2 answers directly.
struct Plant {
  Matrix a = Vector3({0.9, 0.7, -0.3}).asDiagonal();
  Matrix b = (Matrix(3, 2) << 0.1, 0.05, -0.3, 0.2, 0.5, 1).finished();
  Matrix c = (Matrix(2, 3) << 1, 0.5, 0.2, -0.4, 1, 0.3).finished();
  Matrix d = (Matrix(2, 2) << 0, 0.3, 0, -0.2).finished();
  Matrix k = Matrix::Zero(3, 2);

  static Vector Vector3(std::initializer_list<double> v) {
    return Eigen::Map<const Vector>(v.begin(), static_cast<Index>(v.size()));
  }
  [[nodiscard]] Matrix gain() const { return c * *math::solve(Matrix::Identity(3, 3) - a, b) + d; }
  /// From a state that is not rest, around an operating point.
  [[nodiscard]] Matrix run(Index rows, double noise, math::Random& random) const {
    Matrix x(rows, 4);
    x.col(0) = random_steps(rows, 3, random);
    x.col(1) = random_steps(rows, 2, random);
    Vector state(3);
    for (double& s : state) s = random.normal();
    for (Index t = 0; t < rows; ++t) {
      const Vector u = x.row(t).head(2).transpose();
      Vector e(2);
      for (double& v : e) v = noise * random.normal();
      x.row(t).tail(2) = (c * state + d * u + e).transpose();
      state = a * state + b * u + k * e;
    }
    x.col(0).array() += 5;
    x.col(2).array() += 40;
    x.col(3).array() -= 7;
    return x;
  }
};

SubspaceSpec spec_of_plant(Index past = 8) {
  SubspaceSpec s;
  s.inputs = {{0, 1}, {1, 0}};
  s.outputs = {2, 3};
  s.past = past;
  s.max_order = 6;
  return s;
}

struct Fitted {
  TrainingData data;
  Normal normal;
  SubspaceFit fit;
};

Fitted fitted(const dataset::Dataset& d, const SubspaceSpec& spec) {
  Fitted out;
  out.data = training_data(d);
  const Regression r =
      joint_regression(out.data, std::vector<bool>(static_cast<std::size_t>(out.data.nu()), true));
  out.normal = normal_of(r, gram_of(r, spec.max_lag(), {kEverything}));
  out.fit = fit_subspace(out.normal, spec);
  return out;
}

Vector sorted_poles(const InnovationForm& m) {
  return math::eigenvalue_moduli(m.A);
}

void expect_truth(const Fitted& f, const SubspaceSpec& spec, double tolerance) {
  const Plant plant;
  ASSERT_GE(f.fit.models.size(), 3U);
  const InnovationForm& m = f.fit.models[2];
  EXPECT_LT((sorted_poles(m) - Plant::Vector3({0.9, 0.7, 0.3})).cwiseAbs().maxCoeff(), tolerance);
  const model::LinearStateSpace in_units = to_model_units(m, spec, f.data);
  EXPECT_LT((model::dc_gain(in_units) - plant.gain()).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_NEAR(in_units.D(0, 1), 0.3, tolerance);
  EXPECT_NEAR(in_units.D(1, 1), -0.2, tolerance);
  EXPECT_EQ(in_units.D(0, 0), 0) << "the first answer of input 1 is one step later";
}

TEST(Subspace, RecoversNoiseFreeSystem) {
  for (const SubspaceWeight weight : {SubspaceWeight::cva, SubspaceWeight::n4sid}) {
    math::Random random(1);
    SubspaceSpec spec = spec_of_plant();
    spec.weight = weight;
    const Fitted f = fitted(train_dataset({Plant().run(600, 0, random)}, "uuyy"), spec);
    expect_truth(f, spec, 1e-8);
    EXPECT_LT(f.fit.singular_values(3), 1e-5 * f.fit.singular_values(2)) << "three states";
  }
}

TEST(Subspace, RunsOfUnequalLengthWithGapsAreNotJoined) {
  math::Random random(2);
  std::vector<Matrix> runs;
  for (const Index rows : {40, 300, 9, 150}) runs.push_back(Plant().run(rows, 0, random));
  runs[1].row(100).setConstant(std::nan(""));
  runs[3](70, 2) = std::nan("");
  const SubspaceSpec spec = spec_of_plant();
  const Fitted f = fitted(train_dataset(runs, "uuyy"), spec);
  EXPECT_EQ(f.normal.rows, (40 - 8) + (100 - 8) + (199 - 8) + (9 - 8) + (70 - 8) + (79 - 8));
  expect_truth(f, spec, 1e-7);
}

TEST(Subspace, DelayedInputsNeedNoStates) {
  math::Random random(3);
  const Vector u = random_steps(500, 3, random);
  Matrix x(500, 2);
  x << u, first_order(u, 2, 0.8, 9);
  SubspaceSpec spec;
  spec.inputs = {{0, 9}};
  spec.outputs = {1};
  spec.past = 4;
  spec.max_order = 3;
  const Fitted f = fitted(train_dataset({x}, "uy"), spec);
  ASSERT_GE(f.fit.models.size(), 1U);
  const auto m = to_model_units(f.fit.models[0], spec, f.data);
  EXPECT_EQ(m.channels.at(0).delay, 8);
  const Matrix s = model::step_response(m, 0, 30);
  for (Index k = 0; k < 30; ++k) {
    EXPECT_NEAR(s(k, 0), k < 9 ? 0 : 2 * (1 - std::pow(0.8, static_cast<double>(k - 8))), 1e-8);
  }
}

TEST(Subspace, FollowsEqualsWithUnits) {
  math::Random random(4);
  const Matrix x = Plant().run(800, 0.05, random);
  const Matrix other = (x.array() * 1000 + 273.15).matrix();
  const SubspaceSpec spec = spec_of_plant();
  const Fitted a = fitted(train_dataset({x}, "uuyy"), spec);
  const Fitted b = fitted(train_dataset({other}, "uuyy"), spec);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_LT((sorted_poles(a.fit.models[n]) - sorted_poles(b.fit.models[n])).cwiseAbs().maxCoeff(),
              1e-6);
    EXPECT_LT((model::dc_gain(to_model_units(a.fit.models[n], spec, a.data)) -
               model::dc_gain(to_model_units(b.fit.models[n], spec, b.data)))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-6);
  }
}

/// e of the predictor in normalised signals, from a steady start, without its first 50 rows.
Matrix innovations(const InnovationForm& m, const SubspaceSpec& spec, const Fitted& f) {
  const model::LinearStateSpace in_units = to_model_units(m, spec, f.data);
  const Matrix x = (f.data.x * f.data.std.asDiagonal()).rowwise() + f.data.mean.transpose();
  const model::Record record{x.leftCols(2), x.rightCols(2)};
  model::Simulator simulator(in_units);
  simulator.start(record, 50, 50);
  Matrix predicted(x.rows() - 50, 2);
  simulator.one_step(record, 50, 50, predicted.rows(), predicted);
  return record.y.bottomRows(predicted.rows()) - predicted;
}

TEST(Subspace, InnovationsOfTheTrueOrderAreWhiteAndOfTheTrueSize) {
  math::Random random(5);
  Plant plant;
  plant.k << 0.3, 0.1, -0.2, 0.4, 0.1, 0.2;
  const SubspaceSpec spec = spec_of_plant(12);
  const Fitted f = fitted(train_dataset({plant.run(6000, 0.2, random)}, "uuyy"), spec);
  const Matrix e = innovations(f.fit.models[2], spec, f);
  const double bound = 4 / std::sqrt(static_cast<double>(e.rows()));
  for (Index j = 0; j < 2; ++j) {
    const auto rho =
        math::autocorrelation({e.col(j).data(), static_cast<std::size_t>(e.rows())}, 10);
    for (std::size_t k = 1; k <= 10; ++k) EXPECT_LT(std::abs(rho[k]), bound) << j << " " << k;
    EXPECT_NEAR(std::sqrt(power(e.col(j))), 0.2, 0.01);
  }
  const Matrix s = to_model_units(f.fit.models[2], spec, f.data).S;
  EXPECT_NEAR(s(0, 0), 0.04, 0.004);
  EXPECT_NEAR(s(1, 1), 0.04, 0.004);
}

TEST(Subspace, KeepsTheGainInFeedback) {
  // u answers y at once: future inputs in the regression would bias it.
  math::Random random(6);
  const Index n = 8000;
  const Vector dither = random_steps(n, 4, random);
  Matrix x = Matrix::Zero(n, 2);
  double state = 0, noise = 0;
  for (Index t = 0; t < n; ++t) {
    const double e = 0.3 * random.normal();
    x(t, 1) = state + noise + e;
    x(t, 0) = dither(t) - 0.8 * x(t, 1);
    noise = 0.7 * (noise + e);
    state = 0.8 * state + 0.4 * x(t, 0);
  }
  SubspaceSpec spec;
  spec.inputs = {{0, 1}};
  spec.outputs = {1};
  spec.past = 15;
  spec.max_order = 3;
  const Fitted f = fitted(train_dataset({x}, "uy"), spec);
  EXPECT_NEAR(model::dc_gain(to_model_units(f.fit.models[1], spec, f.data))(0, 0), 2, 0.1);
}

TEST(Subspace, UnstableFitIsFittedAgainInsideTheRadius) {
  math::Random random(7);
  const Index n = 300;
  const Vector u = random_steps(n, 10, random);
  Matrix x(n, 2);
  double level = 0;
  for (Index t = 0; t < n; ++t) {
    x(t, 0) = u(t);
    x(t, 1) = level;
    level = 1.003 * level + u(t);
  }
  SubspaceSpec spec;
  spec.inputs = {{0, 1}};
  spec.outputs = {1};
  spec.past = 5;
  spec.max_order = 1;
  const Fitted f = fitted(train_dataset({x}, "uy"), spec);
  ASSERT_EQ(f.fit.models.size(), 1U);
  EXPECT_TRUE(f.fit.models[0].refitted);
  EXPECT_LT(sorted_poles(f.fit.models[0])(0), spec.radius);
  EXPECT_GT(sorted_poles(f.fit.models[0])(0), spec.radius - 0.01) << "no more ridge than needed";
}

TEST(Subspace, StableGainKeepsTheNoise) {
  // y = C(q)/A(q) e with a zero at −1.25 is the same noise as with a zero at −0.8, 1.25² as strong.
  InnovationForm m;
  m.A = Matrix::Constant(1, 1, 0.5);
  m.C = Matrix::Constant(1, 1, 1);
  m.K = Matrix::Constant(1, 1, 1.75);
  m.S = Matrix::Constant(1, 1, 2);
  make_predictor_stable(m);
  EXPECT_NEAR(m.A(0, 0) - m.K(0, 0), -0.8, 1e-9);
  EXPECT_NEAR(m.S(0, 0), 2 * 1.25 * 1.25, 1e-8);
}

TEST(Subspace, ShortRecordsGiveNoModelRatherThanABadOne) {
  math::Random random(8);
  const Fitted f = fitted(train_dataset({Plant().run(30, 0.1, random)}, "uuyy"), spec_of_plant());
  EXPECT_TRUE(f.fit.models.empty()) << "22 rows, 33 regressors";
}

TEST(Subspace, PastCoversTheMemoryOfTheNoise) {
  math::Random random(9);
  Plant plant;
  const auto d = train_dataset({plant.run(3000, 0.3, random)}, "uuyy");
  const Index past = choose_past(fitted(d, spec_of_plant(20)).normal, spec_of_plant(20), 20);
  EXPECT_GE(past, 4);
  EXPECT_LE(past, 20);
}

TEST(Subspace, SameDataGiveTheSameBytes) {
  math::Random random(10);
  const auto d = train_dataset({Plant().run(500, 0.1, random)}, "uuyy");
  const Fitted a = fitted(d, spec_of_plant()), b = fitted(d, spec_of_plant());
  for (std::size_t n = 0; n < a.fit.models.size(); ++n) {
    EXPECT_EQ(a.fit.models[n].A, b.fit.models[n].A);
    EXPECT_EQ(a.fit.models[n].K, b.fit.models[n].K);
  }
}

TEST(SubspaceRational, AnswersAndPredictsLikeTheForm) {
  math::Random random(11);
  Plant plant;
  plant.k << 0.3, 0.1, -0.2, 0.4, 0.1, 0.2;
  Matrix x = plant.run(1500, 0.2, random);
  x.conservativeResize(Eigen::NoChange, 3);  // one CV
  SubspaceSpec spec = spec_of_plant();
  spec.outputs = {2};
  const Fitted f = fitted(train_dataset({x}, "uuy"), spec);
  for (std::size_t n = 0; n < 4; ++n) {
    const auto form = to_model_units(f.fit.models[n], spec, f.data);
    const Rational r = rational_of(f.fit.models[n], spec);
    const auto same = realise({r.arx}, f.data, f.fit.models[n].S, {r.noise});
    for (Index m = 0; m < 2; ++m) {
      const Matrix difference =
          model::step_response(form, m, 60) - model::step_response(same, m, 60);
      EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-8) << n;
    }
    Matrix k1 = form.K, k2 = same.K;
    for (Index k = 0; k < 20; ++k) {
      EXPECT_NEAR((form.C * k1)(0, 0), (same.C * k2)(0, 0), 1e-8) << n;
      k1 = form.A * k1;
      k2 = same.A * k2;
    }
    const Vector u = Vector::Zero(form.states());
    const double level =
        (form.g +
         form.C * *math::solve(Matrix::Identity(form.states(), form.states()) - form.A, form.f))(0);
    const double other =
        (same.g +
         same.C * *math::solve(Matrix::Identity(same.states(), same.states()) - same.A, same.f))(0);
    EXPECT_NEAR(level, other, 1e-6 * (1 + std::abs(level))) << "operating point, order " << n + 1;
  }
}

}  // namespace
}  // namespace flyball::identify
