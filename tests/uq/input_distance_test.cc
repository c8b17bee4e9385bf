#include "uq/input_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace flyball::uq {
namespace {

using V = std::vector<double>;

TEST(InputDistance, IsTheLargestDistanceInDeviations) {
  EXPECT_DOUBLE_EQ(input_distance(V{3, 10}, V{1, 10}, V{1, 5}).value(), 2);
  EXPECT_DOUBLE_EQ(input_distance(V{1, -5}, V{1, 10}, V{1, 5}).value(), 3);
}

TEST(InputDistance, CannotBeToldFromMissingValuesOrColumns) {
  EXPECT_FALSE(input_distance(V{1}, V{1, 2}, V{1, 1}));
  EXPECT_FALSE(input_distance(V{}, V{}, V{}));
  EXPECT_FALSE(input_distance(V{std::nan("")}, V{0}, V{1}));
  EXPECT_FALSE(input_distance(V{std::numeric_limits<double>::infinity()}, V{0}, V{1}));
}

TEST(InputDistance, FromAConstantColumnIsInfiniteInAnyUnit) {
  for (const double scale : {1e-12, 1.0, 1e12}) {
    EXPECT_TRUE(std::isinf(input_distance(V{0, 5 * scale}, V{0, 5 * scale}, V{1, 0}).value()));
    EXPECT_DOUBLE_EQ(input_distance(V{3 * scale}, V{1 * scale}, V{0.5 * scale}).value(), 4);
  }
}

TEST(Fresh, EndsAfterItsDays) {
  const TimeUs now = parse_time("2026-03-31T00:00:00Z");
  EXPECT_TRUE(is_fresh("2026-03-01T00:00:00Z", now));
  EXPECT_FALSE(is_fresh("2026-02-28T23:59:59Z", now));
  EXPECT_TRUE(is_fresh("2026-03-30T00:00:00Z", now, 1));
  EXPECT_FALSE(is_fresh("yesterday", now));
  EXPECT_FALSE(is_fresh("2027-03-01T00:00:00Z", now));
}

}  // namespace
}  // namespace flyball::uq
