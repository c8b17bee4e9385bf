// The parts of the search, each against its definition.
#include "identify/regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "identify/arx.h"
#include "identify/hot_loops.h"
#include "identify/order_search.h"
#include "identify/records.h"
#include "math/linear_algebra.h"
#include "math/random.h"

namespace flyball::identify {
namespace {

constexpr Interval kAll{0, 1'000'000};

Matrix noise(Index rows, Index cols, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, cols);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = random.normal();
  return x;
}

TrainingData data_of(const std::vector<Matrix>& runs, const std::string& roles) {
  return training_data(train_dataset(runs, roles));
}

TEST(Regression, SolutionIsTheLeastSquaresSolution) {
  const TrainingData d = data_of({noise(300, 3, 1), noise(200, 3, 2)}, "uuy");
  const Regression r = make_regression(d, 0, {true, true}, false, false);
  const Structure s{2, 3, {{0, 1}, {1, 0}}};
  const auto terms = s.terms(r.nu);
  const Normal normal = normal_of(r, gram_of(r, s.max_lag(), {kAll}));
  const Solution ours = solve(normal, terms, {r.nu, 0}, {.lambda = 1e-13, .exact_steps = 1});
  Matrix phi(0, static_cast<Index>(terms.size()) + 1);
  Vector y(0);
  for (const Stretch& st : r.stretches) {
    for (Index t = st.first + s.max_lag(); t < st.end; ++t) {
      phi.conservativeResize(phi.rows() + 1, Eigen::NoChange);
      y.conservativeResize(y.size() + 1);
      for (std::size_t i = 0; i < terms.size(); ++i) {
        phi(phi.rows() - 1, static_cast<Index>(i)) = r.x(t - terms[i].lag, terms[i].signal);
      }
      phi(phi.rows() - 1, phi.cols() - 1) = 1;
      y(y.size() - 1) = r.x(t, r.nu);
    }
  }
  const Vector oracle = math::least_squares(phi, y);
  EXPECT_EQ(normal.rows, y.size());
  EXPECT_LT((ours.theta - oracle.head(ours.theta.size())).norm(), 1e-10);
  EXPECT_NEAR(constant_of(normal, terms, r.nu, ours.theta), oracle(oracle.size() - 1), 1e-10);
  EXPECT_NEAR(ours.rss, (y - phi * oracle).squaredNorm(), 1e-8);
}

TEST(Regression, RidgeIsTheMinimiserOfThePenalisedSum) {
  const TrainingData d = data_of({noise(200, 2, 3)}, "uy");
  const Regression r = make_regression(d, 0, {true}, false, false);
  const Structure s{1, 2, {{0, 1}}};
  const auto terms = s.terms(r.nu);
  const Normal n = normal_of(r, gram_of(r, 2, {kAll}));
  const double lambda = 0.3;
  const Vector theta = solve(n, terms, {r.nu, 0}, {.lambda = lambda}).theta;
  // Gradient of the sum: C θ − r + λ diag(C) θ = 0.
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Index row = n.index(terms[i].signal, terms[i].lag);
    double gradient =
        lambda * n.c(row, row) * theta(static_cast<Index>(i)) - n.c(row, n.index(r.nu, 0));
    for (std::size_t j = 0; j < terms.size(); ++j) {
      gradient += n.c(row, n.index(terms[j].signal, terms[j].lag)) * theta(static_cast<Index>(j));
    }
    EXPECT_NEAR(gradient, 0, 1e-9);
  }
}

