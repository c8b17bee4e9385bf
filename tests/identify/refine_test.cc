#include "identify/refine.h"

#include <gtest/gtest.h>

#include <array>

#include "core/error.h"
#include "identify/describe.h"
#include "identify/horizon.h"
#include "identify/output_error_noise.h"
#include "identify/plants.h"
#include "identify/records.h"
#include "identify/subspace_rational.h"
#include "math/statistics.h"

namespace flyball::identify {
namespace {

constexpr Interval kEverything{0, 1 << 30};
constexpr Criterion kBoth[] = {Criterion::prediction_error, Criterion::output_error};

struct Fixture {
  TrainingData data;
  Regression r;
};

Fixture fixture(const std::vector<Matrix>& runs, const std::string& roles) {
  Fixture f;
  f.data = training_data(train_dataset(runs, roles));
  f.r = make_regression(f.data, 0, std::vector<bool>(static_cast<std::size_t>(f.data.nu()), true),
                        false, false);
  return f;
}

SubspaceSpec spec_of(const Regression& r, std::vector<Structure::Input> inputs) {
  SubspaceSpec s;
  s.inputs = std::move(inputs);
  s.outputs = {r.nu};
  s.max_order = 4;
  return s;
}

Rational start_of_order(const Fixture& f, std::vector<Structure::Input> inputs, std::size_t n) {
  const SubspaceSpec spec = spec_of(f.r, std::move(inputs));
  const Normal normal = normal_of(f.r, gram_of(f.r, spec.max_lag(), {kEverything}));
  return rational_of(fit_subspace(normal, spec).models.at(n - 1), spec);
}

/// Gain of input i in model units.
double gain_of(const Fixture& f, const Rational& m, Index i) {
  return gain(m.arx, i) * f.data.std(f.data.nu()) / f.data.std(i);
}

TEST(Refine, SensitivitiesEqualDifferences) {
  math::Random random(1);
  const Fixture f = fixture({two_lags(120, 20, random)}, "uuy");
  for (const Criterion criterion : kBoth) {
    Rational m = start_of_order(f, {{0, 0}, {1, 3}}, 2);
    m.arx.theta.array() += 0.01;
    if (criterion == Criterion::output_error) m.noise.c.resize(0);
    const Vector before = (Vector(2) << 0.3, -0.2).finished();
    const Sensitivity at = sensitivity(f.r, m, criterion, 10, 110, before);
    const auto moved = [&](Index k, double step) {
      Rational n = m;
      const Index p = n.arx.theta.size();
      if (k < p) {
        n.arx.theta(k) += step;
      } else if (k < p + m.noise.c.size()) {
        n.noise.c(k - p) += step;
      } else {
        n.arx.constant += step;
      }
      return sensitivity(f.r, n, criterion, 10, 110, before).e;
    };
    for (Index k = 0; k < at.slope.cols(); ++k) {
      const Vector difference = (moved(k, 1e-6) - moved(k, -1e-6)) / 2e-6;
      EXPECT_LT((difference - at.slope.col(k)).cwiseAbs().maxCoeff(),
                1e-7 * (1 + at.slope.col(k).cwiseAbs().maxCoeff()))
          << k;
    }
  }
}

TEST(Refine, NeverWorseThanItsStartAndStable) {
  math::Random random(2);
  const Fixture f = fixture({two_lags(400, 10, random)}, "uuy");
  const Rational good = start_of_order(f, {{0, 2}, {1, 4}}, 2);
  for (int i = 0; i < 30; ++i) {
    Rational start = good;
    for (double& v : start.arx.theta) v += 0.3 * random.normal();
    if (!roots_inside(start.arx.a(), 0.999)) continue;
    for (const Criterion criterion : kBoth) {
      const Refined r = refine(f.r, start, {kEverything}, {.criterion = criterion});
      EXPECT_LE(r.end, r.start);
      EXPECT_TRUE(roots_inside(r.model.arx.a(), 1 - 1e-6));
      EXPECT_TRUE(roots_inside(r.model.noise.c, 1 - 1e-6));
    }
  }
}

TEST(Refine, RecoversNoiseFreeSystemFromRunsWithGaps) {
  math::Random random(3);
  std::vector<Matrix> runs{two_lags(200, 999, random), two_lags(60, 999, random),
                           two_lags(333, 999, random)};
  runs[0](77, 2) = std::nan("");
  runs[2].row(150).setConstant(std::nan(""));
  const Fixture f = fixture(runs, "uuy");
  Rational start = start_of_order(f, {{0, 2}, {1, 4}}, 2);
  start.arx.theta.array() *= 0.97;
  const Refined r = refine(f.r, start, {kEverything}, {.tolerance = 1e-14});
  EXPECT_NEAR(gain_of(f, r.model, 0), 0.6, 1e-8);
  EXPECT_NEAR(gain_of(f, r.model, 1), -1.5, 1e-8);
  const Vector a = r.model.arx.a();
  EXPECT_NEAR(a(0), 0.5 + 0.9, 1e-8);
  EXPECT_NEAR(a(1), -0.5 * 0.9, 1e-8);
  EXPECT_LT(r.end, 1e-18);
}

TEST(Refine, EveryRunHasItsOwnInitialState) {
  // Without them the first run's decay from 50 would bend the poles.
  math::Random random(4);
  std::vector<Matrix> runs;
  for (const double from : {50.0, -20.0, 0.0}) {
    Matrix x(80, 2);
    x.col(0) = random_steps(80, 5, random);
    x.col(1) = first_order(x.col(0), 2, 0.9, 1);
    for (Index t = 0; t < 80; ++t) x(t, 1) += from * std::pow(0.9, static_cast<double>(t));
    runs.push_back(x);
  }
  const Fixture f = fixture(runs, "uy");
  Rational start = start_of_order(f, {{0, 1}}, 1);
  start.arx.theta(1) = 0.8;
  const Refined r = refine(f.r, start, {kEverything}, {.tolerance = 1e-14});
  EXPECT_NEAR(r.model.arx.a()(0), 0.9, 1e-8);
  EXPECT_NEAR(gain_of(f, r.model, 0), 2, 1e-7);
}

/// Truth inside value ± 1.96 standard errors, over seeds and inputs, for noise through 1/(1 − ρ
/// q⁻¹).
int covered_gains(double rho, int seeds) {
  int covered = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    math::Random random(static_cast<std::uint32_t>(seed));
    Matrix x = two_lags(600, 999, random);
    const double sigma = std::sqrt(power(x.col(2)) * std::pow(10, -2.6) * (1 - rho * rho));
    double w = 0;
    for (Index t = 0; t < x.rows(); ++t) {
      w = rho * w + sigma * random.normal();
      x(t, 2) += w;
    }
    const Fixture f = fixture({x}, "uuy");
    const Refined r = refine(f.r, start_of_order(f, {{0, 2}, {1, 4}}, 2), {kEverything}, {});
    const Arx& arx = r.model.arx;
    const Matrix covariance = r.covariance.topLeftCorner(arx.theta.size(), arx.theta.size());
    const double unit = f.data.std(2) / f.data.std(0);
    const Matrix slope = step_sensitivity(arx, 0, 200);
    const double spread = std::sqrt(slope.row(199).dot(slope.row(199) * covariance)) * unit;
    covered += std::abs(step_response(arx, 0, 200)(199) * unit - 0.6) <= 1.96 * spread ? 1 : 0;
  }
  return covered;
}

TEST(Refine, BandsOfGainsCoverTheTruthUnderOutputNoise) {
  // Binomial(50, 0.95): P(fewer than 43) = 0.4 %. ARX: 0-4 of 25.
  EXPECT_GE(covered_gains(0, 50), 43);
}

TEST(Refine, BandsOfGainsCoverTheTruthUnderColouredNoise) {
  EXPECT_GE(covered_gains(0.8, 50), 42);
}

/// Short runs of a large order have directions of the values before them that their rows hardly
/// see: the rounding of those must not become the standard error of the gain.
TEST(Refine, ShortRunsOfALargeOrderStillTellTheGainsError) {
  int inside = 0;
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    math::Random random(seed);
    std::vector<Matrix> runs;
    for (const Index rows : {15, 19, 28, 34, 50, 56, 81}) {
      Matrix x(rows + 20, 2);
      x.col(0) = random_steps(rows + 20, 10, random);
      Vector y = first_order(x.col(0), 2, 0.8, 6);
      double level = 0;
      for (double& v : y) v += level += 0.1 * random.normal();
      x.col(1) = y;
      runs.push_back(x);
    }
    const TrainingData data = training_data(train_dataset(runs, "uy"));
    const Regression r = make_regression(data, 0, {true}, false, true);
    const Arx start = preliminary(r, {{0, 6}}, 7);
    const Refined refined = refine(r, {start, {}}, {kEverything}, {});
    const Index p = start.theta.size();
    const Vector g = steady_slope(refined.model.arx, 0);
    const double unit = data.std(1) / data.std(0);
    const double error = std::sqrt(g.dot(refined.covariance.topLeftCorner(p, p) * g)) * unit;
    EXPECT_GT(error, 0.03) << "seed " << seed;
    inside += std::abs(gain(refined.model.arx, 0) * unit - 2) <= 1.96 * error ? 1 : 0;
  }
  // Binomial(30, 0.95): P(fewer than 25) = 0.3 %.
  EXPECT_GE(inside, 25);
}

