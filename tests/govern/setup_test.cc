#include <atomic>
#include <thread>

#include "govern_fixture.h"

namespace flyball::govern {
namespace {

using SetupTest = GovernTest;

TEST_F(SetupTest, TheTokenMakesTheFirstAdministratorOnce) {
  const std::string token = *g_.setup.issue(kNow);
  EXPECT_EQ(token.size(), 64u);
  EXPECT_FALSE(stored(token));
  const User ann = g_.setup.claim(token, "ann", "Ann", kPassword, kNow);
  EXPECT_EQ(ann.rights, all_rights());
  EXPECT_EQ(ann.all_lines, Grant::operate);
  EXPECT_EQ(g_.audit.list({.action = "auth.setup"}, 10).rows.front().actor, "ann");
  EXPECT_FALSE(g_.audit.verify().problem);
  EXPECT_ERROR(g_.setup.claim(token, "eve", "", kPassword, kNow), "SETUP_REFUSED");
  EXPECT_FALSE(g_.setup.issue(kNow));
  EXPECT_NO_THROW(g_.sign_in.sign_in("ann", kPassword, "a", kNow));
}

TEST_F(SetupTest, NoOtherTextServes) {
  EXPECT_ERROR(g_.setup.claim("", "eve", "", kPassword, kNow), "SETUP_REFUSED");
  const std::string token = *g_.setup.issue(kNow);
  EXPECT_ERROR(g_.setup.claim(token.substr(1), "eve", "", kPassword, kNow), "SETUP_REFUSED");
  EXPECT_FALSE(g_.users.any());
}

TEST_F(SetupTest, ARefusedPasswordDoesNotSpendIt) {
  const std::string token = *g_.setup.issue(kNow);
  EXPECT_ERROR(g_.setup.claim(token, "ann", "", "short", kNow), "PASSWORD_SHORT");
  EXPECT_NO_THROW(g_.setup.claim(token, "ann", "", kPassword, kNow));
}

TEST_F(SetupTest, ItExpiresAfterADayAndANewOneTakesItsPlace) {
  const std::string token = *g_.setup.issue(kNow);
  EXPECT_ERROR(g_.setup.claim(token, "ann", "", kPassword, kNow + kDay), "SETUP_REFUSED");
  const std::string second = *g_.setup.issue(kNow);
  EXPECT_ERROR(g_.setup.claim(token, "ann", "", kPassword, kNow), "SETUP_REFUSED");
  EXPECT_NO_THROW(g_.setup.claim(second, "ann", "", kPassword, kNow + kDay - 1));
}

TEST_F(SetupTest, OfManyWhoClaimAtOnceOneSucceeds) {
  const std::string token = *g_.setup.issue(kNow);
  std::atomic<int> made = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      store::Database db(file());
      Governance g(db, {}, kLeastCost);
      try {
        g.setup.claim(token, "user" + std::to_string(t), "", kPassword, kNow);
        ++made;
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), "SETUP_REFUSED");
      }
    });
  threads.clear();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(g_.users.list().size(), 1u);
}

}  // namespace
}  // namespace flyball::govern
