#include "dataset/modes.h"

#include <gtest/gtest.h>

#include "dataset/fixtures.h"

namespace flyball::dataset {
namespace {

using namespace fixtures;

constexpr TimeUs kEnd = INT64_MAX;

std::vector<std::pair<TimeUs, TimeUs>> pairs(const ModeIntervals& intervals) {
  std::vector<std::pair<TimeUs, TimeUs>> out;
  for (const Interval& i : intervals) out.emplace_back(i.from, i.to);
  return out;
}

historian::Sample mode(TimeUs at, double code, historian::Quality q = historian::kGood) {
  return {at, code, q};
}

TEST(Modes, HoldUntilTheNextSampleAndAreUnknownBeforeTheFirstAndAfterABadOne) {
  const std::vector<historian::Sample> s{mode(10, 0), mode(20, 1), mode(30, 1),
                                         mode(40, 2), mode(50, 1), mode(60, 1, historian::kBad),
                                         mode(70, 2)};
  using P = std::vector<std::pair<TimeUs, TimeUs>>;
  EXPECT_EQ(pairs(intervals_in_mode(s, std::vector{1.0})), (P{{20, 40}, {50, 60}}));
  EXPECT_EQ(pairs(intervals_in_mode(s, std::vector{1.0, 2.0})), (P{{20, 60}, {70, kEnd}}));
  EXPECT_TRUE(intervals_in_mode(s, std::vector{7.0}).empty());
}

/// A record of 400 s whose loop of y is in MAN from 100 s to 139 s; the MV is bound to it too.
class ModePlant : public testing::Test {
 protected:
  void SetUp() override {
    const auto run = run_named("r", kStart);
    plant::Tag tag;
    tag.name = "y_mode";
    tag.line_id = "L1";
    tag.kind = plant::TagKind::digital;
    tag.states = {"MAN", "AUTO", "CAS"};
    const std::vector<historian::Sample> modes{mode(kStart, 1), mode(kStart + 100 * kSecond, 0),
                                               mode(kStart + 140 * kSecond, 2)};
    {
      const auto writer = h_.begin();
      writer->put_tag(tag);
      writer->append(run, "L1/y_mode", modes);
      writer->commit();
    }
    store(h_, run, record(400, 1));
    spec_.variables[2].mode_tag = "y_mode";
    spec_.variables[2].modes = {"AUTO", "CAS"};
  }

  historian::MemoryHistorian h_;
  Spec spec_ = small_spec();
};

TEST_F(ModePlant, LeavesOutAndCountsWhatWasTakenInAnotherMode) {
  const Built built = build(h_, spec_);
  const CleanCounts& y = built.report.cleaning.at("L1/y");
  EXPECT_EQ(y.dropped_mode, 40);
  EXPECT_EQ(y.missing, 40);
  EXPECT_EQ(built.report.cleaning.at("L1/u").dropped_mode, 0);
  const Mask& mask = built.dataset.runs[0].mask;
  EXPECT_EQ(mask(99, 2), 1);
  EXPECT_EQ(mask.col(2).segment(100, 40).maxCoeff(), 0);
  EXPECT_EQ(mask(140, 2), 1);
  EXPECT_EQ(built.report.warnings.at(0).code, "MANY_OUT_OF_MODE");
}

TEST_F(ModePlant, EndsTheHoldOfASteppedTagWhereTheLoopLeavesTheMode) {
  // A set-point reported once, at 90 s, and again at 150 s: held to 100 s, then unknown.
  historian::MemoryHistorian& h = h_;
  const auto run = run_named("r", kStart);
  const std::vector<historian::Sample> sp{{kStart, 1, {}},
                                          {kStart + 90 * kSecond, 5, {}},
                                          {kStart + 150 * kSecond, 6, {}},
                                          {kStart + 300 * kSecond, 7, {}}};
  h.append(run, "L1/sp", sp);
  Variable v = variable("sp", Role::mv, true);
  v.mode_tag = "y_mode";
  v.modes = {"AUTO", "CAS"};
  spec_.variables.push_back(v);
  const Built built = build(h, spec_);
  const Series& s = built.dataset.runs[0];
  ASSERT_EQ(built.dataset.spec.variables[0].id, "sp");
  EXPECT_EQ(s.values(99, 0), 5);
  EXPECT_EQ(s.mask.col(0).segment(100, 50).maxCoeff(), 0);
  EXPECT_EQ(s.values(150, 0), 6);
}

TEST_F(ModePlant, RefusesAModeTagThatIsNoneAndAModeItDoesNotHave) {
  spec_.variables[2].mode_tag = "d";
  EXPECT_EQ(code_of([&] { build(h_, spec_); }), "MODE_TAG_INVALID");
  spec_.variables[2].mode_tag = "y_mode";
  spec_.variables[2].modes = {"AUT"};
  EXPECT_EQ(code_of([&] { build(h_, spec_); }), "MODE_UNKNOWN");
  spec_.variables[2].modes = {};
  EXPECT_EQ(code_of([&] { build(h_, spec_); }), "SPEC_INVALID");
}

TEST_F(ModePlant, SaysThatARunWasNeverInTheMode) {
  spec_.variables[2].modes = {"CAS"};
  spec_.to_us = kStart + 140 * kSecond;
  try {
    build(h_, spec_);
    FAIL() << "no sample of y is in CAS";
  } catch (const Error& e) {
    ASSERT_EQ(e.problems().size(), 1U);
    EXPECT_NE(e.problems()[0].message.text().find("another mode"), std::string::npos);
  }
}

}  // namespace
}  // namespace flyball::dataset
