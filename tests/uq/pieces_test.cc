// Calendar pieces of one record count as runs when its errors forget, and not when they drift.
#include "uq/pieces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "evaluate/plant.h"
#include "math/random.h"
#include "uq/uq.h"

namespace flyball::uq {
namespace {

using dataset::Part;
using testing::known_plant;
using testing::make_dataset;

constexpr evaluate::WindowShape kShape{10, 12};
constexpr Index kSettling = 40;  ///< 0.9^40 = 1.5 %

/// One record of the known plant with an AR(1) disturbance on y1 that the model does not know.
dataset::Dataset record(double pole, std::uint32_t seed, Index rows = 8000) {
  auto data = make_dataset(known_plant(), {.rows = rows, .noise = 0.1, .seed = seed});
  math::Random random(seed + 100);
  double w = 0;
  for (Index t = 0; t < rows; ++t) {
    w = pole * w + 0.2 * std::sqrt(1 - pole * pole) * random.normal();
    data.runs[0].values(t, 3) += w;
  }
  testing::normalise(data);
  return data;
}

/// Predicts the known plant from its inputs alone: what is slow stays in the error.
evaluate::Predict open_loop() {
  model::LinearStateSpace m = known_plant();
  m.K = Matrix{{1e-6, 0.0}, {0.0, 1e-6}};
  return evaluate::predict_with(m);
}

TEST(Pieces, AreAsLongAsSaidAndApart) {
  const auto data = record(0, 1);
  const BlockScores s =
      block_scores(data, Part::test, evaluate::predict_with(known_plant()), kShape, {}, {}, 400);
  // 2000 − 22 rows after the purge and 10 of history: four pieces of 400 with 22 between.
  EXPECT_EQ(s.part_runs, 4);
  EXPECT_EQ(s.run_count(), 4);
  std::vector<Index> at;
  for (const std::string& run : std::set<std::string>(s.runs.begin(), s.runs.end()))
    at.push_back(std::stol(run.substr(run.find('@') + 1)));
  std::ranges::sort(at);
  for (std::size_t i = 1; i < at.size(); ++i) EXPECT_GE(at[i] - at[i - 1], 400 + 22);
}

TEST(Pieces, OfARecordThatForgetsCountAsRuns) {
  int given = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const auto data = record(0, seed);
    const UqResult r =
        evidence(data, evaluate::predict_with(known_plant()), kShape, 0.1, {}, kSettling);
    if (!r.uq) {
      EXPECT_EQ(r.reason->code, "UQ_PIECES_CORRELATED");
      continue;
    }
    ++given;
    EXPECT_EQ(r.uq->run_rule, RunRule::calendar_pieces);
    EXPECT_EQ(r.uq->piece_steps, 400);
    EXPECT_GE(r.uq->n_test_runs, 2);
    EXPECT_LT(*r.uq->piece_correlation, *r.uq->piece_correlation_limit);
  }
  EXPECT_GE(given, 8) << "5 % of each of two CVs are refused by chance";
}

TEST(Pieces, OfARecordThatDriftsDoNot) {
  int given = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const UqResult r = evidence(record(0.9995, seed), open_loop(), kShape, 0.1, {}, kSettling);
    given += r.uq ? 1 : 0;
    if (!r.uq) {
      EXPECT_EQ(r.reason->code, "UQ_PIECES_CORRELATED");
      EXPECT_NE(r.reason->text().find("y1"), std::string::npos) << r.reason->text();
    }
  }
  EXPECT_LE(given, 2);
}

TEST(Pieces, AreNotMadeOfAShortRecordOrWithoutASettlingTime) {
  const auto predict = evaluate::predict_with(known_plant());
  EXPECT_EQ(evidence(record(0, 1, 2400), predict, kShape, 0.1, {}, kSettling).reason->code,
            "UQ_PIECES_SHORT");
  EXPECT_EQ(evidence(record(0, 1), predict, kShape, 0.1, {}, 0).reason->code, "UQ_TEST_RUNS");
}

TEST(Pieces, DeclaredRunsStayTheRule) {
  const auto data = make_dataset(known_plant(), {.rows = 900, .runs = 12, .noise = 0.1});
  const UqResult r =
      evidence(data, evaluate::predict_with(known_plant()), kShape, 0.1, {}, kSettling);
  ASSERT_TRUE(r.uq);
  EXPECT_EQ(r.uq->run_rule, RunRule::declared);
  EXPECT_FALSE(r.uq->piece_steps);
}

}  // namespace
}  // namespace flyball::uq