TEST(Regression, AnIllConditionedFitKeepsItsDigits) {
  // u2 is u1 but for 1e-8 of it; y answers both, without noise.
  Matrix x = noise(2000, 3, 7);
  x.col(1) = x.col(0) + 1e-8 * x.col(1);
  x(0, 2) = x(1, 2) = 0;
  for (Index t = 2; t < x.rows(); ++t) {
    x(t, 2) = 0.5 * x(t - 1, 2) + x(t - 1, 0) - 0.25 * x(t - 2, 0) + 0.5 * x(t - 1, 1);
  }
  const TrainingData d = data_of({x}, "uuy");
  const Regression r = make_regression(d, 0, {true, true}, false, false);
  const std::vector<Term> terms{{0, 1}, {0, 2}, {1, 1}, {2, 1}};
  const Normal normal = normal_of(r, gram_of(r, 2, {kAll}));
  const RowFit fit = fit_rows(r, normal, terms, {.lambda = 0});
  EXPECT_TRUE(fit.exact);
  EXPECT_GT(fit.solution.condition, 1e14);
  // In model units; what is known of a coefficient is limited by the rounding of the data.
  const Vector truth{{d.std(0), -0.25 * d.std(0), 0.5 * d.std(1), 0.5 * d.std(2)}};
  EXPECT_LT((fit.solution.theta * d.std(2) - truth).cwiseAbs().maxCoeff(), 1e-6);
  const Solution plain = solve(normal, terms, {r.nu, 0}, {.lambda = 0});
  EXPECT_GT((plain.theta * d.std(2) - truth).cwiseAbs().maxCoeff(), 1e-4);

  const std::vector<Term> well{{0, 1}, {0, 2}, {2, 1}};
  const RowFit usual = fit_rows(r, normal, well, {.lambda = 1e-8});
  EXPECT_FALSE(usual.exact);
  EXPECT_EQ(usual.solution.theta, solve(normal, well, {r.nu, 0}, {.lambda = 1e-8}).theta);
}

TEST(Regression, DifferencedFormHoldsChangesInsideBlocks) {
  const Matrix x = noise(50, 2, 4);
  const TrainingData d = data_of({x, x}, "uy");
  const Regression r = make_regression(d, 0, {true}, false, true);
  ASSERT_EQ(r.stretches.size(), 2U);
  EXPECT_EQ(r.stretches[0].first, 1);
  EXPECT_EQ(r.stretches[1].first, 51) << "no change across a border";
  EXPECT_NEAR(r.x(7, 1) * d.std(1), x(7, 1) - x(6, 1), 1e-12);
  EXPECT_FALSE(r.has_constant());
}

TEST(Regression, MissingValuesSplitStretches) {
  Matrix x = noise(60, 2, 5);
  x(20, 0) = std::nan("");
  const TrainingData d = data_of({x}, "uy");
  const Regression used = make_regression(d, 0, {true}, false, false);
  EXPECT_EQ(used.stretches.size(), 2U);
  const Regression unused = make_regression(d, 0, {false}, false, false);
  EXPECT_EQ(unused.stretches.size(), 1U) << "an input that is left out costs no rows";
}

TEST(RolloutError, SumEqualsTheErrorsOfEveryWindow) {
  for (const Index n : {10, 37, 1500}) {
    const Vector e = noise(n, 1, 6);
    const Vector h = disturbance_response(Vector::Constant(2, 0.4), 1, 10);
    double one_step = 0;
    const double sum = rollout_error_sum(e.data(), n, h, &one_step);
    double expected = 0, expected_first = 0;
    for (Index t = 0; t + 10 <= n; ++t) {
      for (Index k = 0; k < 10; ++k) {
        double d = 0;
        for (Index i = 0; i <= k; ++i) d += h(i) * e(t + k - i);
        expected += d * d;
        if (k == 0) expected_first += d * d;
      }
    }
    EXPECT_NEAR(sum / expected, 1, 1e-12) << n;
    EXPECT_NEAR(one_step / expected_first, 1, 1e-12) << n;
  }
  double one_step = 0;
  EXPECT_EQ(rollout_error_sum(nullptr, 4, Vector::Ones(5), &one_step), 0);
}

