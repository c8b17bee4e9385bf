// Advice by the program itself: a study, a profile, a question answered by a process of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/time.h"
#include "e2e/program.h"

namespace flyball::testing {
namespace {

constexpr DurationUs kBeat = 600 * kSecond;

/// Two runs' worth of a first-order plant, six times, and a seventh run that is at rest now.
std::string record() {
  const TimeUs now = SystemClock().now() / kBeat * kBeat - kBeat;
  std::string text = "time,run,u,y\n";
  unsigned seed = 7;
  const auto random = [&seed] {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) / 16777216.0;
  };
  constexpr int kRows = 500, kLive = 150;
  TimeUs t = now - (6 * (kRows + 6) + kLive - 1) * kBeat;
  for (int r = 1; r <= 7; ++r) {
    double y = 0, u = 0, before = 0;
    for (int i = 0; i < (r == 7 ? kLive : kRows); ++i) {
      if (r < 7 && random() < 0.07) u = random() < 0.5 ? -1 : 1;
      text += format_time(t) + ",B" + std::to_string(r) + "," + std::to_string(10 + u) + "," +
              std::to_string(100 + y + 0.06 * (random() - 0.5)) + "\n";
      y = 0.85 * y + 0.3 * before;
      before = u;
      t += kBeat;
    }
    t += 6 * kBeat;
  }
  return text;
}

class Advice : public ::testing::Test {
 protected:
  Advice() {
    write_text(folder / "a.csv", record());
    flyball({"import", (folder / "a.csv").string(), "--line", "L", "--product", "P", "--recipe",
             "R", "--run-column", "run", "--evidence", "real", "--confirm-context", "--by", "ann"});
    const Outcome study = flyball({"study", "--line", "L", "--product", "P", "--recipe", "R",
                                   "--mv", "u", "--cv", "y", "--trainer", "linear_arx@1"});
    model = study.json()["model"]["id"];
    flyball({"models", "stage", model, "--to", "shadow", "--reason", "r"});
  }
  Outcome flyball(std::vector<std::string> arguments, bool json = true) const {
    arguments.insert(arguments.end(), {"--data", data, "--quiet"});
    if (json) arguments.push_back("--json");
    return run(arguments);
  }
  std::string written(const std::string& cv) {
    write_text(
        folder / "profile.json",
        R"({"name": "q", "modelId": ")" + model +
            R"(", "mv": [{"varId": "u", "min": 8.5, "max": 11.5, "maxMove": 0.5}], "cv": [)" + cv +
            R"(], "horizon": 40, "controlHorizon": 5, "freshnessBeats": 5, "requireUq": false})");
    const Outcome made =
        flyball({"optimize", "profile", "create", (folder / "profile.json").string()});
    EXPECT_EQ(made.code, 0) << made.err;
    return made.json()["id"];
  }
  std::string bound(const std::string& cv) {
    const std::string id = written(cv);
    EXPECT_EQ(flyball({"optimize", "profile", "activate", id}).code, 0);
    return flyball({"optimize", "bind", id}).json()["id"];
  }

  const TempFolder folder;
  const std::string data = (folder / "data").string();
  std::string model;
};

TEST_F(Advice, IsAnsweredByAProcessOfItsOwnAndReadsInThreeLines) {
  const std::string binding = bound(R"({"varId": "y", "ref": 101})");
  const Outcome solved = flyball({"optimize", "solve", binding});
  ASSERT_EQ(solved.code, 0) << solved.err << solved.out;
  const std::string id = solved.json()["recommendationId"];
  const nlohmann::json record =
      flyball({"optimize", "solve-record", solved.json()["runId"]}).json();
  EXPECT_GT(record["run"]["result"]["diagnostics"]["workerPid"].get<int>(), 0);
  const Outcome card = flyball({"optimize", "show", id}, false);
  EXPECT_EQ(card.code, 0);
  EXPECT_EQ(card.out.find("u: 10 → "), 0u) << card.out;
  EXPECT_NE(card.out.find("\ny: "), std::string::npos) << card.out;
  EXPECT_NE(card.out.find("Valid until"), std::string::npos) << card.out;
  EXPECT_EQ(flyball({"optimize", "accept", id, "--reason", "as said"}).json()["status"],
            "accepted");
  EXPECT_EQ(flyball({"optimize", "applied", id}).json()["status"], "applied");
  EXPECT_EQ(flyball({"optimize", "reject", id}).code, 5) << "what was applied stays";
  EXPECT_EQ(flyball({"optimize", "outcome", id}).code, 5) << "too early";
}

