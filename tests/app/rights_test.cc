// Who may call which operation, over the whole table; and that lists show no foreign line.
#include <gtest/gtest.h>

#include <set>

#include "app/audited.h"
#include "govern_app_fixture.h"

namespace flyball::app {
namespace {

using govern::Credential;
using govern::Grant;
using govern::Kind;
using govern::Principal;
using govern::Right;

/// Operations that concern no one line, by hand: docs/rights.md.
const std::set<std::string_view> kWithoutLine{
    "datasets.list",  "experiments.list", "models.list",   "entities.list", "entities.prune",
    "samples.verify", "lines.list",       "lines.add",     "plant.apply",   "version",
    "users.list",     "users.add",        "users.set",     "users.disable", "users.grant",
    "tokens.list",    "tokens.create",    "tokens.revoke", "auth.explain",  "auth.password",
    "audit.verify",   "backup",         "restore",          "system",
    "retention.run",  "jobs.retention",   "jobs.reconcile",
    "entities.verify", "evaluations.list", "profiles.create", "optimizer.capabilities",
    "notices.list", "notices.read"};

struct Role {
  const char* name;
  std::vector<Right> rights;
};
const std::vector<Role> kRoles{
    {"nobody", {}},
    {"viewer", {Right::view}},
    {"engineer", {Right::view, Right::train, Right::evaluate, Right::request}},
    {"operator", {Right::view, Right::operate}},
    {"approver", {Right::view, Right::approve}},
    {"administrator", {Right::view, Right::admin}},
};

struct Way {
  const char* name;
  Kind kind;
  Credential credential;
  bool fresh;
};
constexpr std::array kWays{Way{"fresh session", Kind::person, Credential::session, true},
                           Way{"old session", Kind::person, Credential::session, false},
                           Way{"token of a person", Kind::person, Credential::token, false},
                           Way{"token of an agent", Kind::agent, Credential::token, false},
                           Way{"not signed in", Kind::person, Credential::none, false}};

/// The rule as docs/rights.md has it, in other words than the code's.
bool may(const Operation& o, const Role& role, const Way& way, Grant grant) {
  const std::string right(scope_name(o.scope));
  bool has = false;
  for (const Right r : role.rights) has = has || scope_name(r) == right;
  if (!has || way.credential == Credential::none) return false;
  const bool signed_in_person = std::string(way.name).find("session") != std::string::npos;
  if (right == "admin" && !signed_in_person) return false;
  if (right == "approve" && std::string(way.name) != "fresh session") return false;
  if (kWithoutLine.contains(o.name)) return true;
  return right == "view" || right == "evaluate" ? grant != Grant::none : grant == Grant::operate;
}

class RightsTest : public GovernAppTest {
 protected:
  /// A request that names an object of line L1 in every field that can name one.
  Json request_of(const Operation& o) {
    Json request = Json::object();
    const std::string noun(o.name.substr(0, o.name.find('.')));
    for (const Flag& flag : o.flags()) {
      if (flag.name == "line" && !flag.repeatable) request["line"] = "L1";
      if (flag.name == "id") request["id"] = ids_.contains(noun) ? ids_.at(noun) : "L1";
      if (flag.name == "a" || flag.name == "b") request[flag.name] = ids_.at("datasets");
      if (flag.name == "dataset") request["dataset"] = ids_.at("datasets");
      if (flag.name == "model") request["model"] = ids_.at("models");
    }
    return request;
  }
};

TEST_F(RightsTest, EveryOperationAllowsExactlyWhomTheRuleNames) {
  int allowed = 0, refused = 0;
  for (const Operation& o : operations()) {
    const Json request = request_of(o);
    for (const Role& role : kRoles)
      for (const Way& way : kWays)
        for (const Grant grant : {Grant::none, Grant::read, Grant::operate}) {
          Call call;
          call.principal = Principal{"ann", way.kind, way.credential};
          call.principal->rights = role.rights;
          call.principal->fresh = way.fresh;
          call.principal->lines = {{"L1", grant}};
          bool done = true;
          std::string code;
          try {
            authorise(o, app_, request, call);
          } catch (const Error& e) {
            done = false;
            code = e.code();
            EXPECT_TRUE(e.errc() == Errc::permission_denied || e.errc() == Errc::unauthenticated)
                << e.what();
          }
          EXPECT_EQ(done, may(o, role, way, grant))
              << o.name << ": " << role.name << ", " << way.name << ", grant " << enum_name(grant)
              << " " << code;
          (done ? allowed : refused)++;
        }
  }
  EXPECT_GT(allowed, 500);
  EXPECT_GT(refused, 500);
}

TEST_F(RightsTest, TheLocalUserMayDoAll) {
  for (const Operation& o : operations()) EXPECT_NO_THROW(authorise(o, app_, request_of(o), {}));
}

TEST_F(RightsTest, WithoutTheRightNothingIsSaidOfWhatThereIs) {
  const Operation& show = *find_operation("models show");
  EXPECT_ERROR(run(show, app_, {{"id", "mdl-none"}}, as({})), "RIGHT_MISSING");
  EXPECT_ERROR(run(show, app_, {{"id", "mdl-none"}}, as({Right::view})), "MODEL_MISSING");
}

TEST_F(RightsTest, ListsShowTheLinesThatTheCallerReads) {
  const auto count = [&](const char* verb, const Call& call) {
    return run(*find_operation(verb), app_, Json::object(), call).body["items"].size();
  };
  for (const char* verb :
       {"lines list", "datasets list", "experiments list", "models list", "products list",
        "recipes list", "segments list", "approvals list", "jobs list", "evaluations list", "plans list",
        "optimize profile list", "optimize bindings", "optimize solves", "optimize list"}) {
    const std::size_t all = count(verb, {});
    EXPECT_EQ(all, 2u) << verb;
    EXPECT_EQ(count(verb, as({Right::view}, {{"L1", Grant::read}})), 1u) << verb;
    EXPECT_EQ(count(verb, as({Right::view}, {{"L1", Grant::none}})), 0u) << verb;
  }
}

TEST_F(RightsTest, ASignedInPersonActsInHisOwnNameOnly) {
  const Call ann = as({Right::operate}, {{"L1", Grant::operate}});
  const Operation& add = *find_operation("recipes add");
  Json request{{"id", "R9"}, {"line", "L1"}, {"product", "P1"}, {"by", "eve"}};
  EXPECT_ERROR(run(add, app_, request, ann), "AUTHOR_OTHER");
  request.erase("by");
  run(add, app_, request, ann);
  EXPECT_EQ(run(*find_operation("recipes show"), app_,
                {{"id", "R9"}, {"line", "L1"}, {"product", "P1"}}, {})
                .body["versions"][0]["by"],
            "ann");
}

TEST_F(RightsTest, APlantFileIsForItsOwnLine) {
  const auto file = temp_ / "plant.json";
  store::write_file(file, R"({"line": {"id": "L2", "description": "taken over"}})");
  EXPECT_ERROR(run(*find_operation("plant apply"), app_, {{"file", file.string()}},
                   as({Right::operate}, {{"L1", Grant::operate}})),
               "LINE_FORBIDDEN");
}

TEST_F(RightsTest, ExplainSaysWhatAuthoriseWouldSay) {
  add_user("ann", {Right::view, Right::train}, {{"L1", Grant::read}});
  const Operation& explain = *find_operation("auth explain");
  const auto rule = [&](const char* operation, const char* line) {
    return run(explain, app_, {{"user", "ann"}, {"operation", operation}, {"line", line}}, {})
        .body["rule"];
  };
  EXPECT_EQ(rule("models.list", "L1"), "ACCESS_ALLOWED");
  EXPECT_EQ(rule("study", "L1"), "LINE_READONLY");
  EXPECT_EQ(rule("study", "L2"), "LINE_FORBIDDEN");
  EXPECT_EQ(rule("users add", "L1"), "RIGHT_MISSING");
  EXPECT_ERROR(rule("models.lisst", "L1"), "NAME_MISSING");
  const Json own{{"user", "ann"}, {"operation", "study"}};
  EXPECT_EQ(run(explain, app_, own, as({Right::view})).body["rule"], "ACCESS_ALLOWED");
  Call bob = as({Right::view});
  bob.principal->id = "bob";
  EXPECT_ERROR(run(explain, app_, own, bob), "RIGHT_MISSING");
}

TEST_F(RightsTest, TokensAreOnesOwnUnlessOneAdministers) {
  add_user("ann", {Right::view}, {{"L1", Grant::read}});
  add_user("bob", {Right::view}, {});
  const Operation& create = *find_operation("tokens create");
  const Json request{{"name", "x"}, {"scope", {"view"}}};
  const Reply made = run(create, app_, request, as({Right::view}));
  EXPECT_EQ(made.body["token"]["userId"], "ann");
  Json other = request;
  other["user"] = "bob";
  EXPECT_ERROR(run(create, app_, other, as({Right::view})), "RIGHT_MISSING");
  run(create, app_, other, as({Right::view, Right::admin}));
  Call token = as({Right::view});
  token.principal->credential = Credential::token;
  EXPECT_ERROR(run(create, app_, request, token), "TOKEN_FROM_TOKEN");
  const Operation& list = *find_operation("tokens list");
  EXPECT_EQ(run(list, app_, Json::object(), as({Right::view})).body["items"].size(), 1u);
  EXPECT_EQ(run(list, app_, Json::object(), {}).body["items"].size(), 2u);
}

}  // namespace
}  // namespace flyball::app
