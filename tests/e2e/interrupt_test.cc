// Ctrl-C and kill -9 at many moments; two processes on one folder.
#include <gtest/gtest.h>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

/// A record that takes about half a second: three CVs of noise and pulses.
std::string slow_record() {
  std::string text = "u,v,y1,y2,y3\n";
  double y1 = 0, y2 = 0, y3 = 0;
  unsigned seed = 1;
  for (int i = 0; i < 20000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double u = (seed >> 28) % 2, v = (seed >> 24) % 2, noise = (seed >> 16 & 255) / 256.0;
    y1 = 0.9 * y1 + u + 0.1 * noise;
    y2 = 0.8 * y2 + v + 0.1 * noise;
    y3 = 0.7 * y3 + u - v + 0.1 * noise;
    for (const double x : {u, v, y1, y2}) text += std::to_string(x) + ",";
    text += std::to_string(y3) + "\n";
  }
  return text;
}

std::vector<std::string> slow_study(const TempFolder& folder) {
  return {"study", (folder / "a.csv").string(), "--period", "1s", "--mv", "u", "--mv", "v", "--cv", "y1", "--cv", "y2", "--cv", "y3",
          "--data", (folder / "data").string(), "--json"};
}

/// Whatever stands in the data folder is whole.
void expect_whole(const TempFolder& folder) {
  const std::string data = (folder / "data").string();
  if (!std::filesystem::exists(folder / "data/flyball.db")) return;
  const Outcome models = run({"models", "list", "--data", data, "--json"});
  ASSERT_EQ(models.code, 0) << models.err;
  const nlohmann::json model_list = models.json();
  for (const auto& m : model_list["items"]) EXPECT_EQ(run({"models", "verify", m["id"], "--data", data}).code, 0);
  const nlohmann::json datasets = run({"datasets", "list", "--data", data, "--json"}).json();
  for (const auto& d : datasets["items"]) {
    EXPECT_EQ(run({"datasets", "verify", d["id"], "--data", data}).code, 0);
  }
}

TEST(Interrupt, CtrlCEndsWith130AndLeavesNothingHalfMade) {
  const TempFolder folder;
  write_text(folder / "a.csv", slow_record());
  int interrupted = 0;
  for (const int ms : {5, 30, 60, 100, 150, 250, 400}) {
    Running program(slow_study(folder));
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    program.signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_TRUE(outcome.code == 130 || outcome.code == 0 || outcome.code == 6) << outcome.code << outcome.err;
    if (outcome.code == 130 && !outcome.killed) {
      ++interrupted;
      EXPECT_NE(outcome.err.find("CANCELLED"), std::string::npos) << outcome.err;
    }
    EXPECT_TRUE(left_overs(folder / "data").empty());
    expect_whole(folder);
  }
  EXPECT_GT(interrupted, 0) << "no signal arrived during the work";
}

TEST(Interrupt, KillAtAnyMomentLeavesWhatWasThereAndTheNextStudyWorks) {
  const TempFolder folder;
  write_text(folder / "a.csv", slow_record());
  for (int i = 1; i <= 20; ++i) {
    Running program(slow_study(folder));
    std::this_thread::sleep_for(std::chrono::milliseconds(25 * i));
    program.signal(SIGKILL);
    program.wait();
    expect_whole(folder);
  }
  const Outcome last = run(slow_study(folder));
  EXPECT_TRUE(last.code == 0 || last.code == 6) << last.err;
  EXPECT_TRUE(left_overs(folder / "data").empty()) << "a later study sweeps what a killed one left";
  expect_whole(folder);
}

TEST(Lock, ASecondWriterIsToldWhoHoldsTheFolder) {
  const TempFolder folder;
  write_text(folder / "a.csv", slow_record());
  std::vector<std::unique_ptr<Running>> programs;
  for (int i = 0; i < 3; ++i) programs.push_back(std::make_unique<Running>(slow_study(folder)));
  int done = 0;
  for (auto& p : programs) {
    const Outcome outcome = p->wait();
    if (outcome.code == 0 || outcome.code == 6) {
      ++done;
    } else {
      EXPECT_EQ(outcome.code, 5) << outcome.err;
      EXPECT_NE(outcome.err.find("DATA_IN_USE"), std::string::npos);
    }
  }
  EXPECT_GE(done, 1);
  expect_whole(folder);
}

}  // namespace
}  // namespace flyball::testing