TEST(Refine, PredictionErrorFindsTheNoise) {
  math::Random random(5);
  Matrix x(3000, 2);
  x.col(0) = random_steps(3000, 4, random);
  double y = 0, last = 0;
  for (Index t = 0; t < 3000; ++t) {
    const double e = 0.3 * random.normal();
    y = 0.9 * y + (t > 0 ? 0.2 * x(t - 1, 0) : 0) + e - 0.5 * last;
    last = e;
    x(t, 1) = y;
  }
  const Fixture f = fixture({x}, "uy");
  const Refined r = refine(f.r, start_of_order(f, {{0, 1}}, 1), {kEverything},
                           {.criterion = Criterion::prediction_error});
  EXPECT_NEAR(r.model.arx.a()(0), 0.9, 0.02);
  EXPECT_NEAR(r.model.noise.c(0), 0.5, 0.06);
  EXPECT_NEAR(std::sqrt(r.end) * f.data.std(1), 0.3, 0.01);
  EXPECT_NEAR(std::sqrt(r.covariance(2, 2)), std::sqrt((1 - 0.25) / 3000), 0.01) << "of c";
}

TEST(Refine, NoiseModelIsTheAutoregressionOfTheResidual) {
  math::Random random(6);
  Vector w = Vector::Zero(4000);
  for (Index t = 2; t < 4000; ++t) w(t) = 1.2 * w(t - 1) - 0.4 * w(t - 2) + 0.5 * random.normal();
  w(1000) = w(2001) = std::nan("");
  const Autoregression a = fit_autoregression(w, {{0, 2000}, {2000, 4000}});
  ASSERT_GE(a.d.size(), 2);
  EXPECT_NEAR(a.d(0), 1.2, 0.1);
  EXPECT_NEAR(a.d(1), -0.4, 0.1);
  EXPECT_NEAR(a.variance, 0.25, 0.02);
  EXPECT_TRUE(roots_inside(a.d, 1));
}

