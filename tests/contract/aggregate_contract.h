#pragma once
// What Historian::aggregate promises, over every implementation:
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, AggregateContract, MemoryFactory);
#include <algorithm>

#include "contract/historian_contract.h"

namespace flyball::historian {

template <class Factory>
class AggregateContract : public HistorianContract<Factory> {};

TYPED_TEST_SUITE_P(AggregateContract);

/// One run, one tag, [0, 100) in one bucket unless said otherwise.
inline AggregateRequest buckets(DurationUs bucket = 100, TimeUs from = 0, TimeUs to = 100) {
  AggregateRequest request;
  request.node_id = "L1/T";
  request.from = from;
  request.to = to;
  request.bucket = bucket;
  return request;
}

TYPED_TEST_P(AggregateContract, AnAggregateIsWeightedByTime) {
  this->store->append(run_of("r"), "L1/T",
                      std::vector<Sample>{{0, 10, kGood}, {75, 30, kGood}, {100, 0, kGood}});
  AggregateRequest request = buckets();
  const auto sloped = this->store->aggregate(request);
  ASSERT_EQ(sloped.size(), 1u);
  EXPECT_EQ(sloped[0].count, 2);
  EXPECT_DOUBLE_EQ(*sloped[0].mean, 0.75 * 20 + 0.25 * 15);
  EXPECT_EQ(*sloped[0].min, 0) << "the end of the slope";
  EXPECT_EQ(*sloped[0].max, 30);
  EXPECT_DOUBLE_EQ(sloped[0].good_share, 1);
  request.stepped = true;
  const auto stepped = this->store->aggregate(request);
  EXPECT_DOUBLE_EQ(*stepped[0].mean, 0.75 * 10 + 0.25 * 30);
  EXPECT_EQ(*stepped[0].min, 10);
}

TYPED_TEST_P(AggregateContract, WhatIsHeldOrSlopedIntoABucketBelongsToIt) {
  this->store->append(run_of("r"), "L1/T", std::vector<Sample>{{-100, 0, kGood}, {300, 40, kGood}});
  AggregateRequest request = buckets();
  auto got = this->store->aggregate(request);
  EXPECT_EQ(got[0].count, 0);
  EXPECT_DOUBLE_EQ(*got[0].mean, 15);
  EXPECT_DOUBLE_EQ(*got[0].min, 10);
  EXPECT_DOUBLE_EQ(*got[0].max, 20);
  EXPECT_DOUBLE_EQ(got[0].good_share, 1);
  request.stepped = true;
  got = this->store->aggregate(request);
  EXPECT_DOUBLE_EQ(*got[0].mean, 0);
  EXPECT_DOUBLE_EQ(got[0].good_share, 1);
}

TYPED_TEST_P(AggregateContract, TheSignalEndsAtABadSampleAndWithItsRun) {
  const std::vector<Sample> given{{0, 1, kGood},  {20, 3, kUncertain}, {40, 99, kBad},
                                  {60, 5, kGood}, {70, 5, kGood},      {80, std::nan(""), kGood}};
  this->store->append(run_of("r"), "L1/T", given);
  AggregateRequest request = buckets();
  auto got = this->store->aggregate(request);
  EXPECT_EQ(got[0].count, 6);
  EXPECT_DOUBLE_EQ(got[0].good_share, 0.3);
  EXPECT_DOUBLE_EQ(*got[0].mean, (20 * 2 + 10 * 5) / 30.0);
  EXPECT_EQ(*got[0].max, 5) << "a bad value is no part of the signal";
  request.stepped = true;
  got = this->store->aggregate(request);
  EXPECT_DOUBLE_EQ(got[0].good_share, 0.6);
  EXPECT_DOUBLE_EQ(*got[0].mean, (20 * 1 + 20 * 3 + 20 * 5) / 60.0);
}

TYPED_TEST_P(AggregateContract, SamplesWithoutDurationGiveTheirPlainMean) {
  this->store->append(run_of("a"), "L1/T", std::vector<Sample>{{10, 1, kGood}});
  this->store->append(run_of("b"), "L1/T", std::vector<Sample>{{20, 2, kGood}});
  this->store->append(run_of("c"), "L1/T", std::vector<Sample>{{30, 9, kBad}});
  const auto got = this->store->aggregate(buckets());
  EXPECT_EQ(got[0].count, 3);
  EXPECT_DOUBLE_EQ(*got[0].mean, 1.5);
  EXPECT_EQ(*got[0].min, 1);
  EXPECT_EQ(*got[0].max, 2);
  EXPECT_EQ(got[0].good_share, 0);
}

TYPED_TEST_P(AggregateContract, EveryBucketIsThereAndTheLastEndsWithTheInterval) {
  this->store->append(run_of("r"), "L1/T", ramp(0, 10, 7));
  const auto got = this->store->aggregate(buckets(40, 0, 130));
  ASSERT_EQ(got.size(), 4u);
  EXPECT_EQ(got[3].from, 120);
  EXPECT_DOUBLE_EQ(*got[0].mean, 20);
  EXPECT_DOUBLE_EQ(*got[1].mean, 50) << "from 40 to the last sample at 60";
  EXPECT_DOUBLE_EQ(got[1].good_share, 0.5);
  EXPECT_FALSE(got[2].mean || got[2].min || got[3].max);
  EXPECT_EQ(got[0].count + got[1].count + got[2].count + got[3].count, 7);
  EXPECT_FALSE(this->store
                   ->aggregate([] {
                     AggregateRequest none = buckets();
                     none.node_id = "L1/none";
                     return none;
                   }())[0]
                   .mean);
}

TYPED_TEST_P(AggregateContract, RunsAreAggregatedEachForItself) {
  this->store->append(run_of("a"), "L1/T", std::vector<Sample>{{0, 1, kGood}, {60, 1, kGood}});
  this->store->append(run_of("b"), "L1/T", std::vector<Sample>{{40, 4, kGood}, {80, 4, kGood}});
  AggregateRequest request = buckets();
  auto got = this->store->aggregate(request);
  EXPECT_DOUBLE_EQ(*got[0].mean, (60 * 1 + 40 * 4) / 100.0);
  EXPECT_DOUBLE_EQ(got[0].good_share, 0.8) << "time that both cover counts once";
  request.filter.run_id = "b";
  got = this->store->aggregate(request);
  EXPECT_DOUBLE_EQ(*got[0].mean, 4);
  EXPECT_DOUBLE_EQ(got[0].good_share, 0.4);
}

/// The integral does not depend on how it is cut.
TYPED_TEST_P(AggregateContract, BucketsAddUp) {
  std::vector<Sample> given;
  for (int i = 0; i < 3000; ++i)
    given.push_back({i * 37 + i % 5, std::sin(0.01 * i), i % 97 == 0 ? kBad : kGood});
  this->store->append(run_of("r"), "L1/T", given);
  for (const bool stepped : {false, true}) {
    AggregateRequest request = buckets(100'000, 1000, 101'000);
    request.stepped = stepped;
    const auto whole = this->store->aggregate(request);
    request.bucket = 777;
    double area = 0, share = 0;
    std::int64_t count = 0;
    for (const Aggregate& a : this->store->aggregate(request)) {
      const double length = static_cast<double>(std::min<TimeUs>(777, 101'000 - a.from));
      area += a.mean.value_or(0) * a.good_share * length;
      share += a.good_share * length;
      count += a.count;
    }
    EXPECT_NEAR(area, *whole[0].mean * whole[0].good_share * 100'000, 1e-6);
    EXPECT_NEAR(share, whole[0].good_share * 100'000, 1e-6);
    EXPECT_EQ(count, whole[0].count);
  }
}

TYPED_TEST_P(AggregateContract, AnAggregateOfNoTimeOrTooManyBucketsIsRefused) {
  EXPECT_ERROR((void)this->store->aggregate(buckets(10, 5, 5)), "FIELD_RANGE");
  EXPECT_ERROR((void)this->store->aggregate(buckets(0)), "FIELD_RANGE");
  EXPECT_ERROR((void)this->store->aggregate(buckets(1, 0, 1'000'001)), "FIELD_RANGE");
  EXPECT_ERROR((void)this->store->aggregate(buckets(1, INT64_MIN, INT64_MAX)), "FIELD_RANGE");
  EXPECT_EQ(this->store->aggregate(buckets(1, 0, 1'000'000)).size(), 1'000'000u);
}

REGISTER_TYPED_TEST_SUITE_P(AggregateContract, AnAggregateIsWeightedByTime,
                            WhatIsHeldOrSlopedIntoABucketBelongsToIt,
                            TheSignalEndsAtABadSampleAndWithItsRun,
                            SamplesWithoutDurationGiveTheirPlainMean,
                            EveryBucketIsThereAndTheLastEndsWithTheInterval,
                            RunsAreAggregatedEachForItself, BucketsAddUp,
                            AnAggregateOfNoTimeOrTooManyBucketsIsRefused);

}  // namespace flyball::historian
