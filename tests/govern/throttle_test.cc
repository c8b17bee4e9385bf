#include "govern/throttle.h"

#include <thread>

#include "govern_fixture.h"

namespace flyball::govern {
namespace {

TEST(ThrottleWait, DoublesFromTheFreeTriesOnUpToItsLimit) {
  for (int n = 0; n < 5; ++n) EXPECT_EQ(Throttle::wait(n, 5), 0);
  EXPECT_EQ(Throttle::wait(5, 5), kSecond);
  for (int n = 6; n < 14; ++n) EXPECT_EQ(Throttle::wait(n, 5), 2 * Throttle::wait(n - 1, 5));
  EXPECT_EQ(Throttle::wait(15, 5), Throttle::kLongestWait);
  EXPECT_EQ(Throttle::wait(1'000'000, 5), Throttle::kLongestWait);
}

class ThrottleTest : public GovernTest {
 protected:
  /// Tries until one must wait; how many were let through.
  int tries(const std::string& account, const std::string& address, TimeUs now) {
    for (int n = 0; n < 100; ++n) {
      try {
        g_.throttle.begin(account, address, now);
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), "SIGN_IN_WAIT");
        return n;
      }
    }
    return 100;
  }
};

TEST_F(ThrottleTest, AnAccountIsBlockedWhereverTheTriesComeFrom) {
  for (int n = 0; n < Throttle::kFreeOfAccount; ++n)
    g_.throttle.begin("ann", "10.0.0." + std::to_string(n), kNow);
  EXPECT_ERROR(g_.throttle.begin("ann", "10.0.1.1", kNow), "SIGN_IN_WAIT");
  EXPECT_NO_THROW(g_.throttle.begin("bob", "10.0.1.1", kNow));
}

TEST_F(ThrottleTest, AnAddressIsBlockedWhateverTheAccount) {
  for (int n = 0; n < Throttle::kFreeOfAddress; ++n)
    g_.throttle.begin("user" + std::to_string(n), "10.0.0.1", kNow);
  EXPECT_ERROR(g_.throttle.begin("another", "10.0.0.1", kNow), "SIGN_IN_WAIT");
  EXPECT_NO_THROW(g_.throttle.begin("another", "10.0.0.2", kNow));
}

TEST_F(ThrottleTest, GuessesOfADayStayFew) {
  int guesses = 0;
  for (TimeUs t = kNow; t < kNow + kDay; t += kSecond) guesses += tries("ann", "10.0.0.1", t);
  EXPECT_LT(guesses, Throttle::kFreeOfAccount + 11 + 24 * 4);
  EXPECT_GT(guesses, 50);  // the person himself is never locked out for good
}

TEST_F(ThrottleTest, ARightPasswordForgivesTheAccountAndOneTryOfTheAddress) {
  for (int n = 0; n < 4; ++n) g_.throttle.begin("ann", "10.0.0.1", kNow);
  g_.throttle.begin("ann", "10.0.0.1", kNow);
  g_.throttle.succeeded("ann", "10.0.0.1");
  EXPECT_EQ(tries("ann", "10.0.0.2", kNow), Throttle::kFreeOfAccount);
  EXPECT_EQ(tries("bob", "10.0.0.1", kNow), Throttle::kFreeOfAccount);
}

TEST_F(ThrottleTest, WhatWasCountedOutlivesARestartAndIsForgottenInTheEnd) {
  EXPECT_EQ(tries("ann", "10.0.0.1", kNow), Throttle::kFreeOfAccount);
  store::Database other(file());
  EXPECT_ERROR(Throttle(other).begin("ann", "10.0.0.9", kNow), "SIGN_IN_WAIT");
  EXPECT_EQ(tries("ann", "10.0.0.1", kNow + Throttle::kForgotten + 1), Throttle::kFreeOfAccount);
}

TEST_F(ThrottleTest, AClockThatWasSetBackBlocksNoLongerThanTheLongestWait) {
  while (tries("ann", "a", kNow) > 0) {
  }
  EXPECT_ERROR(g_.throttle.begin("ann", "b", kNow - 300 * kDay), "SIGN_IN_WAIT");
}

TEST_F(ThrottleTest, TriesSideBySideGainNothing) {
  std::atomic<int> through = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      store::Database db(file());
      Throttle throttle(db);
      for (int n = 0; n < 10; ++n) {
        try {
          throttle.begin("ann", "10.0.0.1", kNow);
          ++through;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), "SIGN_IN_WAIT");
        }
      }
    });
  threads.clear();
  EXPECT_EQ(through, Throttle::kFreeOfAccount);
}

using SignInTest = ThrottleTest;

TEST_F(SignInTest, DoesNotTellAnUnknownUserFromAWrongPassword) {
  add("ann", {Right::view});
  add("off", {Right::view});
  g_.users.change("off", {.disabled = true});
  for (const char* user : {"ann", "nobody", "off"})
    EXPECT_ERROR(g_.sign_in.sign_in(user, "wrong, but long", "10.0.0.1", kNow), "SIGN_IN_REFUSED");
}

TEST_F(SignInTest, EveryTryIsInTheTrailWithoutWhatWasTyped) {
  add("ann", {Right::view});
  g_.sign_in.sign_in("ann", kPassword, "10.0.0.1", kNow);
  EXPECT_ERROR(g_.sign_in.sign_in("my secret word", "x", "10.0.0.2", kNow), "SIGN_IN_REFUSED");
  const auto rows = g_.audit.list({}, 10).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].outcome, "SIGN_IN_REFUSED");
  EXPECT_EQ(rows[0].actor, "unknown");
  EXPECT_EQ(rows[1].outcome, "done");
  EXPECT_EQ(rows[1].actor, "ann");
  EXPECT_FALSE(stored("my secret word"));
}

TEST_F(SignInTest, EvenTheRightPasswordWaitsWhileTheAccountIsBlocked) {
  add("ann", {Right::view});
  for (int n = 0; n < Throttle::kFreeOfAccount; ++n)
    EXPECT_ERROR(g_.sign_in.sign_in("ann", "wrong", "a", kNow), "SIGN_IN_REFUSED");
  EXPECT_ERROR(g_.sign_in.sign_in("ann", kPassword, "b", kNow), "SIGN_IN_WAIT");
  EXPECT_NO_THROW(g_.sign_in.sign_in("ann", kPassword, "b", kNow + kSecond));
}

}  // namespace
}  // namespace flyball::govern
