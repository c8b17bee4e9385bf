#include "govern_fixture.h"

namespace flyball::govern {
namespace {

TEST(Password, KeepsItsRules) {
  EXPECT_ERROR(check_password("short", "ann", "Ann"), "PASSWORD_SHORT");
  EXPECT_ERROR(check_password("éééééé", "ann", "Ann"), "PASSWORD_SHORT");  // 12 bytes
  EXPECT_ERROR(check_password("ann-ANN-ann-1", "ann", "Ann"), "PASSWORD_HAS_NAME");
  EXPECT_ERROR(check_password("Annabel Leemore", "ann", "Annabel Leemore"), "PASSWORD_HAS_NAME");
  EXPECT_ERROR(check_password(std::string(1025, 'x'), "ann", "Ann"), "PASSWORD_LONG");
  EXPECT_NO_THROW(check_password("annual turnover", "ann", "Ann"));
  EXPECT_NO_THROW(check_password("十二个字的密码要够长才行了", "ann", "Ann"));
}

TEST(Password, OnlyTheRightOneFitsItsHash) {
  const Passwords passwords(kLeastCost);
  const std::string hash = passwords.hash(kPassword);
  EXPECT_TRUE(hash.starts_with("$argon2id$"));
  EXPECT_NE(hash, passwords.hash(kPassword));  // salted
  EXPECT_TRUE(passwords.matches(hash, kPassword));
  EXPECT_FALSE(passwords.matches(hash, kPassword + " "));
  EXPECT_FALSE(passwords.matches("", kPassword));
  EXPECT_FALSE(passwords.matches_none(kPassword));
}

using UsersTest = GovernTest;

TEST_F(UsersTest, ThereIsNoneToBeginWith) {
  EXPECT_FALSE(g_.users.any());
  for (const char* name : {"admin", "root", "flyball", ""})
    for (const char* password : {"", "admin", "password", "flyball"})
      EXPECT_FALSE(g_.users.password_matches(name, password));
}

TEST_F(UsersTest, AreReadBackAsTheyWereAdded) {
  const User ann = add("ann", {Right::train, Right::view}, {{"L1", Grant::operate}});
  EXPECT_EQ(ann.rights, (std::vector{Right::view, Right::train}));
  EXPECT_EQ(ann.lines.at("L1"), Grant::operate);
  EXPECT_EQ(ann.display_name, "ann");
  EXPECT_EQ(to_json_value(g_.users.list().front()), to_json_value(ann));
  EXPECT_TRUE(g_.users.password_matches("ann", kPassword));
  EXPECT_FALSE(g_.users.password_matches("ann", "another one, long"));
  EXPECT_ERROR(add("ann", {}), "NAME_EXISTS");
  EXPECT_ERROR(add("../x/y", {}), "NAME_INVALID");
  EXPECT_ERROR((void)g_.users.get("anm"), "NAME_MISSING");
  EXPECT_ERROR(add("bob", {}, {{"L9", Grant::read}}), "NAME_MISSING");
  EXPECT_FALSE(g_.users.find("bob"));  // nothing half made
}

TEST_F(UsersTest, OnlyPersonsHavePasswordsAndPersonalRights) {
  User bot;
  bot.id = "bot";
  bot.kind = Kind::agent;
  EXPECT_ERROR(g_.users.add(bot, kPassword, kNow), "PASSWORD_UNFIT");
  EXPECT_ERROR(add("bot", {Right::approve}, {}, Kind::agent), "AGENT_RIGHT");
  EXPECT_ERROR(add("bot", {Right::admin}, {}, Kind::system), "AGENT_RIGHT");
  add("bot", {Right::view}, {}, Kind::agent);
  EXPECT_ERROR(g_.users.change("bot", {.rights = {{Right::admin}}}), "AGENT_RIGHT");
  EXPECT_FALSE(g_.users.password_matches("bot", ""));
  bot.id = "eve";
  bot.kind = Kind::person;
  EXPECT_ERROR(g_.users.add(bot, {}, kNow), "PASSWORD_MISSING");
}

TEST_F(UsersTest, ADisabledOneIsNobody) {
  add("ann", {Right::view});
  const NewSession session = g_.sessions.create("ann", kNow);
  const User ann = g_.users.change("ann", {.disabled = true});
  EXPECT_FALSE(g_.users.password_matches("ann", kPassword));
  EXPECT_ERROR(g_.sessions.authenticate(session.secret, kNow), "SESSION_OVER");
  EXPECT_EQ(principal_of(ann, Credential::session).credential, Credential::none);
}

TEST_F(UsersTest, SomebodyWhoMayAdministerIsAlwaysLeft) {
  add("ann", {Right::admin});
  EXPECT_ERROR(g_.users.change("ann", {.disabled = true}), "LAST_ADMIN");
  EXPECT_ERROR(g_.users.change("ann", {.rights = {{Right::view}}}), "LAST_ADMIN");
  EXPECT_FALSE(g_.users.get("ann").disabled);
  add("bob", {Right::admin});
  EXPECT_TRUE(g_.users.change("ann", {.disabled = true}).disabled);
}

TEST_F(UsersTest, AnotherPasswordEndsTheSessions) {
  add("ann", {Right::view});
  const NewSession session = g_.sessions.create("ann", kNow);
  EXPECT_ERROR(g_.users.change("ann", {.password = "ann"}), "PASSWORD_SHORT");
  EXPECT_NO_THROW(g_.sessions.authenticate(session.secret, kNow));
  g_.users.change("ann", {.password = "a wholly new one"});
  EXPECT_ERROR(g_.sessions.authenticate(session.secret, kNow), "SESSION_OVER");
  EXPECT_FALSE(g_.users.password_matches("ann", kPassword));
}

TEST_F(UsersTest, GrantsAreGivenAndTakenByLine) {
  add("ann", {Right::view});
  g_.users.grant("ann", {}, Grant::read);
  g_.users.grant("ann", "L1", Grant::none);
  EXPECT_FALSE(may_read(signed_in("ann"), "L1"));
  EXPECT_TRUE(may_read(signed_in("ann"), "L2"));
  g_.users.grant("ann", "L1", {});
  EXPECT_TRUE(may_read(signed_in("ann"), "L1"));
  EXPECT_ERROR(g_.users.grant("ann", "L9", Grant::read), "NAME_MISSING");
}

TEST_F(UsersTest, AGrantEndsWithItsLine) {
  add("ann", {Right::view}, {{"L1", Grant::operate}});
  plant::PlantStore plant(db_);
  plant.remove_line("L1", {});
  plant.put(plant::Line{"L1", "another line of this name"});
  EXPECT_FALSE(may_read(signed_in("ann"), "L1"));
}

TEST_F(UsersTest, NoPasswordIsInTheFile) {
  add("ann", {Right::view});
  EXPECT_FALSE(stored(kPassword));
  EXPECT_TRUE(stored("$argon2id$"));
}

}  // namespace
}  // namespace flyball::govern
