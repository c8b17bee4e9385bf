#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace flyball::cli {
namespace {

std::string failure(const std::vector<std::string>& arguments) {
  try {
    (void)parse_arguments(arguments);
  } catch (const Error& e) {
    EXPECT_EQ(info(e.errc()).exit_code, 2);
    return e.what();
  }
  return "accepted";
}

TEST(CommandLine, ReadsRepeatedFlagsPositionalsAndGlobals) {
  const Parsed p = parse_arguments({"study", "a.csv", "--mv", "u1", "--mv", "u2", "--cv", "y", "--seed", "7", "--max-rejects", "0.5", "--json", "--data", "d"});
  ASSERT_NE(p.operation, nullptr);
  EXPECT_EQ(p.operation->name, "study.run");
  EXPECT_EQ(p.request, (Json{{"file", "a.csv"}, {"mv", {"u1", "u2"}}, {"cv", {"y"}}, {"seed", 7}, {"maxRejects", 0.5}}));
  EXPECT_TRUE(p.globals.json);
  EXPECT_EQ(p.globals.data, "d");
}

TEST(CommandLine, AFlagTakesOneValueSoThatAPositionalMayFollow) {
  const Parsed p = parse_arguments({"study", "--mv", "u", "--cv", "y", "a.csv"});
  EXPECT_EQ(p.request["file"], "a.csv");
  EXPECT_EQ(p.request["mv"], Json::array({"u"}));
}

TEST(CommandLine, TakesNegativeNumbersAndTextsWithBlanks) {
  const Parsed p = parse_arguments({"config", "set", "gates.minFit", "-5", "--reason", "a noisy line"});
  EXPECT_EQ(p.request["value"], "-5");
  EXPECT_EQ(p.request["reason"], "a noisy line");
}

TEST(CommandLine, SuggestsTheNearestWord) {
  EXPECT_NE(failure({"stduy", "a.csv"}).find("did you mean \"study\""), std::string::npos);
  EXPECT_NE(failure({"models", "lst"}).find("did you mean \"list\""), std::string::npos);
  EXPECT_NE(failure({"study", "a.csv", "--mv", "u", "--cv", "y", "--perod", "1s"}).find("did you mean \"--period\""), std::string::npos);
}

TEST(CommandLine, RefusesWhatIsMissingRepeatedOrOfAnotherType) {
  EXPECT_NE(failure({"marks", "add", "bad", "--from", "2026-03-01T08:00:00Z"}).find("--to"), std::string::npos);
  EXPECT_NE(failure({"study", "a", "--mv", "u", "--cv", "y", "--seed", "x"}).find("whole number"), std::string::npos);
  EXPECT_NE(failure({"study", "a", "--mv", "u", "--cv", "y", "--seed", "1", "--seed", "2"}).find("2 times"), std::string::npos);
  EXPECT_NE(failure({"models"}), "accepted");
}

TEST(CommandLine, EveryOperationHasHelpThatNamesItsFlags) {
  for (const app::Operation& o : app::operations()) {
    std::vector<std::string> words;
    std::istringstream in{std::string(o.verb)};
    for (std::string w; in >> w;) words.push_back(w);
    words.emplace_back("--help");
    const Parsed p = parse_arguments(words);
    for (const app::Flag& f : o.flags()) EXPECT_NE(p.help.find(f.flag), std::string::npos) << o.verb << " " << f.flag;
  }
}

TEST(CommandLine, ASecretIsNeverAnArgument) {
  const Parsed p = parse_arguments({"users", "add", "ann", "--password", "--right", "view"});
  EXPECT_EQ(p.secrets, std::vector<std::string>{"password"});
  EXPECT_EQ(p.request, (Json{{"id", "ann"}, {"right", {"view"}}}));
  EXPECT_TRUE(parse_arguments({"users", "set", "ann"}).secrets.empty());
  EXPECT_NE(failure({"users", "add", "ann", "--password", "seven quiet turbines"}), "accepted");
  EXPECT_NE(failure({"users", "add", "ann", "--password=seven"}), "accepted");
  EXPECT_EQ(parse_arguments({"auth", "password"}).secrets,
            (std::vector<std::string>{"password", "newPassword"}));
}

TEST(CommandLine, NothingAsksForHelp) {
  EXPECT_NE(parse_arguments({}).help.find("study"), std::string::npos);
  EXPECT_EQ(parse_arguments({"--version"}).operation->name, "version");
}

}  // namespace
}  // namespace flyball::cli