TEST(Refine, PredictorWithNoiseModelIsTheOneThatServes) {
  math::Random random(7);
  Matrix x = two_lags(900, 999, random);
  double w = 0;
  for (Index t = 0; t < 900; ++t) x(t, 2) += w = 0.9 * w + 0.05 * random.normal();
  const Fixture f = fixture({x}, "uuy");
  const Refined r = refine(f.r, start_of_order(f, {{0, 2}, {1, 4}}, 2), {kEverything}, {});
  const auto m = realise({r.model.arx}, f.data, Matrix::Identity(1, 1), {r.model.noise});
  model::Record record{x.leftCols(2), x.col(2)};
  model::Simulator simulator(m);
  simulator.start(record, 300, 300);
  Matrix predicted(600, 1);
  simulator.one_step(record, 300, 300, 600, predicted);
  const Vector e = x.col(2).tail(600) - predicted.col(0);
  EXPECT_NEAR(std::sqrt(power(e)), 0.05, 0.004) << "one step: the innovations of the noise";
  EXPECT_LT((m.K.topRows(2).cwiseAbs().maxCoeff()), 1e-12) << "the plant's states are open loop";
}

TEST(FoldScorer, SumsAreThoseOfRolloutsFromEveryRow) {
  // Two CVs whose innovations reach each other, and a hole in the targets of the fold.
  math::Random random(14);
  auto d = train_dataset({TwoByTwo::run(120, 15, random)}, "uuyy");
  d.runs[0].mask(80, 2) = 2;
  const TrainingData data = training_data(d);
  const Regression r = joint_regression(data, {true, true});
  model::LinearStateSpace m;
  m.A = (Matrix(2, 2) << 0.8, 0.1, -0.2, 0.7).finished();
  m.B = Matrix::Ones(2, 2) * 0.3;
  m.C = Matrix::Identity(2, 2);
  m.D = Matrix::Zero(2, 2);
  m.K = (Matrix(2, 2) << 0.4, 0.2, -0.1, 0.3).finished();
  m.S = Matrix::Identity(2, 2);
  m.f = Vector::Zero(2);
  m.g = Vector::Zero(2);
  m.u0 = Vector::Zero(2);
  m.channels = {{0, 1}, {1, 0}};
  m.n_mv = 2;
  const Index horizon = 7, history = 20, first = 40, end = 110;
  const FoldScorer scorer(data, {0, 1}, history, horizon);
  const auto sums = scorer.errors(m, r, 5, {{first, end}});
  const Matrix& x = d.runs[0].values;
  const model::Record record{x.leftCols(2), x.rightCols(2)};
  for (Index j = 0; j < 2; ++j) {
    double rollout = 0, one_step = 0, windows = 0;
    for (Index t = first; t + horizon <= end; ++t) {
      // Row 80 was not measured, and what stands there knows row 81.
      if (t <= 81 && 80 < t + horizon) continue;
      model::Simulator simulator(m);
      simulator.start(record, first, history);
      Matrix passed(t - first, 2), predicted(horizon, 2);
      simulator.one_step(record, first, history, t - first, passed);
      simulator.rollout(record, t, history, horizon, model::Future::measured, predicted);
      const Vector e = (x.col(2 + j).segment(t, horizon) - predicted.col(j)) / data.std(2 + j);
      rollout += e.squaredNorm();
      one_step += e(0) * e(0);
      windows += 1;
    }
    const FoldErrors& s = sums[static_cast<std::size_t>(j)];
    EXPECT_EQ(s.windows, windows);
    EXPECT_NEAR(s.rollout, rollout, 1e-9 * rollout);
    EXPECT_NEAR(s.one_step, one_step, 1e-9 * one_step);
  }
}

