#include "advise/ledger_fixture.h"

namespace flyball::advise {
namespace {

using enum RecommendationStatus;

TEST_F(LedgerTest, AnActiveVersionNeverChangesAndTheNextOneRetiresIt) {
  Profile next = draft();
  next.id = profile.id;
  next.content.horizon = 30;
  next = ledger.add_profile(next);
  EXPECT_EQ(next.version, 2);
  EXPECT_EQ(next.status, ProfileStatus::draft);
  EXPECT_EQ(ledger.profile(profile.id, 1).content.horizon, 60);
  ledger.move_profile(profile.id, 2, ProfileStatus::active, "bob", 5);
  EXPECT_EQ(ledger.profile(profile.id, 1).status, ProfileStatus::retired);
  EXPECT_EQ(ledger.profile(profile.id, 1).retired_by, "bob");
  EXPECT_EQ(ledger.profile(profile.id).version, 2);
  EXPECT_EQ(ledger.users_of_model("mdl-1"),
            std::vector<std::string>{"optimizer_profile:" + profile.id + "@2"});
}

TEST_F(LedgerTest, EveryPairOfProfileStatesIsAsDeclared) {
  for (int from = 0; from < 3; ++from) {
    for (int to = 1; to < 3; ++to) {
      Profile p = ledger.add_profile(draft());
      if (from > 0) p = ledger.move_profile(p.id, 1, static_cast<ProfileStatus>(from), "ann", 3);
      const auto target = static_cast<ProfileStatus>(to);
      if (may_move(p.status, target)) {
        EXPECT_EQ(ledger.move_profile(p.id, 1, target, "ann", 4).status, target);
      } else {
        EXPECT_ERROR((void)ledger.move_profile(p.id, 1, target, "ann", 4), "PROFILE_STATUS");
      }
    }
  }
}

TEST_F(LedgerTest, EveryPairOfRecommendationStatesIsAsDeclared) {
  for (int from = 0; from < 6; ++from) {
    for (int to = 0; to < 6; ++to) {
      const auto a = static_cast<RecommendationStatus>(from),
                 b = static_cast<RecommendationStatus>(to);
      const std::string id = brought_to(a).id;
      ASSERT_EQ(ledger.recommendation(id).status, a);
      if (b == expired) {
        EXPECT_EQ(ledger.expire(id, ExpiryCause::modelRetired, 50), is_open(a) ? 1 : 0);
        EXPECT_EQ(ledger.recommendation(id).status, is_open(a) ? expired : a);
      } else if (may_move(a, b)) {
        EXPECT_EQ(ledger.decide(id, b, "bob", "", 50).status, b);
      } else {
        EXPECT_ERROR((void)ledger.decide(id, b, "bob", "", 50),
                     a == expired ? "RECOMMENDATION_EXPIRED" : "RECOMMENDATION_STATUS");
        EXPECT_EQ(ledger.recommendation(id).status, a);
      }
    }
  }
}

TEST_F(LedgerTest, EveryCauseExpiresOnlyWhatIsOpen) {
  for (std::size_t cause = 0; cause < enum_names(ExpiryCause{}).size(); ++cause) {
    for (int s = 0; s < 6; ++s) {
      const auto status = static_cast<RecommendationStatus>(s);
      const Recommendation before = brought_to(status);
      ledger.expire_binding(binding.id, static_cast<ExpiryCause>(cause), 60);
      const Recommendation after = ledger.recommendation(before.id);
      if (is_open(status)) {
        EXPECT_EQ(after.status, expired);
        EXPECT_EQ(after.expiry_cause, static_cast<ExpiryCause>(cause));
      } else {
        EXPECT_EQ(to_json_value(after), to_json_value(before));
      }
    }
  }
}

TEST_F(LedgerTest, TimeEndsAdviceAtTheSweepAndAtADecision) {
  const std::string id = advised(verified, 1000).id;
  EXPECT_EQ(ledger.expire_old(1000), 0) << "valid up to its last moment";
  EXPECT_ERROR((void)ledger.decide(id, accepted, "bob", "", 1001), "RECOMMENDATION_EXPIRED");
  EXPECT_EQ(ledger.expire_old(1001), 1);
  EXPECT_EQ(ledger.expire_old(1001), 0);
  EXPECT_EQ(ledger.recommendation(id).expiry_cause, ExpiryCause::time);
}

TEST_F(LedgerTest, AChangedBindingExpiresOpenAdviceAndASecondWriterLoses) {
  const std::string id = advised().id, done = brought_to(applied).id;
  Binding mine = binding, theirs = binding;
  mine.recipe_version = 2;
  const Binding changed = ledger.change_binding(mine, ExpiryCause::recipeChanged);
  EXPECT_EQ(changed.revision, 2);
  EXPECT_EQ(ledger.recommendation(id).status, expired);
  EXPECT_EQ(ledger.recommendation(done).status, applied);
  EXPECT_ERROR((void)ledger.change_binding(theirs, ExpiryCause::bindingChanged),
               "BINDING_REVISION_CHANGED");
  EXPECT_EQ(ledger.binding(binding.id).recipe_version, 2);
}

TEST_F(LedgerTest, NewAdviceTakesThePlaceOfWhatNobodyDecidedOn) {
  const std::string first = advised().id, kept = brought_to(accepted).id;
  EXPECT_EQ(ledger.recommendation(first).expiry_cause, ExpiryCause::superseded);
  (void)advised();
  EXPECT_EQ(ledger.recommendation(kept).status, accepted);
}

TEST_F(LedgerTest, ASolveIsKeptWholeOrNotAtAll) {
  const AdviceRun r = asked();
  Concluded c = answered(r);
  c.candidates.push_back(c.candidates.front());  // the same id twice
  EXPECT_ERROR(ledger.conclude(c), "DATABASE_CONSTRAINT");
  EXPECT_EQ(ledger.run(r.id).status, RunStatus::running);
  EXPECT_TRUE(ledger.candidates(r.id).empty());
  EXPECT_ERROR((void)ledger.recommendation(c.recommendation->id), "RECOMMENDATION_MISSING");
  c.candidates.pop_back();
  ledger.conclude(c);
  EXPECT_EQ(ledger.run(r.id).status, RunStatus::optimal);
  EXPECT_EQ(ledger.candidates(r.id).size(), 1u);
  EXPECT_ERROR(ledger.conclude(c), "ADVICE_RUN_RACE");
}

TEST_F(LedgerTest, AdviceForABindingThatWasChangedMeanwhileIsNotKept) {
  const AdviceRun r = asked();
  ledger.change_binding(ledger.binding(binding.id), ExpiryCause::bindingChanged);
  EXPECT_ERROR(ledger.conclude(answered(r)), "BINDING_REVISION_CHANGED");
  EXPECT_EQ(ledger.run(r.id).status, RunStatus::running);
  EXPECT_TRUE(ledger.recommendations(binding.id, "", 10).empty());
}

TEST_F(LedgerTest, WhatADeadProcessLeftEndsAsAnError) {
  const AdviceRun r = asked();
  EXPECT_EQ(ledger.end_abandoned(500), 0) << "this process lives, and has until 500";
  db.run("UPDATE optimizer_runs SET process = ?", gone());
  EXPECT_EQ(ledger.end_abandoned(99), 1);
  EXPECT_EQ(ledger.run(r.id).status, RunStatus::error);
  EXPECT_EQ(ledger.run(r.id).code, "WORKER_INTERRUPTED");
  EXPECT_EQ(ledger.run(r.id).finished_at, 99);
  EXPECT_ERROR(ledger.conclude(answered(r)), "ADVICE_RUN_RACE");
}

TEST_F(LedgerTest, WhatIsPastItsTimeEndsAsAnErrorThoughItsProcessLives) {
  const AdviceRun r = asked();
  EXPECT_EQ(ledger.end_abandoned(501), 1);
  EXPECT_EQ(ledger.run(r.id).status, RunStatus::error);
  EXPECT_EQ(ledger.end_abandoned(502), 0) << "once";
}

TEST(ProcessMark, TellsTheDeadFromTheLiving) {
  EXPECT_TRUE(jobs::may_live(jobs::process_mark()));
  EXPECT_FALSE(jobs::may_live(gone()));
  EXPECT_FALSE(jobs::may_live(""));
  std::string mark = jobs::process_mark();
  EXPECT_TRUE(jobs::may_live(mark + "x")) << "another namespace: nothing is known";
  mark.insert(mark.find(' ') + 1, "1");
  EXPECT_FALSE(jobs::may_live(mark)) << "its number is another's by now";
}

TEST_F(LedgerTest, RecordsComeBackAsTheyWereWritten) {
  const AdviceRun r = asked();
  const Concluded c = answered(r);
  ledger.conclude(c);
  EXPECT_EQ(to_json_value(ledger.candidates(r.id).front()), to_json_value(c.candidates.front()));
  Recommendation expected = *c.recommendation;
  expected.status_label = "Verified by simulation";
  EXPECT_EQ(to_json_value(ledger.recommendation(expected.id)), to_json_value(expected));
  AdviceOutcome o;
  o.id = "out-1";
  o.recommendation_id = expected.id;
  o.verdict = Verdict::worse;
  ledger.add_outcome(o);
  o.id = "out-2";
  ledger.add_outcome(o);
  ASSERT_EQ(ledger.outcomes(expected.id).size(), 2u);
  EXPECT_EQ(to_json_value(ledger.outcomes(expected.id)[1]), to_json_value(o));
}

TEST(TimedId, IsPrefixTimeInBase36AndSixRandomDigits) {
  EXPECT_EQ(timed_id("rec", 36 * 36 * kMillisecond).substr(0, 8), "rec-100-");
  EXPECT_EQ(timed_id("rec", 0).size(), 12u);
  EXPECT_NE(timed_id("rec", 5), timed_id("rec", 5));
}

}  // namespace
}  // namespace flyball::advise
