#include "govern_fixture.h"

namespace flyball::govern {
namespace {

class TokensTest : public GovernTest {
 protected:
  TokensTest() { add("ann", all_rights(), {{"L1", Grant::operate}, {"L2", Grant::read}}); }
  NewToken create(std::vector<Right> scopes, std::vector<std::string> lines = {},
                  DurationUs lasts = kDay, const std::string& user = "ann") {
    Token token;
    token.name = "historian";
    token.user_id = user;
    token.scopes = std::move(scopes);
    token.lines = std::move(lines);
    token.expires_at = kNow + lasts;
    return g_.tokens.create(token, kNow);
  }
};

TEST_F(TokensTest, AreShownOnceAndStoredAsHashes) {
  const NewToken made = create({Right::view});
  EXPECT_TRUE(made.text.starts_with("fbt_"));
  EXPECT_EQ(made.text.size(), 68u);
  EXPECT_FALSE(stored(made.text));
  EXPECT_FALSE(stored(made.text.substr(4)));
  EXPECT_EQ(to_json_value(g_.tokens.list("ann")).dump().find(made.text), std::string::npos);
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).id, "ann");
}

TEST_F(TokensTest, HaveNoMoreThanTheRightsOfTheirUserNow) {
  const NewToken made = create({Right::operate, Right::view});
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).rights,
            (std::vector{Right::view, Right::operate}));
  add("bob", {Right::admin});
  g_.users.change("ann", {.rights = {{Right::view, Right::train}}});
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).rights, std::vector{Right::view});
  EXPECT_ERROR(create({Right::operate}), "TOKEN_SCOPE");
}

TEST_F(TokensTest, NeverApproveAndNeverAdminister) {
  EXPECT_ERROR(create({Right::approve}), "TOKEN_SCOPE");
  EXPECT_ERROR(create({Right::admin}), "TOKEN_SCOPE");
  EXPECT_ERROR(create({}), "TOKEN_SCOPE");
  const NewToken made = create({Right::view});
  db_.run("UPDATE api_tokens SET scopes_json = '[\"view\",\"approve\",\"admin\"]'");
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).rights, std::vector{Right::view});
}

TEST_F(TokensTest, AreBoundToTheirLines) {
  const Principal all = g_.tokens.authenticate(create({Right::view}).text, kNow);
  EXPECT_EQ(all.on("L1"), Grant::operate);
  const NewToken made = create({Right::operate}, {"L2"});
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).on("L1"), Grant::none);
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).on("L2"), Grant::read);
  g_.users.grant("ann", {}, Grant::operate);
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).on("L3"), Grant::none);
  g_.users.grant("ann", "L2", Grant::none);
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).on("L2"), Grant::none);
  EXPECT_ERROR(create({Right::view}, {"L2"}), "LINE_FORBIDDEN");
  EXPECT_ERROR(create({Right::view}, {"L9"}), "NAME_MISSING");
}

TEST_F(TokensTest, Expire) {
  const NewToken made = create({Right::view});
  EXPECT_NO_THROW(g_.tokens.authenticate(made.text, kNow + kDay - 1));
  EXPECT_ERROR(g_.tokens.authenticate(made.text, kNow + kDay), "TOKEN_REFUSED");
  EXPECT_ERROR(create({Right::view}, {}, 0), "TOKEN_EXPIRY");
  EXPECT_ERROR(create({Right::view}, {}, 365 * kDay + 1), "TOKEN_EXPIRY");
  EXPECT_NO_THROW(create({Right::view}, {}, 365 * kDay));
}

TEST_F(TokensTest, AreRevokedForGood) {
  const NewToken made = create({Right::view});
  const Token first = g_.tokens.revoke(made.token.id, kNow + 1);
  EXPECT_EQ(first.revoked_at, kNow + 1);
  EXPECT_EQ(g_.tokens.revoke(made.token.id, kNow + 2).revoked_at, kNow + 1);
  EXPECT_ERROR(g_.tokens.authenticate(made.text, kNow + 1), "TOKEN_REFUSED");
  EXPECT_ERROR(g_.tokens.revoke("tok-none", kNow), "NAME_MISSING");
}

TEST_F(TokensTest, OfADisabledUserOrOfNobodyAreRefused) {
  add("bob", {Right::view}, {}, Kind::agent);
  const NewToken made = create({Right::view}, {}, kDay, "bob");
  EXPECT_EQ(g_.tokens.authenticate(made.text, kNow).kind, Kind::agent);
  g_.users.change("bob", {.disabled = true});
  EXPECT_ERROR(g_.tokens.authenticate(made.text, kNow), "TOKEN_REFUSED");
  for (const std::string text : {"", "fbt_", "fbt_0000", "' OR 1=1 --"})
    EXPECT_ERROR(g_.tokens.authenticate(text, kNow), "TOKEN_REFUSED");
  EXPECT_ERROR(g_.tokens.authenticate(made.text.substr(4), kNow), "TOKEN_REFUSED");
}

TEST_F(TokensTest, TheLastUseIsKeptToAQuarterOfAnHour) {
  const NewToken made = create({Right::view});
  EXPECT_FALSE(made.token.last_used_at);
  g_.tokens.authenticate(made.text, kNow + 1);
  const TimeUs first = *g_.tokens.get(made.token.id).last_used_at;
  EXPECT_LE(first, kNow + 1);
  EXPECT_GT(first, kNow + 1 - Tokens::kUsedStep);
  g_.tokens.authenticate(made.text, first + Tokens::kUsedStep - 1);
  EXPECT_EQ(g_.tokens.get(made.token.id).last_used_at, first);
  g_.tokens.authenticate(made.text, first + Tokens::kUsedStep);
  EXPECT_EQ(g_.tokens.get(made.token.id).last_used_at, first + Tokens::kUsedStep);
}

}  // namespace
}  // namespace flyball::govern