FoldErrors fold_of(double rollout, double free) {
  return {.rollout = rollout, .one_step = 0, .windows = 1, .free = free, .free_rows = 1};
}

TEST(FoldScorer, LossIsTheGeometricMeanOfErrorsOverTheFolds) {
  // One row and one window a fold, F = 1: both errors are roots.
  const std::vector<FoldErrors> a{fold_of(4, 9), fold_of(1, 16)};
  const Judged both, level{.free_run = false};
  EXPECT_NEAR(combined_loss(a, both), std::pow(2.0 * 3 * 1 * 4, 0.25), 1e-12);
  EXPECT_NEAR(combined_loss(a, level), std::sqrt(2.0), 1e-12);
  // A fold on which everything is ten times as far off says as much as before.
  const std::vector<FoldErrors> b{fold_of(4, 1), fold_of(2, 16)};
  auto far_a = a, far_b = b;
  for (auto* folds : {&far_a, &far_b}) {
    (*folds)[0].rollout *= 100;
    (*folds)[0].free *= 100;
  }
  EXPECT_NEAR(combined_loss(b, both) / combined_loss(a, both),
              combined_loss(far_b, both) / combined_loss(far_a, both), 1e-12);
  EXPECT_EQ(combined_loss({fold_of(0, 0)}, both), combined_loss({fold_of(1e-16, 0)}, both))
      << "errors of rounding are equal";
  EXPECT_TRUE(std::isnan(combined_loss({}, both)));
}

