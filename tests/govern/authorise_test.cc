#include "govern/authorise.h"

#include <gtest/gtest.h>

#include "core/record.h"
#include "support/expect_error.h"

namespace flyball::govern {
namespace {

constexpr std::array kKinds{Kind::person, Kind::agent, Kind::system};
constexpr std::array kCredentials{Credential::none, Credential::local, Credential::session,
                                  Credential::token};
constexpr std::array kGrants{Grant::none, Grant::read, Grant::operate};

/// docs/rights.md as one sentence.
bool may(const Principal& p, const Action& a) {
  if (p.credential == Credential::local) return true;
  const std::string right(enum_name(a.right));
  const bool person = p.kind == Kind::person && p.credential == Credential::session;
  const bool personal = right == "approve" || right == "admin";
  const bool reads = right == "view" || right == "evaluate";
  bool has = false;
  for (const Right r : p.rights) has = has || r == a.right;
  Grant grant = p.all_lines;
  if (a.line && p.lines.contains(*a.line)) grant = p.lines.at(*a.line);
  return p.credential != Credential::none && has && (person || !personal) &&
         (!a.line || grant == Grant::operate || (grant == Grant::read && reads)) &&
         (right != "approve" || p.fresh);
}

TEST(Authorise, AllowsExactlyWhatTheRuleSays) {
  int allowed = 0, refused = 0;
  for (const Kind kind : kKinds)
    for (const Credential credential : kCredentials)
      for (const bool has : {false, true})
        for (const Grant own : kGrants)
          for (const Grant all : kGrants)
            for (const bool fresh : {false, true})
              for (const Right right : all_rights())
                for (const std::optional<std::string>& line :
                     {std::optional<std::string>(), std::optional<std::string>("L1"),
                      std::optional<std::string>("L2")}) {
                  Principal p{"ann", kind, credential};
                  p.rights = all_rights();
                  if (!has) std::erase(p.rights, right);
                  p.all_lines = all;
                  p.lines = {{"L1", own}};
                  p.fresh = fresh;
                  const Action action{"x.y", right, line, "z"};
                  const Decision decision = authorise(p, action);
                  EXPECT_EQ(decision.allowed, may(p, action)) << decision.explanation.text();
                  EXPECT_EQ(decision.explanation.text().find('{'), std::string::npos);
                  (decision.allowed ? allowed : refused)++;
                }
  EXPECT_GT(allowed, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Authorise, NobodyMayDoAnything) {
  for (const Right right : all_rights())
    EXPECT_ERROR(require(authorise({}, {"x.y", right})), "UNAUTHENTICATED");
}

TEST(Authorise, NamesTheRuleThatDecided) {
  const auto rule = [](const Principal& p, Right right, std::optional<std::string> line) {
    return authorise(p, {"x.y", right, std::move(line)}).explanation.code;
  };
  Principal ann{"ann", Kind::person, Credential::session};
  ann.rights = {Right::view, Right::train, Right::approve};
  ann.lines = {{"L1", Grant::operate}, {"L2", Grant::read}};
  EXPECT_EQ(rule(ann, Right::train, "L1"), "ACCESS_ALLOWED");
  EXPECT_EQ(rule(ann, Right::train, "L2"), "LINE_READONLY");
  EXPECT_EQ(rule(ann, Right::view, "L3"), "LINE_FORBIDDEN");
  EXPECT_EQ(rule(ann, Right::operate, "L3"), "RIGHT_MISSING");
  EXPECT_EQ(rule(ann, Right::approve, "L1"), "FRESH_SIGN_IN_NEEDED");
  ann.credential = Credential::token;
  EXPECT_EQ(rule(ann, Right::approve, "L1"), "PERSON_NEEDED");
  EXPECT_EQ(rule(local_principal("root"), Right::admin, "L9"), "LOCAL_OWNER");
}

TEST(Authorise, AGrantOfALineStandsBeforeThatOfAllLines) {
  Principal p{"ann", Kind::person, Credential::session};
  p.all_lines = Grant::operate;
  p.lines = {{"L1", Grant::none}};
  EXPECT_FALSE(may_read(p, "L1"));
  EXPECT_TRUE(may_read(p, "L2"));
}

}  // namespace
}  // namespace flyball::govern
