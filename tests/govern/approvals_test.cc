#include <atomic>
#include <thread>

#include "govern_fixture.h"

namespace flyball::govern {
namespace {

class ApprovalsTest : public GovernTest {
 protected:
  ApprovalsTest() {
    add("ann", {Right::view, Right::request, Right::approve}, {{"L1", Grant::operate}});
    add("bob", {Right::view, Right::approve}, {{"L1", Grant::operate}, {"L2", Grant::read}});
  }
  Approval request(const std::string& object = "mdl-1", const std::string& line = "L1") {
    return g_.approvals.request({"models.promote", object, "d1", line, "ann", "better"}, kNow);
  }
  Approval decide(const std::string& id, const Principal& by, Verdict verdict = Verdict::approve,
                  const std::string& digest = "d1", const std::string& comment = "",
                  TimeUs now = kNow) {
    return g_.approvals.decide(id, verdict, by, digest, comment, now);
  }
};

TEST_F(ApprovalsTest, AnotherPersonApproves) {
  const Approval asked = request();
  EXPECT_EQ(asked.status, ApprovalStatus::pending);
  EXPECT_EQ(asked.expires_at, kNow + 7 * kDay);
  const Approval a = decide(asked.id, signed_in("bob"));
  EXPECT_EQ(a.status, ApprovalStatus::approved);
  EXPECT_EQ(a.decided_by, "bob");
  EXPECT_EQ(a.decided_at, kNow);
  EXPECT_EQ(to_json_value(g_.approvals.get(a.id, kNow)), to_json_value(a));
}

TEST_F(ApprovalsTest, WhoeverIsNotAFreshlySignedInOtherPersonWithTheRightIsRefused) {
  const std::string id = request().id;
  add("carl", {Right::view}, {{"L1", Grant::operate}});
  add("dora", {Right::approve});
  Principal token = signed_in("bob");
  token.credential = Credential::token;
  Principal agent = signed_in("bob");
  agent.kind = Kind::agent;
  EXPECT_ERROR(decide(id, signed_in("ann")), "APPROVER_IS_REQUESTER");
  EXPECT_ERROR(decide(id, signed_in("bob", false)), "FRESH_SIGN_IN_NEEDED");
  EXPECT_ERROR(decide(id, signed_in("carl")), "RIGHT_MISSING");
  EXPECT_ERROR(decide(id, signed_in("dora")), "LINE_FORBIDDEN");
  EXPECT_ERROR(decide(id, token), "APPROVER_NOT_PERSON");
  EXPECT_ERROR(decide(id, agent), "APPROVER_NOT_PERSON");
  EXPECT_ERROR(decide(id, local_principal("root")), "APPROVER_NOT_PERSON");
  EXPECT_ERROR(decide(id, {}), "APPROVER_NOT_PERSON");
  EXPECT_ERROR(decide(request("mdl-2", "L2").id, signed_in("bob")), "LINE_READONLY");
  EXPECT_EQ(g_.approvals.get(id, kNow).status, ApprovalStatus::pending);
}

TEST_F(ApprovalsTest, WhatChangedSinceIsNotApproved) {
  const std::string id = request().id;
  EXPECT_ERROR(decide(id, signed_in("bob"), Verdict::approve, "d2"), "APPROVAL_STALE");
  EXPECT_ERROR(decide(id, signed_in("bob"), Verdict::approve, ""), "APPROVAL_STALE");
}

TEST_F(ApprovalsTest, ARejectionSaysWhy) {
  const std::string id = request().id;
  EXPECT_ERROR(decide(id, signed_in("bob"), Verdict::reject, "d1", " \n"), "COMMENT_MISSING");
  const Approval a = decide(id, signed_in("bob"), Verdict::reject, "d1", "too few runs");
  EXPECT_EQ(a.status, ApprovalStatus::rejected);
  EXPECT_EQ(a.comment, "too few runs");
  EXPECT_ERROR(decide(id, signed_in("bob")), "APPROVAL_DECIDED");
  EXPECT_NO_THROW(request());  // and may be asked for again
}

TEST_F(ApprovalsTest, OneWaitsForAKindAndObject) {
  request();
  EXPECT_ERROR(request(), "APPROVAL_PENDING");
  EXPECT_NO_THROW(request("mdl-2"));
  EXPECT_NO_THROW(g_.approvals.request({"models.delete", "mdl-1", "d1", "L1", "ann"}, kNow));
}

TEST_F(ApprovalsTest, ExpireByReadingAndBySweeping) {
  const std::string id = request().id;
  const TimeUs end = kNow + 7 * kDay;
  EXPECT_EQ(g_.approvals.get(id, end - 1).status, ApprovalStatus::pending);
  EXPECT_EQ(g_.approvals.get(id, end).status, ApprovalStatus::expired);
  EXPECT_EQ(g_.approvals.list({ApprovalStatus::expired}, end).size(), 1u);
  EXPECT_ERROR(decide(id, signed_in("bob"), Verdict::approve, "d1", "", end), "APPROVAL_EXPIRED");
  EXPECT_EQ(g_.approvals.sweep(end - 1), 0);
  EXPECT_EQ(g_.approvals.sweep(end), 1);
  EXPECT_EQ(g_.approvals.sweep(end), 0);
  EXPECT_EQ(g_.approvals.get(id, kNow).status, ApprovalStatus::expired);
}

TEST_F(ApprovalsTest, AnExpiredOneDoesNotStandInTheWay) {
  request();
  EXPECT_NO_THROW(
      g_.approvals.request({"models.promote", "mdl-1", "d1", "L1", "ann"}, kNow + 7 * kDay));
  EXPECT_ERROR(g_.approvals.request({"x", "y", "d", "L1", "ann", "", kNow}, kNow),
               "APPROVAL_EXPIRY");
}

TEST_F(ApprovalsTest, WhatIsCarriedOutAndTheDecisionAreOneTransaction) {
  const std::string id = request().id;
  {
    const store::Transaction transaction(db_);
    decide(id, signed_in("bob"));
    EXPECT_EQ(g_.approvals.get(id, kNow).status, ApprovalStatus::approved);
  }  // carrying it out failed
  EXPECT_EQ(g_.approvals.get(id, kNow).status, ApprovalStatus::pending);
  store::Transaction transaction(db_);
  EXPECT_ERROR(decide(id, signed_in("ann")), "APPROVER_IS_REQUESTER");
  decide(id, signed_in("bob"));
  transaction.commit();
  EXPECT_EQ(g_.approvals.get(id, kNow).status, ApprovalStatus::approved);
}

TEST_F(ApprovalsTest, OfManyDecisionsAtOnceOneCounts) {
  const std::string id = request().id;
  const Principal bob = signed_in("bob");
  std::atomic<int> decided = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      store::Database db(file());
      try {
        Approvals(db).decide(id, t % 2 == 0 ? Verdict::approve : Verdict::reject, bob, "d1", "no",
                             kNow);
        ++decided;
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), "APPROVAL_DECIDED");
      }
    });
  threads.clear();
  EXPECT_EQ(decided, 1);
}

TEST_F(ApprovalsTest, OfManyRequestsAtOnceOneWaits) {
  std::atomic<int> made = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      store::Database db(file());
      try {
        Approvals(db).request({"models.promote", "mdl-1", "d1", "L1", "ann"}, kNow);
        ++made;
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), "APPROVAL_PENDING");
      }
    });
  threads.clear();
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace flyball::govern