TEST(FoldScorer, DifferenceIsCountedInItsOwnErrors) {
  const std::vector<FoldErrors> a{fold_of(1, 2), fold_of(2, 4), fold_of(3, 6)};
  std::vector<FoldErrors> b = a;
  const Judged judged;
  EXPECT_EQ(difference_in_errors(a, b, judged), 0);
  // ln of a root of a square: an error e times as large adds 1 to one of the two halves.
  const double e2 = std::exp(2.0);
  b[0].rollout *= e2;
  b[1].free *= e2 * e2;
  b[2].rollout *= e2;
  b[2].free *= e2 * e2;
  // Differences 0.5, 1, 1.5: mean 1, standard error √(0.25/3).
  EXPECT_NEAR(difference_in_errors(a, b, judged), 1 / std::sqrt(0.25 / 3), 1e-9);
  EXPECT_NEAR(difference_in_errors(b, a, judged), -1 / std::sqrt(0.25 / 3), 1e-9);
  EXPECT_EQ(difference_in_errors({a[0]}, {b[0]}, judged), 0) << "one fold has no standard error";
}

/// Errors of four folds, `worse` times those of a model with 1 on each.
Trial trial_of(const std::string& trainer, Index parameters, std::array<double, 4> worse,
               Index noise = 0) {
  Trial t;
  t.trainer = trainer;
  t.parameters = parameters;
  t.noise.ar = Vector::Zero(noise);
  for (const double w : worse) t.folds.push_back(fold_of(w * w, w * w));
  return t;
}

TEST(ChooseTrial, TheFreeRunOnTheFoldsHasASay) {
  const auto trial = [](double rollout, double free) {
    Trial t = trial_of("subspace", 2, {1, 1, 1, 1});
    for (std::size_t i = 0; i < t.folds.size(); ++i) {
      t.folds[i].rollout = rollout * (1 + 0.01 * static_cast<double>(i));
      t.folds[i].free = free * (1 + 0.01 * static_cast<double>(i));
    }
    return t;
  };
  // A tenth better over F steps, but four times the error where nothing corrects it.
  std::vector<Trial> trials{trial(0.9, 4), trial(1, 1)};
  EXPECT_EQ(choose_trial(trials, {}), 1);
  for (Trial& t : trials) t.reason.clear();
  EXPECT_EQ(choose_trial(trials, {.free_run = false}), 0) << "a level is judged over F steps alone";
}

TEST(ChooseTrial, TheSmallerOfThoseThatCannotBeToldApart) {
  std::vector<Trial> trials{trial_of("subspace", 9, {1, 1, 1, 1}),
                            trial_of("linear_arx", 4, {1.05, 0.97, 1.04, 0.98}),
                            trial_of("subspace", 3, {1.02, 1.02, 1.02, 1.021}),
                            trial_of("prediction_error", 2, {1.4, 0.8, 1.3, 0.9})};
  EXPECT_EQ(choose_trial(trials, {}), 1);
  EXPECT_EQ(trials[2].reason, "worse") << "a little, but on every fold";
  EXPECT_EQ(trials[3].reason, "worse") << "within its standard error, but not within 3 %";
  // What the noise model holds is counted.
  for (Trial& t : trials) t.reason.clear();
  trials[1].noise.ar = Vector::Zero(6);
  EXPECT_EQ(choose_trial(trials, {}), 0);
}

TEST(ChooseTrial, ASimulationFitWithAColouredResidualHasToBeClearlyBetter) {
  const std::array<double, 4> now_and_then{0.7, 1.05, 0.8, 1.1}, always{0.7, 0.75, 0.8, 0.9};
  const auto choose = [](std::array<double, 4> errors, Index noise) {
    std::vector<Trial> trials{trial_of("linear_arx", 8, {1, 1, 1, 1}),
                              trial_of("output_error", 4, errors, noise)};
    return choose_trial(trials, {});
  };
  EXPECT_EQ(choose(now_and_then, 2), 1) << "1.2 standard errors better";
  EXPECT_EQ(choose(always, 2), 1);
  EXPECT_EQ(choose({0.7, 1.3, 0.8, 1.2}, 2), 0);
  EXPECT_EQ(choose({0.7, 1.3, 0.8, 1.2}, 0), 1) << "a white residual is what it is made for";
  std::vector<Trial> alone{trial_of("output_error", 4, now_and_then, 2)};
  EXPECT_EQ(choose_trial(alone, {}), 0);
}

}  // namespace
}  // namespace flyball::identify
