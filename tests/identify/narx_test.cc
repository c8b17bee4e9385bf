// Polynomial NARX by definition: known systems come back, slopes are those of differences, nothing
// of val and test is read, units do not matter.
#include "identify/narx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "evaluate/free_run.h"
#include "evaluate/narx_predictor.h"
#include "identify/narx_search.h"
#include "identify/plants.h"
#include "identify/records.h"
#include "support/expect_error.h"

namespace flyball::identify {
namespace {

/// y = 0.8 y(−1) + 0.3 u(−1) − 0.15 y(−1) u(−1) + 0.1 u(−2)², |u| ≤ 1.2, stable for every such u; a
/// second input moves and does nothing.
Matrix bilinear(Index rows, double noise, unsigned seed) {
  math::Random random(seed);
  Matrix x = Matrix::Zero(rows, 3);
  double u = 0, v = 0;
  for (Index t = 0; t < rows; ++t) {
    if (t % 7 == 0) u = random.uniform(-1.2, 1.2);
    if (t % 5 == 0) v = random.normal();
    x(t, 0) = u;
    x(t, 1) = v;
    if (t < 2) continue;
    const double y = x(t - 1, 2), w = x(t - 2, 0);
    x(t, 2) = 0.8 * y + 0.3 * x(t - 1, 0) - 0.15 * y * x(t - 1, 0) + 0.1 * w * w;
  }
  for (Index t = 0; t < rows; ++t) x(t, 2) += noise * random.normal();
  return x;
}

double test_fit(const dataset::Dataset& d, const NarxResult& r) {
  const auto run = evaluate::free_run(d, Part::test, evaluate::predict_with(r.model), r.history);
  return evaluate::fit(d, run).at(0).percent.value();
}

const DeadTime& pair(const Findings& f, const std::string& input) {
  return *std::ranges::find(f.dead_times, input, &DeadTime::input);
}

TEST(Narx, AKnownSystemComesBack) {
  const auto d = record_dataset(bilinear(800, 0, 1), "uuy");
  const NarxResult r = identify_narx(d);
  EXPECT_GT(test_fit(d, r), 99.9);
  const TrainingData data = training_data(d);
  // In deviations the product is y u = (ȳ + σy z)(ū + σu w): its coefficient is σu·(−0.15).
  const auto product = std::ranges::find(r.terms, "y1(t-1) · u1(t-1)", &NarxTermFinding::term);
  ASSERT_NE(product, r.terms.end());
  EXPECT_NEAR(product->coefficient, -0.15 * data.std(0), 1e-3);
  EXPECT_TRUE(pair(r.findings, "u1").found);
  EXPECT_EQ(pair(r.findings, "u1").steps, 1);
  EXPECT_TRUE(std::ranges::any_of(
      r.leaderboard, [](const LeaderboardRow& row) { return row.reason == "chosen"; }));
}

TEST(Narx, NoiseLeavesTheInputsThatAnswer) {
  const auto d = record_dataset(bilinear(800, 0.05, 2), "uuy");
  const NarxResult r = identify_narx(d);
  EXPECT_GT(test_fit(d, r), 85);
  EXPECT_TRUE(pair(r.findings, "u1").found);
  EXPECT_FALSE(pair(r.findings, "u2").found) << "an input that does nothing has no answer";
  EXPECT_TRUE(r.findings.excitation.at(1).left_out);
  for (const NarxTermFinding& t : r.terms) EXPECT_GT(t.std_error, 0) << t.term;
}

TEST(Narx, SlopesAreThoseOfDifferences) {
  const auto d = train_dataset({bilinear(200, 0.05, 3)}, "uuy");
  const TrainingData data = training_data(d);
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  const NarxLags lags{2, 2, 3, false, {{0, 1}}};
  const auto pool = narx_pool(lags, r.nu, 300);
  const NarxFitter fitter({&r, narx_pieces(r, lags.max_lag(), {}, 0), -9, 9, 1e-3}, pool, 2);
  NarxFit fit = fitter.begin();
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(fitter.grow(fit, 8));
  const Matrix slopes = fitter.slopes(fit);
  const auto simulate = [&](const Vector& theta) {  // by the code that serves predictions
    model::PolynomialNarx m;
    m.centre = Vector::Zero(3);
    m.scale = Vector::Ones(3);
    m.n_mv = 2;
    m.outputs.push_back({{}, -9, 9});
    for (std::size_t i = 0; i < fit.terms.size(); ++i)
      m.outputs[0].terms.push_back(
          {pool[static_cast<std::size_t>(fit.terms[i])], theta(static_cast<Index>(i))});
    const model::Record record{data.x.leftCols(2), data.x.rightCols(1)};
    model::NarxSimulator s(m);
    Matrix out(198, 1);
    s.start(record, 2, 2);
    s.rollout(record, 2, 2, 198, model::Future::measured, out);
    return out;
  };
  ASSERT_EQ(slopes.rows(), 198);
  for (Index i = 0; i < fit.theta.size(); ++i) {
    const double h = 1e-6;
    Vector up = fit.theta, down = fit.theta;
    up(i) += h;
    down(i) -= h;
    const Vector by_difference = (simulate(up) - simulate(down)).col(0) / (2 * h);
    EXPECT_LT((slopes.col(i) - by_difference).norm(), 1e-5 * (1 + by_difference.norm())) << i;
  }
  for (int i = 0; i < 3; ++i) {
    const double before = fit.cost;
    fitter.refine(fit, 5);
    EXPECT_LE(fit.cost, before);
  }
}

TEST(Narx, SameAnswerTwiceAndNothingOfValAndTestIsRead) {
  const Matrix x = bilinear(500, 0.05, 4);
  const NarxResult a = identify_narx(record_dataset(x, "uuy"));
  Matrix other = x;
  other.bottomRows(250).array() *= -3;
  const NarxResult b = identify_narx(record_dataset(other, "uuy"));
  ASSERT_EQ(a.terms.size(), b.terms.size());
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    EXPECT_EQ(a.terms[i].term, b.terms[i].term);
    EXPECT_EQ(a.terms[i].coefficient, b.terms[i].coefficient);
    EXPECT_EQ(a.terms[i].std_error, b.terms[i].std_error);
  }
}

TEST(NarxSearch, AnyNumberOfThreadsGivesTheSameBytes) {
  const TrainingData data = training_data(train_dataset({bilinear(300, 0.05, 9)}, "uuy"));
  const Regression r = make_regression(data, 0, {true, true}, false, false);
  NarxOptions options;
  options.inputs = options.early = {{0, 1}};
  options.history = 20;
  options.horizon = 12;
  options.low = -5;
  options.high = 5;
  const auto folds = make_folds(r, 10, options.history, options.horizon);
  const auto with = [&](unsigned threads) {
    options.threads = threads;
    return search_narx(r, options, folds, 10, "y1", {});
  };
  const NarxSearch one = with(1);
  EXPECT_GT(one.candidates.size(), 20u);
  for (const unsigned threads : {2U, 5U}) {
    const NarxSearch many = with(threads);
    ASSERT_EQ(one.candidates.size(), many.candidates.size());
    for (std::size_t i = 0; i < one.candidates.size(); ++i) {
      EXPECT_EQ(one.candidates[i].loss, many.candidates[i].loss) << i;
      EXPECT_EQ(one.candidates[i].terms, many.candidates[i].terms) << i;
      EXPECT_EQ(one.candidates[i].reason, many.candidates[i].reason) << i;
    }
    EXPECT_EQ(one.chosen, many.chosen);
    EXPECT_EQ(one.fit.terms, many.fit.terms);
    EXPECT_EQ(one.fit.theta, many.fit.theta);
    EXPECT_EQ(one.covariance, many.covariance);
  }
}

TEST(Narx, UnitsDoNotMatter) {
  const Matrix x = bilinear(500, 0.05, 4);
  const NarxResult a = identify_narx(record_dataset(x, "uuy"));
  const NarxResult b = identify_narx(record_dataset((x.array() * 1000 + 273.15).matrix(), "uuy"));
  ASSERT_EQ(a.terms.size(), b.terms.size());
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    EXPECT_EQ(a.terms[i].term, b.terms[i].term);
    EXPECT_NEAR(a.terms[i].coefficient, b.terms[i].coefficient, 1e-5);
  }
}

