#include <gtest/gtest.h>

#include "gates/case.h"
#include "model/narx_artifact.h"

namespace flyball::gates {
namespace {

using namespace testing;

TEST(G4, NeedsRowsAndEitherRunsOrAllParts) {
  GateInput input = good_case();
  auto& m = input.evaluation->metrics;
  const auto judged = [&] { return check_of(judge(input, {}), "G4"); };
  m.row_count = 500;
  EXPECT_TRUE(judged().pass);
  m.row_count = 499;
  EXPECT_TRUE(says(judged(), "G4_ROWS"));
  m.row_count = 500;
  m.test.rows = 0;
  EXPECT_TRUE(says(judged(), "G4_PARTS"));
  m.train.runs = {"a", "b"};
  m.val.runs = {"c"};
  m.test.runs = {};
  EXPECT_TRUE(judged().pass) << "three runs do";
  m.val.runs = {"b"};
  EXPECT_FALSE(judged().pass) << "a run counts once";
}

TEST(G5, OpensTheFileAndTriesIt) {
  GateInput input = good_case();
  const auto judged = [&](const std::string& bytes) {
    input.model_json = bytes;
    return check_of(judge(input, {}), "G5");
  };
  EXPECT_TRUE(judged(artifact_of(known_plant())).pass);
  EXPECT_TRUE(says(judged(""), "G5_EMPTY"));
  EXPECT_TRUE(says(judged("{"), "G5_UNREADABLE"));
  EXPECT_TRUE(says(judged("{}"), "G5_UNREADABLE"));
  EXPECT_TRUE(says(judged("STUB"), "G5_UNREADABLE"));
  auto other_names = make_dataset(known_plant(), {});
  std::swap(other_names.spec.variables[0].id, other_names.spec.variables[1].id);
  EXPECT_TRUE(says(judged(artifact_of(known_plant(), other_names)), "G5_SHAPE"));
  auto huge = known_plant();
  huge.f(0) = 1e308;
  EXPECT_TRUE(says(judged(artifact_of(huge)), "G5_TRIAL"));
  std::string flipped = artifact_of(known_plant());
  flipped[flipped.find("0.9")] = '1';
  EXPECT_TRUE(says(judged(flipped), "G5_UNREADABLE")) << "its hash does not hold";
}

TEST(Kinds, APolynomialNarxIsOpenedByItsKindAndHasNoRadius) {
  GateInput input = good_case();
  model::NarxArtifact a;
  const model::Artifact linear = model::read_artifact(input.model_json);
  a.dataset_sha256 = "d1";
  a.beat_ms = linear.beat_ms;
  a.history_steps = linear.history_steps;
  a.horizon_steps = linear.horizon_steps;
  a.variables = linear.variables;
  model::PolynomialNarx m;
  m.n_mv = 2;
  m.centre = Vector::Zero(5);
  m.scale = Vector::Ones(5);
  m.outputs.assign(2, {{{{{3, 1}}, 0.5}, {{{0, 1}}, 0.1}}, -9, 9});
  model::pack(m, a);
  input.model_json = model::write_artifact(a);
  EXPECT_TRUE(says(check_of(judge(input, {}), "G5"), "G5_UNREADABLE")) << "not a linear model";
  input.kind = ArtifactKind::polynomial_narx;
  input.artifact_hash = input.evaluation->metrics.artifact_hash = model::artifact_hash(a);
  const GateReport report = judge(input, {});
  EXPECT_TRUE(check_of(report, "G5").pass);
  EXPECT_TRUE(check_of(report, "sealed").pass);
  EXPECT_TRUE(says(check_of(report, "stable"), "STABLE_PASS_NONLINEAR"));
  EXPECT_FALSE(check_of(report, "stable").value);
  input.evaluation->metrics.excursions[0].free_run = 11;
  EXPECT_FALSE(check_of(judge(input, {}), "stable").pass);
  input.kind = ArtifactKind::onnx_one_step;
  EXPECT_TRUE(says(check_of(judge(input, {}), "G5"), "G5_KIND"));
}

TEST(Stable, RefusesAModelThatGrowsAndProposesALongerBeatNearOne) {
  GateInput input = good_case();
  const auto judged = [&](double pole) {
    auto m = known_plant();
    m.A(0, 0) = pole;
    input.model_json = artifact_of(m);
    return check_of(judge(input, {}), "stable");
  };
  EXPECT_TRUE(judged(0.9).pass);
  EXPECT_NEAR(judged(0.9).value.value(), 0.9, 1e-12);
  EXPECT_TRUE(judged(0.9995).pass);
  EXPECT_TRUE(says(judged(0.9995), "STABLE_NEAR_ONE"));
  EXPECT_TRUE(says(judged(1 - 1e-7), "STABLE_RADIUS"));
  EXPECT_FALSE(judged(1.01).pass);
}

TEST(Stable, RefusesAModelThatRunsAwayInFreeRunOrAfterAStep) {
  GateInput input = good_case();
  auto& m = input.evaluation->metrics;
  m.excursions[0].free_run = 10.1;
  EXPECT_TRUE(says(check_of(judge(input, {}), "stable"), "STABLE_FREE_RUN"));
  m.excursions[0].free_run.reset();
  EXPECT_TRUE(says(check_of(judge(input, {}), "stable"), "STABLE_FREE_RUN_UNKNOWN"));
  m.excursions[0].free_run = 10;
  EXPECT_TRUE(check_of(judge(input, {}), "stable").pass);
  m.step_answers[1].excursion = 11;
  EXPECT_TRUE(says(check_of(judge(input, {}), "stable"), "STABLE_STEP"));
}

TEST(Stable, RefusesTheRunawayFoundByEvaluation) {
  auto wild = known_plant();
  wild.A(0, 0) = 1.02;
  const auto data = make_dataset(known_plant(), {.noise = 0.01});
  GateInput input = good_case(data, evaluate::predict_with(wild));
  input.model_json = artifact_of(wild);
  const GateReport report = judge(input, {});
  EXPECT_FALSE(check_of(report, "stable").pass);
  EXPECT_TRUE(says(check_of(report, "stable"), "STABLE_FIT"));
}

TEST(Stable, JudgesTheModelInsideTheDeclaredControllers) {
  GateInput input = good_case();
  const auto judged = [&](double radius, std::optional<double> margin, bool in_loop) {
    input.loops = {{"u1", "y1", radius, margin, in_loop}};
    return check_of(judge(input, {}), "stable");
  };
  EXPECT_TRUE(judged(0.97, 1.5, true).pass);
  EXPECT_TRUE(says(judged(0.97, 1.5, true), "STABLE_LOOP"));
  EXPECT_TRUE(says(judged(0.97, {}, true), "STABLE_LOOP_ANY_GAIN"));
  EXPECT_FALSE(judged(1.01, 0.8, false).pass);
  EXPECT_TRUE(says(judged(1.01, 0.8, false), "STABLE_LOOP_UNSTABLE"));
  EXPECT_TRUE(says(judged(1.01, {}, false), "STABLE_LOOP_NO_GAIN"));
  EXPECT_FALSE(judged(1.01, 0.8, true).pass);
  EXPECT_TRUE(says(judged(1.01, 0.8, true), "STABLE_LOOP_CONTRADICTED"));
}

TEST(Stable, JudgesALevelByItsChange) {
  GateInput input = good_case();
  auto& m = input.evaluation->metrics;
  for (auto& f : m.free_run_fit) {
    if (f.cv == "y1" && f.block == dataset::Part::test) f.percent = -2850;
  }
  EXPECT_TRUE(says(check_of(judge(input, {}), "stable"), "STABLE_FIT"));
  input.cvs[0].integrated_disturbance = true;
  EXPECT_TRUE(check_of(judge(input, {}), "stable").pass);
  for (auto& f : m.change_fit) f.percent = -1;
  EXPECT_TRUE(says(check_of(judge(input, {}), "stable"), "STABLE_CHANGE_FIT"));
}

TEST(Informative, NeedsAnAnsweringInputForEveryCv) {
  GateInput input = good_case();
  const auto judged = [&] { return check_of(judge(input, {}), "informative"); };
  input.inputs[1].left_out = true;
  input.inputs[1].excited = false;
  input.inputs[1].moves = 2;
  const Check check = judged();
  EXPECT_FALSE(check.pass) << "y2 answers to mv2 alone";
  EXPECT_TRUE(says(check, "INFORMATIVE_NO_INPUT"));
  EXPECT_NE(check.detail.find("step mv2 alone"), std::string::npos) << check.detail;
  input.pairs[3].dead_time_steps = 4;
  EXPECT_TRUE(judged().pass);
  EXPECT_TRUE(says(judged(), "INFORMATIVE_NOT_MOVED")) << "still named";
}

TEST(Informative, RefusesFeedbackWithoutExcitation) {
  GateInput input = good_case();
  input.inputs[0].computed_from_cvs = true;
  const GateReport report = judge(input, {});
  EXPECT_EQ(failed(report), std::vector<std::string>{"informative"});
  EXPECT_TRUE(says(check_of(report, "informative"), "INFORMATIVE_FEEDBACK"));
}

TEST(Informative, NamesTheMoveThatWouldTell) {
  GateInput input = good_case();
  input.inputs[0].computed_from_cvs = true;
  input.inputs[0].loop_cv = input.cvs[0].id;
  input.inputs[0].mv_move = 2.5;
  input.inputs[0].cv_move = 0.75;
  const Check check = check_of(judge(input, {}), "informative");
  EXPECT_TRUE(says(check, "INFORMATIVE_FEEDBACK_MOVE"));
  EXPECT_NE(check.detail.find("0.75"), std::string::npos) << check.detail;
  EXPECT_NE(check.detail.find("2.5"), std::string::npos) << check.detail;
}

TEST(Informative, RefusesAGainInALoopWhoseSignCannotBeTold) {
  GateInput input = good_case();
  input.pairs[0].sign_known = false;
  const GateReport report = judge(input, {});
  EXPECT_EQ(failed(report), std::vector<std::string>{"informative"});
  EXPECT_TRUE(says(check_of(report, "informative"), "INFORMATIVE_SIGN"));
}

void forget_gain(PairEvidence& pair) {
  pair.gain = -17;
  pair.gain_low = -237;
  pair.gain_high = 203;
  pair.gain_known = false;
}

TEST(Informative, RefusesACvThatKeepsNoMvOfKnownGain) {
  GateInput input = good_case();
  forget_gain(input.pairs[0]);
  const GateReport report = judge(input, {});
  EXPECT_EQ(failed(report), std::vector<std::string>{"informative"});
  const Check check = check_of(report, "informative");
  EXPECT_TRUE(says(check, "INFORMATIVE_GAIN"));
  EXPECT_NE(check.detail.find("-237"), std::string::npos) << check.detail;
}

TEST(Informative, ListsAnUnknownGainBesideAKnownOne) {
  GateInput input = good_case();
  input.pairs[1].dead_time_steps = 2;
  forget_gain(input.pairs[1]);
  const Check check = check_of(judge(input, {}), "informative");
  EXPECT_TRUE(check.pass);
  EXPECT_TRUE(says(check, "INFORMATIVE_GAIN"));
}

TEST(Informative, NamesTheMoveThatTellsCopiesApart) {
  GateInput input = good_case();
  input.inputs[1].left_out = true;
  input.together = {{"mv2", "mv1", 2.5, 30, 2}};
  const Check check = check_of(judge(input, {}), "informative");
  EXPECT_FALSE(check.pass);
  EXPECT_TRUE(says(check, "INFORMATIVE_TOGETHER_MOVE"));
  EXPECT_FALSE(says(check, "INFORMATIVE_LEFT_OUT"));
  EXPECT_NE(check.detail.find("2.5"), std::string::npos) << check.detail;
}

TEST(Reasons, PutThoseOfInformativeFirst) {
  GateInput input = good_case();
  input.inputs[0].computed_from_cvs = true;
  input.evaluation->metrics.one_step_test.nrmse = 0.5;
  const GateReport report = judge(input, {});
  ASSERT_GE(report.reasons.size(), 2);
  EXPECT_EQ(report.reasons[0].code, "INFORMATIVE_FEEDBACK");
}

TEST(Sealed, RefusesSharedRows) {
  GateInput input = good_case();
  input.evaluation->metrics.shared_rows = 1;
  EXPECT_TRUE(says(check_of(judge(input, {}), "sealed"), "SEALED_SHARED"));
}

TEST(Sealed, ReadsTheOriginFromTheFile) {
  GateInput input = good_case();
  EXPECT_TRUE(check_of(judge(input, {}), "sealed").pass);
  auto other = known_plant();
  other.g(0) += 1;
  input.model_json = artifact_of(other);
  EXPECT_TRUE(says(check_of(judge(input, {}), "sealed"), "SEALED_ARTIFACT"))
      << "another model's file";
  input = good_case();
  input.dataset_sha256 = input.evaluation->metrics.dataset_sha256 = "d2";
  EXPECT_TRUE(says(check_of(judge(input, {}), "sealed"), "SEALED_DATASET")) << "the file names d1";
}

TEST(Report, KeepsLimitsSourcesAndReasons) {
  Thresholds loose;
  loose.nrmse = 0.4;
  Provenance provenance;
  provenance.settings_version = 7;
  provenance.sources["nrmse"] = "line";
  provenance.reasons["nrmse"] = "furnace wall: noise";
  const Json j = to_json_value(judge(good_case(), loose, provenance));
  EXPECT_EQ(j["checks"][0]["threshold"], 0.4);
  EXPECT_EQ(j["checks"][0]["source"], "line");
  EXPECT_EQ(j["checks"][1]["source"], "default");
  EXPECT_EQ(j["settingsVersion"], 7);
  EXPECT_EQ(j["thresholds"]["nrmse"], 0.4);
  EXPECT_EQ(j["loosened"]["nrmse"], "furnace wall: noise");
}

TEST(Policy, MissionHasNoFloorUnderTheValError) {
  EXPECT_EQ(policy("flyball@1").val_floor, 0.05);
  EXPECT_EQ(policy("mission@1").val_floor, 1e-9);
  EXPECT_THROW(policy("mine@1"), Error);
}

TEST(Informative, AnMvLeftOutBesideOneThatMovedWithItFails) {
  GateInput input = good_case();
  EXPECT_TRUE(check_of(judge(input, {}), "informative").pass);
  input.together = {{"u2", "u1"}};
  const Check check = check_of(judge(input, {}), "informative");
  EXPECT_FALSE(check.pass);
  EXPECT_TRUE(says(check, "INFORMATIVE_TOGETHER"));
}

TEST(PriorsGate, StandsOnlyWhereSomethingWasStatedAndFailsWhatIsImpossible) {
  GateInput input = good_case();
  EXPECT_TRUE(std::ranges::none_of(judge(input, {}).checks,
                                   [](const Check& c) { return c.id == "priors"; }));
  input.priors = {{"u1->y1 gain>0", "held", 1.0, 0.9, 1.1}};
  EXPECT_TRUE(check_of(judge(input, {}), "priors").pass);
  EXPECT_TRUE(says(check_of(judge(input, {}), "priors"), "PRIORS_PASS"));
  input.priors.push_back({"u1->y1 gain>1", "violated", 1.0, 0.9, 1.1});
  EXPECT_TRUE(check_of(judge(input, {}), "priors").pass) << "reported, not refused";
  EXPECT_TRUE(says(check_of(judge(input, {}), "priors"), "PRIOR_VIOLATED"));
  input.priors.push_back({"u1->y1 gain<0", "impossible", 1.0, 0.9, 1.1});
  EXPECT_FALSE(check_of(judge(input, {}), "priors").pass);
  EXPECT_TRUE(says(check_of(judge(input, {}), "priors"), "PRIOR_IMPOSSIBLE"));
}

TEST(Informative, AGainBeyondTheRecordAndALevelThatSettlesAreRefused) {
  GateInput input = good_case();
  const auto judged = [&] { return check_of(judge(input, {}), "informative"); };
  ASSERT_TRUE(judged().pass);
  input.pairs[0].gain = 500;
  input.pairs[0].gain_known = false;
  input.pairs[0].unseen_steps = 10'000;
  EXPECT_TRUE(says(judged(), "INFORMATIVE_UNSEEN"));
  EXPECT_FALSE(judged().pass);
  input = good_case();
  input.cvs[0].settles_by_itself = true;
  EXPECT_TRUE(says(judged(), "INFORMATIVE_NO_LEVEL"));
  EXPECT_FALSE(judged().pass);
}

TEST(Priors, AStatedZeroGainThatTheDataContradictIsRefused) {
  GateInput input = good_case();
  input.priors.push_back({"u->y gain=0", "impossible", 0.6, {}, {}, "", "u", "y"});
  const Check c = check_of(judge(input, {}), "priors");
  EXPECT_FALSE(c.pass);
  EXPECT_TRUE(says(c, "PRIOR_ZERO_ANSWERED"));
}

}  // namespace
}  // namespace flyball::gates
