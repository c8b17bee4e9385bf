#include "govern_fixture.h"

namespace flyball::govern {
namespace {

class SessionsTest : public GovernTest {
 protected:
  SessionsTest() {
    add("ann", {Right::view, Right::approve}, {{"L1", Grant::operate}});
    session_ = g_.sessions.create("ann", kNow);
  }
  Principal at(TimeUs t) { return g_.sessions.authenticate(session_.secret, t); }

  NewSession session_;
};

TEST_F(SessionsTest, TellWhoHoldsThem) {
  const Principal ann = at(kNow);
  EXPECT_EQ(ann.id, "ann");
  EXPECT_EQ(ann.credential, Credential::session);
  EXPECT_EQ(ann.on("L1"), Grant::operate);
  EXPECT_EQ(ann.on("L2"), Grant::none);
  EXPECT_EQ(session_.secret.size(), 64u);
  EXPECT_ERROR(g_.sessions.authenticate(std::string(64, '0'), kNow), "SESSION_OVER");
  EXPECT_ERROR(g_.sessions.authenticate("", kNow), "SESSION_OVER");
}

TEST_F(SessionsTest, EndWhenTheyAreIdle) {
  EXPECT_NO_THROW(at(kNow + Sessions::kIdle - 1));
  EXPECT_NO_THROW(at(kNow + 2 * Sessions::kIdle - 2));  // used in between
  EXPECT_ERROR(at(kNow + 3 * Sessions::kIdle), "SESSION_OVER");
  EXPECT_ERROR(at(kNow), "SESSION_OVER");  // and do not come back
}

TEST_F(SessionsTest, EndAfterTwelveHoursHoweverMuchTheyAreUsed) {
  TimeUs t = kNow;
  for (; t < kNow + Sessions::kLongest; t += 600 * kSecond) EXPECT_NO_THROW(at(t));
  EXPECT_ERROR(at(t), "SESSION_OVER");
}

TEST_F(SessionsTest, AreFreshForFiveMinutesAfterThePassword) {
  EXPECT_TRUE(at(kNow + kFreshSignIn).fresh);
  EXPECT_FALSE(at(kNow + kFreshSignIn + 1).fresh);
  EXPECT_FALSE(at(kNow - 1).fresh);  // a clock that was set back proves nothing
  EXPECT_ERROR(g_.sign_in.confirm(session_.secret, "wrong", "a", kNow + kFreshSignIn + 1),
               "SIGN_IN_REFUSED");
  EXPECT_FALSE(at(kNow + kFreshSignIn + 1).fresh);
  g_.sign_in.confirm(session_.secret, kPassword, "a", kNow + kFreshSignIn + 1);
  EXPECT_TRUE(at(kNow + 2 * kFreshSignIn).fresh);
}

TEST_F(SessionsTest, EndBySigningOut) {
  const NewSession other = g_.sessions.create("ann", kNow);
  g_.sessions.end(session_.secret);
  EXPECT_ERROR(at(kNow), "SESSION_OVER");
  EXPECT_NO_THROW(g_.sessions.authenticate(other.secret, kNow));
}

TEST_F(SessionsTest, FollowTheRightsOfTheirUserAtOnce) {
  g_.users.change("ann", {.rights = {{Right::view}}});
  g_.users.grant("ann", "L1", Grant::read);
  EXPECT_EQ(at(kNow).rights, std::vector{Right::view});
  EXPECT_EQ(at(kNow).on("L1"), Grant::read);
}

TEST_F(SessionsTest, HaveACsrfTokenThatFitsNoOther) {
  const NewSession other = g_.sessions.create("ann", kNow);
  EXPECT_TRUE(Sessions::csrf_matches(session_.secret, session_.csrf));
  EXPECT_FALSE(Sessions::csrf_matches(other.secret, session_.csrf));
  EXPECT_FALSE(Sessions::csrf_matches(session_.secret, ""));
  EXPECT_NE(session_.csrf, session_.secret);
}

TEST_F(SessionsTest, TheFileHoldsOnlyHashes) {
  EXPECT_FALSE(stored(session_.secret));
  EXPECT_FALSE(stored(session_.csrf));
  EXPECT_TRUE(stored("ann"));
}

}  // namespace
}  // namespace flyball::govern
