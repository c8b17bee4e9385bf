// An inverse response of the plant is told with its size; one that only the model has is not
// certain.
#include "diagnose/inverse_response.h"

#include <gtest/gtest.h>

#include "identify/identify_auto.h"
#include "identify/plants.h"
#include "identify/records.h"

namespace flyball::diagnose {
namespace {

using identify::first_order;
using identify::train_dataset;

/// 3·lag(0.9) − 1.5·lag(0.6): starts at −1.5·0.4 + 3·0.1 = −0.3 of a gain of 1.5.
Matrix record(double fast, double decibel, std::uint32_t seed) {
  math::Random random(seed);
  Matrix x(1500, 2);
  x.col(0) = identify::random_steps(1500, 6, random);
  Vector y = first_order(x.col(0), 3, 0.9, 2) + first_order(x.col(0), fast, 0.6, 2);
  identify::add_noise(y, decibel, random);
  x.col(1) = y;
  return x;
}

TEST(InverseResponse, OfThePlantIsToldWithItsSize) {
  const auto found = identify::identify_arx(train_dataset({record(-1.5, 35, 1)}, "uy"));
  const auto list = inverse_responses_of(found.findings);
  ASSERT_EQ(list.size(), 1u);
  // h(1) = 3(1 − 0.9²) − 1.5(1 − 0.6²) = −0.39, h(2) = 3·0.271 − 1.5·0.784 = −0.363.
  EXPECT_TRUE(list[0].certain);
  EXPECT_NEAR(list[0].share, 0.39 / 1.5, 0.05);
  EXPECT_LE(list[0].low, 0.26);
  EXPECT_GE(list[0].high, 0.26);
}

TEST(InverseResponse, IsNotClaimedOfAMinimumPhasePlant) {
  int certain = 0;
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const auto data = train_dataset({record(0.5, 10, seed)}, "uy");
    const identify::Families families{
        .arx = false, .subspace = true, .prediction_error = false, .output_error = false};
    for (const auto& r : inverse_responses_of(identify_auto(data, {}, families).result.findings))
      certain += r.certain ? 1 : 0;
  }
  EXPECT_LE(certain, 1);
}

}  // namespace
}  // namespace flyball::diagnose