TEST(RolloutError, IsTheErrorOfARollout) {
  // y(t+k) − ŷ(t+k) of the equation run on from measured lags, against hᵢ * residuals.
  const TrainingData d = data_of({noise(80, 2, 7)}, "uy");
  const Regression r = make_regression(d, 0, {true}, false, false);
  const Structure s{2, 2, {{0, 1}}};
  Vector theta(4);
  theta << 0.3, -0.2, 0.5, 0.1;
  const Index t = 40, steps = 8;
  Vector y = r.x.col(1);
  Vector e(steps);
  residuals(r, s, theta, 0.05, t, t + steps, e.data());
  for (Index k = t; k < t + steps; ++k) {
    y(k) = 0.05 + 0.3 * r.x(k - 1, 0) - 0.2 * r.x(k - 2, 0) + 0.5 * y(k - 1) + 0.1 * y(k - 2);
  }
  const Vector h = disturbance_response(theta.tail(2), 0, steps);
  for (Index k = 0; k < steps; ++k) {
    double error = 0;
    for (Index i = 0; i <= k; ++i) error += h(i) * e(k - i);
    EXPECT_NEAR(error, r.x(t + k, 1) - y(t + k), 1e-12);
  }
}

TEST(RootsInside, AgreesWithTheEigenvalues) {
  math::Random random(8);
  for (int i = 0; i < 500; ++i) {
    const Index n = 1 + random.index(8);
    Vector a(n);
    for (Index k = 0; k < n; ++k) a(k) = random.uniform(-0.8, 0.8);
    Matrix companion = Matrix::Zero(n, n);
    companion.row(0) = a.transpose();
    for (Index k = 1; k < n; ++k) companion(k, k - 1) = 1;
    const double radius = math::eigenvalue_moduli(companion)(0);
    EXPECT_EQ(roots_inside(a, 1), radius < 1) << radius;
    EXPECT_TRUE(roots_inside(a, radius * 1.001));
    EXPECT_FALSE(roots_inside(a, radius * 0.999));
  }
}

TEST(StepSensitivity, IsTheDerivativeOfTheStepResponse) {
  Arx arx;
  arx.structure = {2, 3, {{0, 2}}};
  arx.theta.resize(5);
  arx.theta << 0.4, -0.3, 0.2, 0.9, -0.3;
  for (const bool integrating : {false, true}) {
    arx.integrating = integrating;
    const Matrix slope = step_sensitivity(arx, 0, 25);
    for (Index p = 0; p < 5; ++p) {
      Arx up = arx, down = arx;
      up.theta(p) += 1e-6;
      down.theta(p) -= 1e-6;
      const Vector numeric = (step_response(up, 0, 25) - step_response(down, 0, 25)) / 2e-6;
      EXPECT_LT((numeric - slope.col(p)).cwiseAbs().maxCoeff(), 1e-6);
    }
  }
}

TEST(Folds, CoverTheTargetsOnceAndInTime) {
  const TrainingData d = data_of({noise(1000, 2, 9)}, "uy");
  const Regression r = make_regression(d, 0, {true}, false, false);
  const auto folds = make_folds(r, 20, 30, 20);
  ASSERT_EQ(folds.size(), 5U);
  Index next = 20;
  for (const auto& fold : folds) {
    ASSERT_EQ(fold.size(), 1U);
    EXPECT_EQ(fold[0].first, next);
    next = fold[0].end;
  }
  EXPECT_EQ(next, 1000);
  EXPECT_EQ(make_folds(r, 20, 100, 100).size(), 3U) << "980 rows / (H + 2F)";
  EXPECT_TRUE(make_folds(r, 20, 300, 300).empty()) << "one fold is none";
}

