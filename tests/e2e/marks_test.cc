// Marks that people set, as datasets follow them; a model in shadow, as imports reach it.
#include <gtest/gtest.h>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

/// A first-order answer with a dead time of 2 steps at 1 s, from a minute of 1 March on.
std::string record(int first_minute, int minutes) {
  std::string text = "time,u,y\n";
  double y = 0, u1 = 0, u2 = 0;
  unsigned seed = 7 + static_cast<unsigned>(first_minute);
  for (int i = 0; i < 60 * minutes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double u = (seed >> 27) % 2, noise = (seed >> 16 & 255) / 256.0 - 0.5;
    const int at = 60 * first_minute + i;
    char time[40];
    std::snprintf(time, sizeof time, "2026-03-01T%02d:%02d:%02dZ", at / 3600, at / 60 % 60,
                  at % 60);
    text +=
        std::string(time) + "," + std::to_string(u) + "," + std::to_string(y + 0.01 * noise) + "\n";
    y = 0.9 * y + 0.1 * u2;
    u2 = u1;
    u1 = u;
  }
  return text;
}

class Marks : public ::testing::Test {
 protected:
  Marks() { import(0, 20); }
  Outcome flyball(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--data", data, "--json", "--quiet"});
    return run(arguments);
  }
  nlohmann::json import(int first_minute, int minutes) const {
    const auto file = folder / (std::to_string(first_minute) + ".csv");
    write_text(file, record(first_minute, minutes));
    const Outcome done = flyball({"import", file.string()});
    EXPECT_EQ(done.code, 0) << done.err;
    return done.json();
  }
  Outcome mark(const std::string& kind, const std::string& from, const std::string& to,
               const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"marks",
                                 "add",
                                 kind,
                                 "--from",
                                 "2026-03-01T" + from + "Z",
                                 "--to",
                                 "2026-03-01T" + to + "Z"};
    all.insert(all.end(), more.begin(), more.end());
    return flyball(all);
  }
  nlohmann::json build(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"datasets", "build",     "--mv", "u",         "--cv",
                                 "y",        "--history", "10",   "--horizon", "10"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome done = flyball(all);
    EXPECT_EQ(done.code, 0) << done.err;
    return done.json();
  }

  const TempFolder folder;
  const std::string data = (folder / "data").string();
};

TEST_F(Marks, ABadStretchIsLeftOutCountedAndCanBeTakenBack) {
  const auto whole = build();
  const Outcome added =
      mark("bad", "00:03:00", "00:04:00", {"--tag", "y", "--reason", "probe out"});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(added.json()["reason"], "probe out");
  const auto marked = build();
  EXPECT_NE(marked["sha256"], whole["sha256"]);
  EXPECT_EQ(marked["spec"]["marks"].size(), 1u);
  EXPECT_EQ(marked["report"]["cleaning"]["default/y"]["droppedMarked"], 60);
  EXPECT_EQ(marked["report"]["cleaning"]["default/y"]["marked"], 60);
  EXPECT_EQ(marked["rowCount"], whole["rowCount"].get<int>() - 60);
  EXPECT_EQ(build({"--ignore-marks"})["sha256"], whole["sha256"]);
  const std::string id = added.json()["id"];
  EXPECT_EQ(flyball({"marks", "delete", id}).code, 0);
  EXPECT_EQ(build()["sha256"], whole["sha256"]) << "as before, to the bit";
  EXPECT_EQ(flyball({"audit", "list", "--json"}).json()["items"][1]["action"], "marks.delete");
}

TEST_F(Marks, AStudyFollowsThem) {
  ASSERT_EQ(mark("bad", "00:03:00", "00:04:00").code, 0);
  const auto report = flyball({"study", "--mv", "u", "--cv", "y"}).json();
  EXPECT_EQ(report["cleaning"]["default/y"]["marked"], 60);
}

TEST_F(Marks, RefusalsNameWhatIsWrong) {
  expect_refusal(mark("bad", "00:04:00", "00:03:00"), 2, "RANGE_EMPTY");
  expect_refusal(mark("bad", "00:03:00", "00:04:00", {"--tag", "z"}), 3, "NAME_MISSING");
  expect_refusal(mark("steady", "00:03:00", "00:04:00", {"--tag", "y"}), 2, "MARK_OF_TAG");
  expect_refusal(mark("odd", "00:03:00", "00:04:00"), 2, "bad, steady, batch");
  EXPECT_TRUE(flyball({"marks", "list"}).json()["items"].empty());
}

TEST_F(Marks, AModelInShadowPredictsWhatIsStoredAndNoTimeTwice) {
  const std::string dataset = build()["id"];
  const Outcome trained = flyball({"train", dataset, "--trainer", "linear_arx@1"});
  ASSERT_EQ(trained.code, 0) << trained.err << trained.out;
  const std::string model = trained.json()["modelId"];
  EXPECT_TRUE(import(30, 10)["shadow"].empty()) << "a candidate predicts nothing";
  ASSERT_EQ(flyball({"models", "stage", model, "--to", "shadow"}).code, 0);

  const auto first = import(45, 10)["shadow"];
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0]["modelId"], model);
  const int before = first[0]["predictions"];
  EXPECT_GT(before, 0);
  const auto second = import(60, 10)["shadow"];
  const int after = flyball({"models", "evidence", model}).json()["predictions"];
  EXPECT_EQ(after, before + second[0]["predictions"].get<int>());
  // 10 minutes at 1 s hold (600 − 10) / 10 predictions of 10 s, each from 10 s of history.
  EXPECT_EQ(second[0]["predictions"], 59);
  EXPECT_EQ(flyball({"models", "replay", model}).json()["predictions"], after);
}

}  // namespace
}  // namespace flyball::testing