TEST(Narx, RunsAreNotJoined) {
  Matrix x = bilinear(900, 0.02, 5);
  std::vector<Matrix> runs;
  for (Index i = 0; i < 3; ++i) runs.push_back(x.middleRows(300 * i, 300));
  const NarxResult r = identify_narx(train_dataset(runs, "uuy"));
  EXPECT_TRUE(pair(r.findings, "u1").found);
  const Regression whole =
      make_regression(training_data(train_dataset(runs, "uuy")), 0, {true, true}, false, false);
  for (const Interval& piece : narx_pieces(whole, 5, {}, 0)) {
    EXPECT_EQ(piece.first % 300, 5);
    EXPECT_EQ(piece.end % 300, 0);
  }
  const auto cut = narx_pieces(whole, 5, {{100, 130}}, 40);
  for (const Interval& piece : cut) {
    EXPECT_LE(piece.end - piece.first, 40);
    EXPECT_TRUE(piece.end <= 100 || piece.first >= 135) << piece.first;
  }
}

TEST(Narx, TooFewRowsAreRefused) {
  EXPECT_ERROR(identify_narx(record_dataset(bilinear(120, 0.05, 6), "uuy")), "DATA_TOO_SHORT");
}

TEST(NarxTrial, TakesTheNonlinearPlantAndLeavesTheLinearOne) {
  const auto curved = record_dataset(bilinear(800, 0.02, 7), "uuy");
  const AutoResult of_curved = identify_auto(curved);
  const NarxTrial taken = try_narx(curved, of_curved.result, of_curved.folds);
  ASSERT_TRUE(taken.better);
  EXPECT_GT(test_fit(curved, *taken.better),
            free_run_fit(of_curved.result.model, curved, Part::test, of_curved.result.history)(0));

  math::Random random(8);
  const auto straight = record_dataset(two_lags(800, 20, random), "uuy");
  const AutoResult of_straight = identify_auto(straight);
  const NarxTrial left = try_narx(straight, of_straight.result, of_straight.folds);
  EXPECT_FALSE(left.better);
  ASSERT_FALSE(left.rows.empty());
  for (const LeaderboardRow& row : left.rows) {
    EXPECT_EQ(row.trainer, "polynomial_narx");
    EXPECT_NE(row.reason, "chosen");
    EXPECT_FALSE(row.reason.empty());
  }
}

TEST(NarxTerms, PoolHoldsEveryProductOnce) {
  const NarxLags lags{2, 2, 3, false, {{0, 3}, {1, 1}}};
  const auto pool = narx_pool(lags, 2, 1000);
  EXPECT_EQ(pool.size(), 84u) << "C(6 + 3, 3)";
  auto sorted = pool;
  for (NarxProduct& p : sorted)
    std::ranges::sort(
        p, [](auto& a, auto& b) { return std::tie(a.signal, a.lag) < std::tie(b.signal, b.lag); });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(sorted[i], sorted[k]);
  }
  EXPECT_LE(narx_pool(lags, 2, 40).size(), 40u);
  NarxLags even = lags;
  even.even = true;
  for (const NarxProduct& p : narx_pool(even, 2, 1000))
    EXPECT_EQ(std::ranges::count_if(p, [](const auto& f) { return f.signal < 2; }) % 2, 0);
}

}  // namespace
}  // namespace flyball::identify