/// The gain is 2, train moved u between 9 and 11: 104 cannot be held, 102 is the closest.
TEST_F(Advice, ATargetThatCannotBeMetRestsAtTheClosestReachablePoint) {
  const std::string binding = bound(R"({"varId": "y", "ref": 104})");
  const Outcome solved = flyball({"optimize", "solve", binding});
  ASSERT_EQ(solved.code, 0) << solved.err << solved.out;
  const nlohmann::json rest = solved.json()["rest"];
  ASSERT_EQ(rest.size(), 2u) << solved.out;
  EXPECT_NEAR(rest[0]["value"].get<double>(), 11, 1e-6);
  EXPECT_NEAR(rest[1]["value"].get<double>(), 102, 0.1);
  EXPECT_EQ(rest[1]["wanted"].get<double>(), 104);
  const nlohmann::json record =
      flyball({"optimize", "solve-record", solved.json()["runId"]}).json();
  EXPECT_TRUE(record["run"]["result"]["rest"]["verified"].get<bool>());
  const nlohmann::json plan =
      flyball({"optimize", "plan", solved.json()["recommendationId"]}).json();
  EXPECT_NEAR(plan["mvs"][0]["planned"].back().get<double>(), 11, 0.02);
  EXPECT_NEAR(plan["cvs"][0]["rest"].get<double>(), 102, 0.1);
  const Outcome card = flyball({"optimize", "show", solved.json()["recommendationId"]}, false);
  EXPECT_NE(card.out.find("y cannot rest at 104"), std::string::npos) << card.out;
  EXPECT_NE(card.out.find("u.max"), std::string::npos) << card.out;
}

TEST_F(Advice, LimitsThatCannotHoldAreRefusedBeforeTheyAreInForce) {
  const std::string id = written(R"({"varId": "y", "ref": 109, "hardMin": 108})");
  const Outcome refused = flyball({"optimize", "profile", "activate", id}, false);
  EXPECT_EQ(refused.code, 5);
  EXPECT_NE(refused.err.find("PROFILE_UNSAFE"), std::string::npos) << refused.err;
  EXPECT_EQ(flyball({"optimize", "bind", id}).code, 5);
}

TEST_F(Advice, KilledAtAnyMomentNothingIsHalfThere) {
  const std::string binding = bound(R"({"varId": "y", "ref": 101})");
  unsigned seed = 3;
  for (int i = 0; i < 25; ++i) {
    seed = seed * 1664525u + 1013904223u;
    Running solve({"optimize", "solve", binding, "--data", data, "--quiet", "--json"});
    std::this_thread::sleep_for(std::chrono::milliseconds(seed >> 25));
    if (i % 3 == 0) solve.kill_children();
    solve.signal(SIGKILL);
    (void)solve.wait();
  }
  const nlohmann::json left = flyball({"optimize", "solves", "--limit", "1000"}).json()["items"];
  for (const nlohmann::json& r : left)
    EXPECT_NE(r["status"], "running") << r << " though its process was killed";
  ASSERT_EQ(flyball({"optimize", "solve", binding}).code, 0);
  const nlohmann::json runs = flyball({"optimize", "solves", "--limit", "1000"}).json()["items"];
  const nlohmann::json advice = flyball({"optimize", "list", "--limit", "1000"}).json()["items"];
  std::size_t answered = 0;
  for (const nlohmann::json& r : runs) {
    const nlohmann::json record = flyball({"optimize", "solve-record", r["id"]}).json();
    const bool whole = r["status"] == "optimal" || r["status"] == "noChange";
    answered += whole ? 1 : 0;
    EXPECT_EQ(whole, !record["candidates"].empty()) << r;
  }
  EXPECT_EQ(advice.size(), answered) << "advice is there with its run, or neither is";
  EXPECT_EQ(flyball({"audit", "verify"}).code, 0);
}

}  // namespace
}  // namespace flyball::testing