TEST(Folds, GoByRunFromThreeRunsOn) {
  const Matrix x = noise(300, 2, 10);
  const TrainingData d = data_of({x, x, x, x}, "uy");
  const auto folds = make_folds(make_regression(d, 0, {true}, false, false), 20, 30, 20);
  ASSERT_EQ(folds.size(), 4U);
  for (std::size_t f = 0; f < 4; ++f) {
    ASSERT_EQ(folds[f].size(), 1U);
    EXPECT_EQ(folds[f][0].first, static_cast<Index>(300 * f + 20));
    EXPECT_EQ(folds[f][0].end, static_cast<Index>(300 * (f + 1)));
  }
}

TEST(OrderSearch, ChoosesTheSmallestWithinOnePercent) {
  math::Random random(11);
  Matrix x(1200, 2);
  x.col(0) = noise(1200, 1, 12);
  x.col(1).setZero();
  for (Index t = 3; t < 1200; ++t) {
    x(t, 1) = 1.2 * x(t - 1, 1) - 0.5 * x(t - 2, 1) + 0.7 * x(t - 2, 0) + 0.3 * x(t - 3, 0) +
              0.2 * random.normal();
  }
  const TrainingData d = data_of({x}, "uy");
  const std::vector<Regression> forms{make_regression(d, 0, {true}, false, false),
                                      make_regression(d, 0, {true}, false, true)};
  SearchOptions o;
  o.inputs = {{0, 2}};
  o.horizon = 10;
  const auto folds = make_folds(forms[0], 12, o.separation, o.horizon);
  const SearchResult result = search_orders(forms, o, folds, "y", {});
  const Candidate& chosen = result.candidates[result.chosen];
  EXPECT_EQ(chosen.na, 2);
  EXPECT_EQ(chosen.nb, 2);
  EXPECT_FALSE(chosen.differenced);
  EXPECT_EQ(result.candidates.size(), 200U) << "10 by 10 orders in two forms";
  double best = 1e9;
  for (const Candidate& c : result.candidates) {
    if (std::isfinite(c.score)) best = std::min(best, c.score);
    EXPECT_FALSE(c.reason.empty());
  }
  EXPECT_LE(chosen.score, 1.01 * best);
  for (const Candidate& c : result.candidates) {
    const bool as_good = c.score <= 1.01 * best;
    EXPECT_TRUE(!as_good || c.parameters >= chosen.parameters) << c.na << " " << c.nb;
  }
}

TEST(OrderSearch, GivesTheSameBitsOnAnyNumberOfThreads) {
  Matrix x = noise(900, 3, 21);
  for (Index t = 2; t < x.rows(); ++t)
    x(t, 2) += 0.8 * x(t - 1, 2) + x(t - 1, 0) - 0.5 * x(t - 2, 1);
  const TrainingData d = data_of({x}, "uuy");
  const std::vector<Regression> forms{make_regression(d, 0, {true, true}, false, false),
                                      make_regression(d, 0, {true, true}, false, true)};
  SearchOptions o;
  o.inputs = {{0, 1}, {1, 1}};
  o.horizon = 10;
  const auto folds = make_folds(forms[0], 11, o.separation, o.horizon);
  o.threads = 1;
  const SearchResult one = search_orders(forms, o, folds, "y", {});
  for (const unsigned threads : {2U, 5U}) {
    o.threads = threads;
    const SearchResult many = search_orders(forms, o, folds, "y", {});
    ASSERT_EQ(many.candidates.size(), one.candidates.size());
    EXPECT_EQ(many.chosen, one.chosen);
    EXPECT_EQ(many.best.theta, one.best.theta);
    for (std::size_t i = 0; i < one.candidates.size(); ++i) {
      const Candidate &a = one.candidates[i], &b = many.candidates[i];
      EXPECT_EQ(std::tie(a.na, a.nb, a.differenced, a.lambda, a.reason),
                std::tie(b.na, b.nb, b.differenced, b.lambda, b.reason));
      EXPECT_TRUE(a.score == b.score || (std::isnan(a.score) && std::isnan(b.score)));
    }
  }
}

}  // namespace
}  // namespace flyball::identify
