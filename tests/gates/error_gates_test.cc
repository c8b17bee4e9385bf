#include <gtest/gtest.h>

#include "gates/case.h"

namespace flyball::gates {
namespace {

using namespace testing;

TEST(G1, CallsARefusalNearTheNoiseFloorNoise) {
  GateInput input = good_case();
  auto& score = input.evaluation->metrics.one_step_test;
  score.nrmse = 0.302;
  const auto judged = [&](double floor) {
    for (auto& cv : input.cvs) cv.noise_floor = floor;
    return check_of(judge(input, {}), "G1");
  };
  const Check noise = judged(0.29);
  EXPECT_FALSE(noise.pass);
  EXPECT_TRUE(says(noise, "G1_NOISE"));
  EXPECT_NE(noise.detail.find("one-step error is 0.302 of the train spread; limit 0.1; the noise "
                              "floor is 0.29: noise, not model"),
            std::string::npos)
      << noise.detail;
  EXPECT_TRUE(says(judged(0.302 / 1.2 + 1e-9), "G1_NOISE"));
  EXPECT_TRUE(says(judged(0.302 / 1.2 - 1e-9), "G1_MODEL"));
  input.cvs[1].noise_floor.reset();
  EXPECT_TRUE(says(check_of(judge(input, {}), "G1"), "G1_FLOOR_UNKNOWN"));
}

TEST(G1, LetsTheMeanDecideAndShowsEachCv) {
  GateInput input = good_case();
  auto& score = input.evaluation->metrics.one_step_test;
  score.per_target[0].nrmse = 0.16;
  score.per_target[1].nrmse = 0.02;
  score.nrmse = 0.09;
  const Check check = check_of(judge(input, {}), "G1");
  EXPECT_TRUE(check.pass);
  EXPECT_FALSE(check.per_cv[0].pass);
  EXPECT_TRUE(check.per_cv[1].pass);
  score.nrmse = 0.1000001;
  EXPECT_FALSE(check_of(judge(input, {}), "G1").pass);
}

TEST(G2, FailsForOneCvThatIsWorseThanHoldingWhateverTheMeanSays) {
  GateInput input = good_case();
  auto& m = input.evaluation->metrics;
  m.rollout_test.per_target[1].nrmse = 0.31;
  m.persistence_test.per_target[1].nrmse = 0.30;
  input.cvs[1].noise_floor = 0.05;
  const Check worse = check_of(judge(input, {}), "G2");
  EXPECT_GE(worse.value.value(), 0.2);
  EXPECT_FALSE(worse.pass);
  EXPECT_TRUE(says(worse, "G2_CV_WORSE"));

  input.cvs[1].noise_floor = 0.35;
  const Check noise = check_of(judge(input, {}), "G2");
  EXPECT_TRUE(noise.pass) << "persistence is within the noise floor";
  EXPECT_TRUE(says(noise, "G2_CV_NOISE"));

  input.cvs[1].noise_floor.reset();
  EXPECT_FALSE(check_of(judge(input, {}), "G2").pass) << "an unknown floor excuses nothing";
}

TEST(G2, StandsAtItsLimit) {
  GateInput input = good_case();
  input.evaluation->metrics.rollout_improvement = 0.2;
  EXPECT_TRUE(check_of(judge(input, {}), "G2").pass);
  input.evaluation->metrics.rollout_improvement = 0.1999;
  EXPECT_FALSE(check_of(judge(input, {}), "G2").pass);
}

TEST(G3, CountsSmallValErrorsAsTheFloorAndFailsForABetterTestToo) {
  GateInput input = good_case();
  auto& m = input.evaluation->metrics;
  const auto judged = [&](double val, double test) {
    m.one_step_val.nrmse = val;
    m.one_step_test.nrmse = test;
    return check_of(judge(input, {}), "G3");
  };
  EXPECT_TRUE(judged(0.010, 0.0199).pass) << "0.0099 of the floor 0.05 is 0.198";
  EXPECT_NEAR(judged(0.010, 0.0199).value.value(), 0.198, 1e-12);
  EXPECT_TRUE(says(judged(0.08, 0.097), "G3_TEST_WORSE"));
  const Check better = judged(0.08, 0.06);
  EXPECT_FALSE(better.pass);
  EXPECT_NE(better.detail.find("test is better than val, and that fails too"), std::string::npos);
  GateReport strict = judge(input, policy("mission@1"));
  m.one_step_val.nrmse = 0.010;
  m.one_step_test.nrmse = 0.0125;
  strict = judge(input, policy("mission@1"));
  EXPECT_FALSE(check_of(strict, "G3").pass) << "by the letter of the mission";
}

TEST(G3, ShowsTheSameIntervalEachTime) {
  const GateInput input = good_case();
  const Check a = check_of(judge(input, {}), "G3"), b = check_of(judge(input, {}), "G3");
  EXPECT_EQ(a.detail, b.detail);
  const Json params = a.reasons[0].params;
  ASSERT_TRUE(params["low"]["value"].is_number());
  EXPECT_LE(params["low"]["value"].get<double>(), params["signedValue"]["value"].get<double>());
  EXPECT_GE(params["high"]["value"].get<double>(), params["signedValue"]["value"].get<double>());
}

TEST(Kinds, HaveTheirOwnGates) {
  GateInput input = good_case();
  input.kind = ArtifactKind::static_response;
  EXPECT_EQ(judge(input, {}).checks.size(), 5) << "neither G2 nor G3, and no state to be stable";
  input.kind = ArtifactKind::onnx_one_step;
  input.evaluation->metrics.rollout_test.nrmse = 0.26;
  const GateReport network = judge(input, {});
  EXPECT_TRUE(says(check_of(network, "G2"), "G2_ERROR_FAIL"));
  EXPECT_TRUE(says(check_of(network, "G4"), "G4_RUNS")) << "parts do not stand in for runs";
  EXPECT_TRUE(says(check_of(network, "G5"), "G5_KIND")) << "cannot be opened, so it does not pass";
}

TEST(StaticKind, NeedsPointsAndAModelThatHoldsAtThem) {
  GateInput input = good_case();
  input.kind = ArtifactKind::static_response;
  auto& m = input.evaluation->metrics;
  m.operating_points = evaluate::PointEvidence{dataset::Points::segments, 9, 5, 4, 0, 0, 6};
  EXPECT_TRUE(says(check_of(judge(input, {}), "G4"), "G4_POINTS_PASS")) << "18 points, 6 parameters";
  EXPECT_TRUE(says(check_of(judge(input, {}), "G1"), "G1_POINTS_PASS"));
  m.operating_points->val = 4;
  EXPECT_TRUE(says(check_of(judge(input, {}), "G4"), "G4_POINTS_FEW"));
  EXPECT_FALSE(check_of(judge(input, {}), "G4").pass);
  m.operating_points->test_outside = 2;
  EXPECT_TRUE(check_of(judge(input, {}), "G1").pass) << "half of them";
  m.operating_points->test_outside = 3;
  EXPECT_TRUE(says(check_of(judge(input, {}), "G1"), "G1_POINTS_OUTSIDE"));
  EXPECT_FALSE(check_of(judge(input, {}), "G1").pass);
}

}  // namespace
}  // namespace flyball::gates
