// Every operation that writes is a row of the audit trail.
#include "app/audited.h"

#include <gtest/gtest.h>

#include "govern_app_fixture.h"

namespace flyball::app {
namespace {

using govern::Grant;
using govern::Right;

class AuditedTest : public GovernAppTest {
 protected:
  Reply call(const char* verb, const Json& request, const Call& c = {}) {
    return run(*find_operation(verb), app_, request, c);
  }
  govern::AuditRow newest() { return trail().front(); }
  bool holds(const std::string& text) {
    for (const auto& file : std::filesystem::recursive_directory_iterator(temp_.path())) {
      if (file.is_regular_file() && store::read_file(file.path()).find(text) != std::string::npos)
        return true;
    }
    return false;
  }
};

TEST_F(AuditedTest, WhatWasDoneSaysWhoWhatAndWhy) {
  call("recipes add", {{"id", "R2"}, {"line", "L1"}, {"product", "P1"}, {"reason", "new grade"}},
       as({Right::operate}, {{"L1", Grant::operate}}));
  const govern::AuditRow row = newest();
  EXPECT_EQ(row.actor, "ann");
  EXPECT_EQ(row.actor_kind, govern::Kind::person);
  EXPECT_EQ(row.action, "recipes.add");
  EXPECT_EQ(row.target_kind, "recipes");
  EXPECT_EQ(row.target_id, "R2");
  EXPECT_EQ(row.line_id, "L1");
  EXPECT_EQ(row.outcome, "done");
  EXPECT_EQ(row.reason, "new grade");
  EXPECT_EQ(row.after["request"]["product"], "P1");
  EXPECT_EQ(row.at, clock_.now());
}

TEST_F(AuditedTest, WhatOnlyReadsIsNoRow) {
  const std::size_t before = trail().size();
  for (const Operation& o : operations()) {
    if (o.writes || o.method != "GET" || !o.flags().empty()) continue;
    run(o, app_, Json::object(), {});
  }
  call("models list", Json::object());
  EXPECT_EQ(trail().size(), before);
}

TEST_F(AuditedTest, ARefusalIsARowAndStaysTheRefusal) {
  EXPECT_ERROR(call("lines add", {{"id", "L3"}}, as({Right::view})), "RIGHT_MISSING");
  EXPECT_EQ(newest().outcome, "RIGHT_MISSING");
  EXPECT_EQ(newest().target_id, "L3");
  EXPECT_ERROR(call("lines add", {{"id", "L1"}}), "NAME_EXISTS");
  EXPECT_EQ(newest().outcome, "NAME_EXISTS");
  EXPECT_ERROR(call("lines add", {{"iid", "L1"}}), "SPEC_INVALID");
  EXPECT_EQ(newest().outcome, "SPEC_INVALID");
}

TEST_F(AuditedTest, TheLineOfTheObjectIsKnown) {
  EXPECT_ERROR(call("datasets delete", {{"id", "ds-L1"}}), "DATASET_REFERENCED");
  EXPECT_EQ(newest().line_id, "L1");
}

TEST_F(AuditedTest, ASettingSaysHowItWas) {
  const double before =
      call("config show", {{"key", "gates.nrmse"}}).body["settings"][0]["value"].get<double>();
  call("config set", {{"key", "gates.nrmse"}, {"value", "0.05"}, {"reason", "tighter"}});
  EXPECT_EQ(newest().before, before);
  EXPECT_EQ(newest().after["became"], 0.05);
}

TEST_F(AuditedTest, AUserSaysHowHeWasAndNoPasswordIsAnywhere) {
  call("users add", {{"id", "bob"}, {"right", {"view"}}, {"password", kPassword}});
  EXPECT_EQ(newest().after["request"]["password"], "(secret)");
  EXPECT_EQ(newest().target_id, "bob");
  call("users grant", {{"id", "bob"}, {"line", "L1"}, {"level", "read"}, {"reason", "shift lead"}});
  EXPECT_TRUE(newest().before["lines"].empty());
  EXPECT_EQ(newest().after["became"]["lines"]["L1"], "read");
  EXPECT_FALSE(holds(kPassword));
}

TEST_F(AuditedTest, TheTextOfATokenIsNowhere) {
  add_user("ann", {Right::view}, {});
  const std::string text =
      call("tokens create", {{"name", "x"}, {"user", "ann"}, {"scope", {"view"}}})
          .body["text"]
          .get<std::string>();
  EXPECT_TRUE(text.starts_with("fbt_"));
  EXPECT_FALSE(holds(text.substr(4)));
}

TEST_F(AuditedTest, WhatCouldNotBeWrittenDownIsAFailure) {
  store::Database(temp_ / "flyball.db")
      .exec("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END");
  EXPECT_ERROR(call("lines add", {{"id", "L3"}}), "AUDIT_NOT_WRITTEN");
  EXPECT_ERROR(call("lines add", {{"id", "L3"}}), "NAME_EXISTS");  // it was done, and says so
}

TEST_F(AuditedTest, WhatAKilledProcessHadBegunIsToldByTheNext) {
  govern::AuditEntry begun;
  begun.actor = "ann";
  begun.action = "lines.add";
  begun.target_id = "L8";
  app_.governance(true).audit.begin(begun, "a process that was killed", clock_.now());
  call("models list", Json::object());
  EXPECT_TRUE(trail().empty() || newest().target_id != "L8") << "who only reads does not know";
  call("lines add", {{"id", "L3"}});
  const auto rows = trail();
  EXPECT_EQ(rows[0].target_id, "L3");
  EXPECT_EQ(rows[1].target_id, "L8");
  EXPECT_EQ(rows[1].outcome, "interrupted");
}

TEST_F(AuditedTest, TheTrailOfAllThisHolds) {
  call("lines add", {{"id", "L3"}});
  EXPECT_TRUE(call("audit verify", Json::object()).body["ok"].get<bool>());
  const Json head = call("audit verify", Json::object()).body["head"];
  store::Database(temp_ / "flyball.db")
      .exec(
          "DROP TRIGGER audit_no_delete; DELETE FROM audit WHERE number = (SELECT max(number) "
          "FROM audit)");
  const Reply cut = call("audit verify", Json::object());
  EXPECT_FALSE(cut.body["ok"].get<bool>());
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_EQ(cut.body["problem"]["code"], "AUDIT_CUT_OFF");
  std::filesystem::remove(temp_ / "runtime/audit-head");
  EXPECT_TRUE(call("audit verify", Json::object()).body["ok"].get<bool>());
  const Json noted{{"row", head["number"]}, {"hash", head["hash"]}};
  EXPECT_FALSE(call("audit verify", noted).body["ok"].get<bool>());
}

TEST_F(AuditedTest, TheTrailIsShownByLine) {
  call("recipes add", {{"id", "R2"}, {"line", "L1"}, {"product", "P1"}});
  call("recipes add", {{"id", "R2"}, {"line", "L2"}, {"product", "P1"}});
  const auto lines = [&](const Call& c) {
    std::set<std::string> out;
    const Json body = call("audit list", Json::object(), c).body;
    for (const Json& row : body["items"])
      out.insert(row["lineId"].get<std::string>());
    return out;
  };
  EXPECT_EQ(lines({}), (std::set<std::string>{"L1", "L2"}));
  EXPECT_EQ(lines(as({Right::view}, {{"L1", Grant::read}})), std::set<std::string>{"L1"});
}

TEST_F(AuditedTest, AtTheCommandLineAnApproverSignsInForTheOneDecision) {
  add_user("ann", {Right::approve}, {{"L1", Grant::operate}});
  add_user("bob", {Right::approve}, {{"L1", Grant::operate}});
  const auto decide = [&](Json more, const char* verb = "approvals approve") {
    more["id"] = ids_["approvals"];
    return call(verb, more).body;
  };
  EXPECT_ERROR(decide({}), "APPROVER_NOT_PERSON");
  EXPECT_ERROR(decide({{"user", "bob"}, {"password", "wrong"}}), "SIGN_IN_REFUSED");
  EXPECT_ERROR(decide({{"user", "ann"}, {"password", kPassword}}), "APPROVER_IS_REQUESTER");
  EXPECT_ERROR(decide({{"user", "bob"}, {"password", kPassword}, {"digest", "e"}}),
               "APPROVAL_STALE");
  EXPECT_ERROR(decide({{"user", "bob"}, {"password", kPassword}}, "approvals reject"),
               "COMMENT_MISSING");
  EXPECT_EQ(decide({{"user", "bob"}, {"password", kPassword}})["decidedBy"], "bob");
  EXPECT_EQ(newest().after["became"]["status"], "approved");
  EXPECT_EQ(newest().before["status"], "pending");
}

TEST_F(AuditedTest, APersonChangesTheOwnPasswordWithTheOldOne) {
  add_user("ann", {Right::view}, {});
  const Json request{{"password", kPassword}, {"newPassword", "eight loud turbines"}};
  EXPECT_ERROR(call("auth password", request), "PERSON_NEEDED");
  EXPECT_ERROR(call("auth password", {{"password", "x"}, {"newPassword", "eight loud turbines"}},
                    as({Right::view})),
               "SIGN_IN_REFUSED");
  call("auth password", request, as({Right::view}));
  EXPECT_TRUE(app_.governance().users.password_matches("ann", "eight loud turbines"));
  EXPECT_FALSE(holds("eight loud turbines"));
}

}  // namespace
}  // namespace flyball::app
