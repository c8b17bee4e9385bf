// Eligibility, evidence, context, problems and verification, each by its definition.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "advise/context.h"
#include "advise/evidence.h"
#include "advise/problem_of.h"
#include "advise/verify.h"
#include "support/expect_error.h"

namespace flyball::advise {
namespace {

ModelFacts good_model() {
  ModelFacts m;
  m.row.id = "mdl-1";
  m.row.line_id = "L";
  m.row.product_id = "P";
  m.row.recipe_id = "R";
  m.row.stage = registry::Stage::production;
  m.row.artifact_kind = "linear_state_space@1";
  m.row.artifact_hash = "art";
  m.experiment = registry::ExperimentStatus::gates_passed;
  m.lineage_verified = true;
  m.variables = {{"u", "mv", "t/h", 10, 2, 5, 15, {}},
                 {"d", "dv", "C", 0, 1, -3, 3, {}},
                 {"y", "cv", "C", 100, 4, 90, 110, {}}};
  uq::Uq uq;
  uq.cvs = {"y"};
  uq.qhat_per_cv = {1.5};
  uq.horizon = 20;
  uq.coverage_test = 0.9;
  uq.coverage_threshold = 0.8;
  uq.step_bands = {{"y", 1, std::vector<double>(20, 0.5), 0.9}};
  m.uq = uq;
  m.uq_artifact_hash = "art";
  return m;
}

Profile good_profile() {
  Profile p;
  p.line_id = "L";
  p.product_id = "P";
  p.recipe_id = "R";
  p.model_artifact_hash = "art";
  p.content.model_id = "mdl-1";
  p.content.horizon = 20;
  p.content.control_horizon = 5;
  MvSetting u;
  u.var_id = "u";
  u.max_move = 1;
  p.content.mv = {u};
  CvSetting y;
  y.var_id = "y";
  y.ref = 101;
  y.hard_max = 110;
  p.content.cv = {y};
  return p;
}

std::vector<std::string> codes(const std::vector<Message>& messages) {
  std::vector<std::string> out;
  for (const Message& m : messages) out.push_back(m.code);
  return out;
}
using Codes = std::vector<std::string>;

TEST(Eligibility, EachRuleRefusesByItself) {
  EXPECT_EQ(codes(not_eligible(good_model(), good_profile())), Codes{});
  const auto with = [](auto change) {
    ModelFacts m = good_model();
    Profile p = good_profile();
    change(m, p);
    return codes(not_eligible(m, p));
  };
  EXPECT_EQ(with([](auto& m, auto&) { m.row.stage = registry::Stage::candidate; }),
            Codes{"ADVICE_MODEL_STAGE"});
  EXPECT_EQ(with([](auto& m, auto&) { m.row.stage = registry::Stage::retired; }),
            Codes{"ADVICE_MODEL_STAGE"});
  EXPECT_EQ(with([](auto& m, auto&) { m.row.stage = registry::Stage::shadow; }), Codes{});
  EXPECT_EQ(with([](auto&, auto& p) { p.model_artifact_hash = "old"; }),
            Codes{"ADVICE_MODEL_HASH"});
  EXPECT_EQ(with([](auto& m, auto&) { m.lineage_verified = false; }), Codes{"LINEAGE_UNVERIFIED"});
  EXPECT_EQ(with([](auto& m, auto&) { m.pruned = true; }), Codes{"ADVICE_MODEL_PRUNED"});
  EXPECT_EQ(with([](auto& m, auto&) { m.experiment = registry::ExperimentStatus::gates_failed; }),
            Codes{"ADVICE_MODEL_GATES"});
  EXPECT_EQ(with([](auto&, auto& p) { p.recipe_id = "other"; }), Codes{"ADVICE_MODEL_RECIPE"});
  EXPECT_EQ(with([](auto&, auto& p) { p.content.problem_template = "steady_response@1"; }),
            Codes{"ADVICE_TEMPLATE"});
  EXPECT_EQ(with([](auto&, auto& p) { p.content.cv[0].var_id = "u"; }), Codes{"PROFILE_VARIABLE"});
  EXPECT_EQ(with([](auto& m, auto&) { m.uq.reset(); }), Codes{"UQ_MISSING"});
  EXPECT_EQ(with([](auto& m, auto&) { m.uq_artifact_hash = "x"; }), Codes{"UQ_OTHER_MODEL"});
  EXPECT_EQ(with([](auto& m, auto&) { m.uq->coverage_test = 0.79; }), Codes{"UQ_NOT_COVERED"});
  EXPECT_EQ(with([](auto&, auto& p) { p.content.horizon = 21; }), Codes{"UQ_HORIZON"});
  EXPECT_EQ(with([](auto& m, auto& p) {
              m.uq.reset();
              p.content.require_uq = false;
            }),
            Codes{});
}

TEST(Evidence, VerifiedNeedsEveryRule) {
  EvidenceNow good{true, {}, true};
  good.distances = {1.0, 2.0, 1.5, 2.5, 4.0, 3.0};
  EXPECT_EQ(codes(unverified_because(good_model(), good)), Codes{});
  const auto with = [&](auto change) {
    EvidenceNow e = good;
    change(e);
    return codes(unverified_because(good_model(), e));
  };
  EXPECT_EQ(with([](auto& e) { e.fresh = false; }), Codes{"UQ_STALE"});
  EXPECT_EQ(with([](auto& e) { e.distances.now = 3.01; }), Codes{"DISTANCE_FAR"});
  EXPECT_EQ(with([](auto& e) { e.distances.now = INFINITY; }), Codes{"DISTANCE_UNKNOWN"});
  EXPECT_EQ(with([](auto& e) { e.distances.now.reset(); }), Codes{"DISTANCE_UNKNOWN"});
  EXPECT_EQ(with([](auto& e) { e.distances.along = 3.01; }), Codes{"DISTANCE_AHEAD"});
  EXPECT_EQ(with([](auto& e) { e.distances.mahalanobis_now = 4.01; }), Codes{"SPREAD_FAR"});
  EXPECT_EQ(with([](auto& e) { e.distances.mahalanobis_along = 4.01; }), Codes{"SPREAD_AHEAD"});
  EXPECT_EQ(with([](auto& e) { e.distances.mahalanobis_along = NAN; }), Codes{"SPREAD_UNKNOWN"});
  EXPECT_EQ(with([](auto& e) { e.distances.mahalanobis_limit.reset(); }),
            (Codes{"SPREAD_UNKNOWN", "SPREAD_UNKNOWN"}));
  EXPECT_EQ(with([](auto& e) { e.candidate_verified = false; }), Codes{"CANDIDATE_UNVERIFIED"});
}

ContextSnapshot good_context() {
  ContextSnapshot c;
  c.at = 100 * kSecond;
  c.run_id = "run";
  c.product_id = "P";
  c.recipe_id = "R";
  c.recipe_version = 3;
  c.recipe_content_hash = "r";
  c.beat_ms = 1000;
  c.nodes = {{"u", "L/u", "good", 99 * kSecond, 10.0, "", true},
             {"y", "L/y", "good", 98 * kSecond, 100.0, "", true}};
  Intersection u("u");
  u.narrow(5, 15, "profile");
  c.limits = {u.limit()};
  return c;
}
Binding good_binding() {
  Binding b;
  b.recipe_version = 3;
  b.recipe_content_hash = "r";
  return b;
}

TEST(Context, StaleAndOtherAreRefused) {
  const Profile p = good_profile();
  EXPECT_NO_THROW(check_context(good_context(), p, good_binding()));
  ContextSnapshot c = good_context();
  c.nodes[1].newest_at = 98 * kSecond - 1;
  EXPECT_ERROR(check_context(c, p, good_binding()), "CONTEXT_STALE");
  c.nodes[1].newest_at.reset();
  EXPECT_ERROR(check_context(c, p, good_binding()), "CONTEXT_NEVER");
  c = good_context();
  c.nodes[1].value.reset();
  EXPECT_ERROR(check_context(c, p, good_binding()), "CONTEXT_EMPTY");
  c = good_context();
  c.nodes[1].newest_at = c.at + 3600 * kSecond;
  EXPECT_ERROR(check_context(c, p, good_binding()), "CONTEXT_AHEAD");
  const auto other = [&](auto change) {
    ContextSnapshot x = good_context();
    change(x);
    EXPECT_ERROR(check_context(x, p, good_binding()), "CONTEXT_MISMATCH");
  };
  other([](auto& x) { x.run_id = ""; });
  other([](auto& x) { x.product_id = "Q"; });
  other([](auto& x) { x.recipe_id = "Q"; });
  other([](auto& x) { x.recipe_version = 4; });
  other([](auto& x) { x.recipe_content_hash = "q"; });
  Profile winter = good_profile();
  winter.content.condition_id = "winter";
  EXPECT_ERROR(check_context(good_context(), winter, good_binding()), "CONTEXT_MISMATCH");
}

TEST(Context, TheNarrowestLimitIsInForce) {
  Intersection x("u");
  x.narrow(1, 9, "profile");
  x.narrow(2, {}, "tag");
  x.narrow({}, 8, "product");
  x.narrow(0, 10, "recipe");
  EXPECT_EQ(x.limit().min, 2);
  EXPECT_EQ(x.limit().min_from, "tag");
  EXPECT_EQ(x.limit().max, 8);
  EXPECT_EQ(x.limit().max_from, "product");
}

struct ProblemTest : ::testing::Test {
  Profile profile = good_profile();
  ModelFacts model = good_model();
  ContextSnapshot context = good_context();
  std::map<std::string, UnitMap> units;
  std::vector<optimise::HistoryRow> history{{{10.0, 0.5}, {100.0}}, {{11.0, 0.6}, {std::nullopt}}};
  optimise::ProblemIr ask() {
    return problem_of({profile, model, context, units, {}, history, {}, {}});
  }
};

TEST_F(ProblemTest, TakesWhatTheProfileTheModelAndThePlantSay) {
  const optimise::ProblemIr p = ask();
  EXPECT_EQ(p.u_prev, std::vector<double>{11.0}) << "as read back";
  EXPECT_EQ(p.mv[0].min, 5);
  EXPECT_EQ(p.mv[0].train.std, 2);
  EXPECT_EQ(p.cv[0].margin, std::vector<double>(20, 0.5));
  EXPECT_EQ(p.dv.size(), 1u);
  EXPECT_EQ(p.context_hash, context_hash(context));
  EXPECT_EQ(problem_hash(p), problem_hash(ask()));
}

TEST_F(ProblemTest, DifferencesConvertByScaleOnly) {
  units["u"] = {-1.8, 32};
  units["y"] = {1000, 273.15};
  profile.content.mv[0].target = 10;
  profile.content.mv[0].price = 9;
  const optimise::ProblemIr p = ask();
  EXPECT_DOUBLE_EQ(p.mv[0].min, 15 * -1.8 + 32);
  EXPECT_DOUBLE_EQ(p.mv[0].max, 5 * -1.8 + 32);
  EXPECT_DOUBLE_EQ(p.mv[0].max_move, 1.8);
  EXPECT_DOUBLE_EQ(*p.mv[0].target, 14);
  EXPECT_DOUBLE_EQ(p.mv[0].price, -5);
  EXPECT_DOUBLE_EQ(*p.cv[0].ref, 101'273.15);
  EXPECT_DOUBLE_EQ(units["y"].source(*p.cv[0].ref), 101);
}

TEST_F(ProblemTest, MissingInputsAndLimitsAreRefusedByName) {
  history.back().u[1].reset();
  EXPECT_ERROR((void)ask(), "ADVICE_INPUT_MISSING");
  history.back().u[1] = 0.6;
  context.limits[0].max.reset();
  EXPECT_ERROR((void)ask(), "LIMIT_MISSING");
  context.limits[0].max = 4;
  EXPECT_ERROR((void)ask(), "LIMITS_EMPTY");
}

TEST_F(ProblemTest, WhatIsInManualOrNotInTheProfileIsHeld) {
  context.nodes[0].available = false;
  EXPECT_FALSE(ask().mv[0].available);
  context.nodes[0].available = true;
  EXPECT_TRUE(ask().mv[0].available);
  model.variables.insert(model.variables.begin() + 1, {"v", "mv", "", 0, 1, -1, 1, {}});
  history = {{{10.0, 0.1, 0.5}, {100.0}}};
  EXPECT_FALSE(ask().mv[1].available);
}

TEST(Verify, AnyChangeBeyondTheTolerancesIsRefused) {
  optimise::ProblemIr p;
  p.horizon = 2;
  p.mv.resize(1);
  p.cv.resize(1);
  p.cv[0].train.std = 4;
  optimise::Candidate c;
  c.label = "optimum";
  c.controls = {{1}, {2}};
  c.predicted = {{10}, {11}};
  c.cost = 2;
  const auto check = [&](const optimise::Candidate& claimed, const optimise::Candidate& again,
                         double hold = 3) { return verify(p, claimed, again, hold); };
  EXPECT_TRUE(check(c, c).verified);
  EXPECT_DOUBLE_EQ(check(c, c).improvement, 1.0 / 3);
  const auto refused = [&](auto change, const char* code) {
    optimise::Candidate x = c;
    change(x);
    const VerifyReport r = check(x, c);
    ASSERT_FALSE(r.verified) << code;
    EXPECT_EQ(r.failures.front().code, code);
  };
  refused([](auto& x) { x.cost += 3.1e-6; }, "VERIFY_COST");
  refused([](auto& x) { x.cost = NAN; }, "VERIFY_SHAPE");
  refused([](auto& x) { x.predicted[1][0] += 4.1e-5; }, "VERIFY_PREDICTION");
  refused([](auto& x) { x.predicted.pop_back(); }, "VERIFY_SHAPE");
  refused([](auto& x) { x.controls[0].push_back(1); }, "VERIFY_SHAPE");
  optimise::Candidate near = c;
  near.cost += 2.9e-6;
  near.predicted[1][0] += 3.9e-5;
  EXPECT_TRUE(check(near, c).verified);
  optimise::Candidate broken = c;
  broken.constraints = {{"u.max", optimise::ConstraintKind::hard, -1, false, 1}};
  EXPECT_EQ(check(c, broken).failures.front().code, "VERIFY_LIMIT");
  broken.constraints[0].kind = optimise::ConstraintKind::soft;
  EXPECT_TRUE(check(c, broken).verified);
  EXPECT_EQ(check(c, c, 2.0).failures.front().code, "VERIFY_IMPROVEMENT");
  optimise::Candidate hold = c;
  hold.label = "hold";
  EXPECT_TRUE(check(hold, c, 2.0).verified);
}

}  // namespace
}  // namespace flyball::advise
