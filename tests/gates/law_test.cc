// What no change of a rule may break: units, order, useless predictors, missing evidence.
#include <gtest/gtest.h>

#include "gates/case.h"

namespace flyball::gates {
namespace {

using namespace testing;
using Ids = std::vector<std::string>;

TEST(Verdict, PassesTheRightModel) {
  const GateReport report = judge(good_case(), {});
  EXPECT_TRUE(report.passed) << pretty(to_json_value(report));
  EXPECT_EQ(report.checks.size(), 8);
  EXPECT_TRUE(report.reasons.empty());
}

TEST(Verdict, PassesThePerfectModelOfANoiseFreePlant) {
  const auto data = make_dataset(known_plant(), {.history = 120});
  GateInput input = good_case(data, evaluate::predict_with(known_plant()));
  for (auto& cv : input.cvs) cv.noise_floor = 0;
  EXPECT_TRUE(judge(input, {}).passed) << pretty(to_json_value(judge(input, {})));
}

TEST(Verdict, RefusesConstantAndPersistence) {
  for (const double noise : {0.0, 0.01, 0.3}) {
    const auto data = make_dataset(known_plant(), {.noise = noise});
    const GateReport constant = judge(good_case(data, constant_predictor(data)), {});
    const GateReport persistence = judge(good_case(data, evaluate::persistence()), {});
    EXPECT_FALSE(check_of(constant, "G1").pass) << noise;
    EXPECT_FALSE(check_of(constant, "G2").pass) << noise;
    EXPECT_FALSE(check_of(persistence, "G2").pass) << noise;
    EXPECT_FALSE(constant.passed || persistence.passed);
  }
}

/// X-01: with a floor of 1 under the deviation a constant passed on a signal of 0.05 MPa.
TEST(Verdict, RefusesAConstantOnATinySignal) {
  const auto data = in_other_units(make_dataset(known_plant(), {.noise = 0.01}), 1e-6, 0);
  const GateReport report = judge(good_case(data, constant_predictor(data)), {});
  EXPECT_FALSE(check_of(report, "G1").pass);
  EXPECT_GT(check_of(report, "G1").value.value(), 0.5);
}

TEST(Verdict, RefusesAPredictorThatReachesForTheFuture) {
  const auto data = make_dataset(known_plant(), {.noise = 0.1});
  const evaluate::Predict peek = [](const model::Record& r, Index t, Index steps,
                                    Eigen::Ref<Matrix> out) { out = r.y.middleRows(t, steps); };
  const GateReport report = judge(good_case(data, peek), {});
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(check_of(report, "G1").value.has_value());
}

TEST(Verdict, IsTheSameInOtherUnitsAndWithTagsInAnotherOrder) {
  for (const double noise : {0.01, 0.3}) {
    const auto data = make_dataset(known_plant(), {.noise = noise, .history = 30});
    const auto predict = evaluate::predict_with(known_plant());
    const GateReport a = judge(good_case(data, predict), {});
    const GateReport b = judge(
        good_case(in_other_units(data, 1000, 273.15), in_other_units(predict, 1000, 273.15)), {});
    // y2 before y1, the MVs last but in their order: the predictor swaps its CVs.
    const evaluate::Predict swapped = [&](const model::Record& r, Index t, Index steps,
                                          Eigen::Ref<Matrix> out) {
      Matrix inner(steps, 2);
      predict({r.u, r.y.rowwise().reverse()}, t, steps, inner);
      out = inner.rowwise().reverse();
    };
    const GateReport c = judge(good_case(permuted(data, {4, 2, 0, 3, 1}), swapped), {});
    for (const GateReport* other : {&b, &c}) {
      EXPECT_EQ(failed(*other), failed(a));
      for (std::size_t i = 0; i < a.checks.size(); ++i) {
        ASSERT_EQ(a.checks[i].value.has_value(), other->checks[i].value.has_value());
        EXPECT_NEAR(a.checks[i].value.value_or(0), other->checks[i].value.value_or(0), 1e-6)
            << a.checks[i].id;
      }
    }
  }
}

/// Keys of the platform in what a trainer wrote, and in the model file, decide nothing (X-03).
TEST(Verdict, IgnoresWhatATrainerWroteOfItself) {
  const auto data = make_dataset(known_plant(), {.noise = 0.3});
  GateInput honest = good_case(data, evaluate::persistence());
  const Json before = to_json_value(judge(honest, {}));
  honest.evaluation->metrics.agent = parse_json(
      R"({"platform":{"oneStepTest":{"nrmse":0.01}},"rolloutImprovement":0.9,"artifactKind":"static_response@1"})",
      "metrics.json");
  Json file = parse_json(honest.model_json, "model.json");
  file["metrics"] = {{"oneStepTest", {{"nrmse", 0.01}}}, {"gates", {{"passed", true}}}};
  honest.model_json = canonical(file);
  Json after = to_json_value(judge(honest, {}));
  for (const char* id : {"G1", "G2", "G3"}) {
    for (std::size_t i = 0; i < before["checks"].size(); ++i) {
      if (before["checks"][i]["id"] == id) {
        EXPECT_EQ(before["checks"][i], after["checks"][i]);
      }
    }
  }
  EXPECT_FALSE(after["passed"].get<bool>());
}

TEST(Verdict, DoesNotPassWithoutEvidence) {
  const GateReport report = judge(GateInput{}, {});
  EXPECT_FALSE(report.passed);
  for (const Check& check : report.checks) {
    EXPECT_FALSE(check.pass) << check.id;
    EXPECT_FALSE(check.value.has_value()) << check.id;
    EXPECT_FALSE(check.detail.empty()) << check.id;
  }
}

/// Each gate fails when its own evidence is taken away.
TEST(Verdict, NeedsTheEvidenceOfEachGate) {
  const GateInput good = good_case();
  const auto without = [&](auto&& take) {
    GateInput input = good;
    take(input, input.evaluation->metrics);
    return failed(judge(input, {}));
  };
  EXPECT_EQ(without([](auto&, auto& m) { m.one_step_test = {}; }), (Ids{"G1", "G3"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.one_step_val = {}; }), (Ids{"G3"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.rollout_test = {}; }), (Ids{"G2"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.rollout_improvement.reset(); }), (Ids{"G2"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.row_count = 0; }), (Ids{"G4"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.excursions.clear(); }), (Ids{"stable"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.step_answers.clear(); }), (Ids{"stable"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.free_run_fit.clear(); }), (Ids{"stable"}));
  EXPECT_EQ(without([](auto& in, auto&) { in.model_json.clear(); }), (Ids{"G5", "stable"}));
  EXPECT_EQ(without([](auto& in, auto&) { in.cvs.clear(); }), (Ids{"informative"}));
  EXPECT_EQ(without([](auto& in, auto&) { in.pairs.clear(); }), (Ids{"informative"}));
  EXPECT_EQ(without([](auto& in, auto&) { in.dataset_sha256.clear(); }), (Ids{"sealed"}));
  EXPECT_EQ(without([](auto&, auto& m) { m.artifact_hash = "another"; }), (Ids{"sealed"}));
}

TEST(Verdict, HasAWordForEveryReason) {
  const auto data = make_dataset(known_plant(), {.noise = 0.3});
  for (const GateReport& report :
       {judge(good_case(), {}), judge(good_case(data, evaluate::persistence()), {}),
        judge({}, {})}) {
    for (const Check& check : report.checks) {
      for (const Words& w : check.reasons) {
        EXPECT_NE(w.text, w.code);
        EXPECT_EQ(w.text.find('{'), std::string::npos) << w.text;
      }
    }
  }
}

}  // namespace
}  // namespace flyball::gates
