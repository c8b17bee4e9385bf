// Singular values and relative gains by their definitions, and what is said of plants whose gains
// are known.
#include "diagnose/gain_matrix.h"

#include <gtest/gtest.h>

#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::identify_arx;
using identify::train_dataset;

Matrix to_matrix(const std::vector<std::vector<double>>& rows) {
  Matrix out(std::ssize(rows), std::ssize(rows.front()));
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index j = 0; j < out.cols(); ++j)
      out(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  return out;
}

TEST(Singular, ValuesAndVectorsRebuildTheMatrix) {
  math::Random random(1);
  for (const auto& [rows, columns] : {std::pair{2, 2}, {3, 5}, {4, 2}, {6, 6}}) {
    const Matrix k = Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
    const Singular s = singular_values_of(k);
    EXPECT_LT((s.u * s.values.asDiagonal() * s.v.transpose() - k).norm(), 1e-12 * k.norm());
    EXPECT_LT((s.v.transpose() * s.v - Matrix::Identity(s.v.cols(), s.v.cols())).norm(), 1e-12);
    for (Index i = 1; i < s.values.size(); ++i) EXPECT_LE(s.values(i), s.values(i - 1));
  }
}

TEST(Singular, SmallValuesKeepTheirDigits) {
  Matrix k(2, 2);
  k << 1, 1, 1, 1 + 1e-9;  // σ₂ = det/σ₁ = 1e-9/2 to first order
  EXPECT_NEAR(singular_values_of(k).values(1) / 5e-10, 1, 1e-5);
}

TEST(RelativeGains, RowsAndColumnsSumToOneAndScalesCancel) {
  Matrix wood_berry(2, 2);
  wood_berry << 12.8, -18.9, 6.6, -19.4;
  const Matrix relative = relative_gains(wood_berry);
  // λ₁₁ = 1/(1 − k₁₂k₂₁/(k₁₁k₂₂)): 2.01, as published.
  EXPECT_NEAR(relative(0, 0), 1 / (1 - (-18.9 * 6.6) / (12.8 * -19.4)), 1e-12);
  EXPECT_LT((relative.rowwise().sum() - Vector::Ones(2)).norm(), 1e-12);
  EXPECT_LT((relative.colwise().sum() - Vector::Ones(2).transpose()).norm(), 1e-12);
  const Vector left = Vector{{1000.0, 0.01}}, right = Vector{{3.0, 77.0}};
  EXPECT_LT((relative_gains(left.asDiagonal() * wood_berry * right.asDiagonal()) - relative).norm(),
            1e-10);
}

/// Two first-order CVs with the gains given.
Matrix record(const Matrix& k, Index rows, double decibel, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(rows, 4);
  for (Index m = 0; m < 2; ++m) x.col(m) = identify::random_steps(rows, 5, random);
  for (Index j = 0; j < 2; ++j) {
    Vector y = Vector::Zero(rows);
    for (Index m = 0; m < 2; ++m)
      y += identify::first_order(x.col(m), k(j, m), j == 0 ? 0.8 : 0.85, 2 + j + m);
    identify::add_noise(y, decibel, random);
    x.col(2 + j) = y;
  }
  return x;
}

GainMatrix found(const Matrix& k, double decibel, std::uint32_t seed) {
  const auto data = train_dataset({record(k, 1500, decibel, seed)}, "uuyy");
  const auto r = identify_arx(data);
  return gain_matrix_of(data, r.findings).value();
}

TEST(GainMatrix, IsNearTheTruthAndItsRangesHoldIt) {
  Matrix k(2, 2);
  k << 2, -0.8, 0.6, 1.5;
  const Matrix truth = relative_gains(k);
  int held = 0;
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const GainMatrix g = found(k, 30, seed);
    EXPECT_LT((to_matrix(g.gains) - k).norm(), 0.1);
    EXPECT_TRUE(g.weak.empty());
    EXPECT_LT(*g.condition, 4);
    EXPECT_LE(*g.condition_low, *g.condition);
    EXPECT_GE(*g.condition_high, *g.condition);
    const bool holds = to_matrix(g.relative_low)(0, 0) <= truth(0, 0) &&
                       to_matrix(g.relative_high)(0, 0) >= truth(0, 0);
    held += holds ? 1 : 0;
  }
  EXPECT_GE(held, 8) << "95 % ranges";
}

TEST(GainMatrix, AWeakCombinationIsNamed) {
  Matrix k(2, 2);
  k << 1, 1, 1, 1.02;  // u1 up and u2 down leaves both CVs where they are
  const GainMatrix g = found(k, 20, 3);
  ASSERT_EQ(g.weak.size(), 1u);
  EXPECT_NE(g.weak[0].moves.find("u1 +1.00"), std::string::npos) << g.weak[0].moves;
  EXPECT_NE(g.weak[0].moves.find("u2 −"), std::string::npos) << g.weak[0].moves;
  EXPECT_FALSE(g.weak[0].certain);
  EXPECT_GT(*g.condition, 20);
}

TEST(GainMatrix, DoesNotDependOnUnits) {
  Matrix k(2, 2);
  k << 2, -0.8, 0.6, 1.5;
  const Matrix x = record(k, 1000, 25, 5);
  const auto a_data = train_dataset({x}, "uuyy"),
             b_data = train_dataset({(x.array() * 1000 + 273.15).matrix()}, "uuyy");
  const auto a = gain_matrix_of(a_data, identify_arx(a_data).findings).value();
  const auto b = gain_matrix_of(b_data, identify_arx(b_data).findings).value();
  EXPECT_LT((to_matrix(a.relative) - to_matrix(b.relative)).norm(), 1e-6);
  EXPECT_NEAR(*a.condition, *b.condition, 1e-6);
  EXPECT_NEAR(*a.condition_high, *b.condition_high, 1e-6);
}

TEST(GainMatrix, ThereIsNoneForOneCv) {
  math::Random random(1);
  const auto data = train_dataset({identify::two_lags(600, 30, random)}, "uuy");
  EXPECT_FALSE(gain_matrix_of(data, identify_arx(data).findings));
}

}  // namespace
}  // namespace flyball::diagnose
