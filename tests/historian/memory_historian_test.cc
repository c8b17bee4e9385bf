#include "historian/memory_historian.h"

#include "contract/aggregate_contract.h"

namespace flyball::historian {
namespace {

struct MemoryFactory {
  std::unique_ptr<Historian> make() { return std::make_unique<MemoryHistorian>(); }
  std::unique_ptr<Historian> make_impatient() {
    return std::make_unique<MemoryHistorian>(std::chrono::milliseconds(10));
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, HistorianContract, MemoryFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, AggregateContract, MemoryFactory);

TEST(Quality, TheTopTwoBitsDecide) {
  EXPECT_TRUE(kGood.good());
  EXPECT_TRUE(Quality{0x00A60000}.good());
  EXPECT_TRUE(kUncertain.uncertain());
  for (const Quality q : {kBad, kBadNoData, kBadNotANumber, kBadOutOfRange}) {
    EXPECT_TRUE(q.bad());
    EXPECT_FALSE(q.good() || q.uncertain());
  }
}

}  // namespace
}  // namespace flyball::historian
