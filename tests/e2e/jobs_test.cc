// Training as jobs: what people see, and kill -9 of the command and of its child at many moments.
#include <gtest/gtest.h>

#include <fstream>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

/// First order, a dead time of 2 steps, a pulse every few steps; 900 rows.
std::string record() {
  std::string text = "u,y\n";
  double y = 0, u1 = 0, u2 = 0;
  unsigned seed = 7;
  for (int i = 0; i < 900; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double u = (seed >> 27) % 2, noise = (seed >> 16 & 255) / 256.0 - 0.5;
    text += std::to_string(u) + "," + std::to_string(y + 0.01 * noise) + "\n";
    y = 0.9 * y + 0.1 * u2;
    u2 = u1;
    u1 = u;
  }
  return text;
}

class Jobs : public ::testing::Test {
 protected:
  Jobs() {
    write_text(folder / "a.csv", record());
    flyball({"import", (folder / "a.csv").string(), "--period", "1s"});
    dataset = flyball({"datasets", "build", "--mv", "u", "--cv", "y", "--history", "10", "--horizon", "10"}).json()["id"];
  }
  Outcome flyball(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--data", data, "--json", "--quiet"});
    return run(arguments);
  }
  std::vector<std::string> training() const {
    return {"train", dataset, "--trainer", "linear_arx@1", "--data", data, "--json", "--quiet"};
  }
  nlohmann::json items(const std::string& what) const { return flyball({what, "list", "--limit", "1000"}).json()["items"]; }

  const TempFolder folder;
  const std::string data = (folder / "data").string();
  std::string dataset;
};

TEST_F(Jobs, TrainingGivesAModelThatIsWhatAStudyGives) {
  const Outcome done = flyball({"train", dataset, "--trainer", "linear_arx@1"});
  ASSERT_EQ(done.code, 0) << done.err << done.out;
  const nlohmann::json job = done.json();
  EXPECT_EQ(job["state"], "done");
  const nlohmann::json model = flyball({"models", "show", job["modelId"]}).json();
  EXPECT_EQ(model["datasetId"], dataset);
  EXPECT_EQ(flyball({"models", "verify", job["modelId"]}).code, 0);
  const nlohmann::json again = flyball({"train", dataset, "--trainer", "linear_arx@1"}).json();
  EXPECT_EQ(flyball({"models", "show", again["modelId"]}).json()["artifactHash"], model["artifactHash"]);
  EXPECT_EQ(flyball({"jobs", "delete", job["id"]}).code, 5) << "its model stays";
  EXPECT_EQ(flyball({"models", "delete", job["modelId"]}).code, 0);
  EXPECT_EQ(flyball({"jobs", "delete", job["id"]}).code, 0) << "its model is gone";
}

TEST_F(Jobs, TheReportOfAnExperimentCanBeDrawn) {
  const nlohmann::json job = flyball({"train", dataset, "--trainer", "linear_arx@1"}).json();
  const Outcome found = flyball({"experiments", "report", job["experimentId"]});
  ASSERT_EQ(found.code, 0) << found.err;
  const nlohmann::json answer = found.json();
  EXPECT_EQ(answer["report"]["verdict"], "pass");
  EXPECT_EQ(answer["report"]["model"]["id"], job["modelId"]);
  const nlohmann::json& traces = answer["pictures"]["freeRun"];
  ASSERT_FALSE(traces.empty());
  for (const nlohmann::json& f : traces) {
    EXPECT_EQ(f["t"].size(), f["actual"].size());
    EXPECT_EQ(f["t"].size(), f["predicted"].size());
  }
  EXPECT_EQ(answer["pictures"]["beatMs"], 1000);
}

TEST_F(Jobs, AReportThatIsGoneIsSaidSo) {
  const nlohmann::json job = flyball({"train", dataset, "--trainer", "linear_arx@1"}).json();
  std::filesystem::remove_all(std::filesystem::path(data) / "jobs" / job["id"].get<std::string>());
  const Outcome found = flyball({"experiments", "report", job["experimentId"]});
  EXPECT_EQ(found.code, 3);
  EXPECT_NE((found.out + found.err).find("REPORT_MISSING"), std::string::npos);
}

TEST_F(Jobs, AReportThatIsGoneIsMadeAgain) {
  const nlohmann::json job = flyball({"train", dataset, "--trainer", "linear_arx@1"}).json();
  const std::string experiment = job["experimentId"];
  const nlohmann::json before = flyball({"experiments", "report", experiment}).json();
  std::filesystem::remove_all(std::filesystem::path(data) / "jobs" / job["id"].get<std::string>());
  ASSERT_EQ(flyball({"experiments", "report", experiment}).code, 3);
  const Outcome again = flyball({"experiments", "rebuild", experiment});
  ASSERT_EQ(again.code, 0) << again.err << again.out;
  const nlohmann::json after = flyball({"experiments", "report", experiment}).json();
  EXPECT_EQ(after["pictures"], before["pictures"]);
  for (const char* part : {"verdict", "gates", "evaluation", "model"})
    EXPECT_EQ(after["report"][part], before["report"][part]) << part;
  EXPECT_EQ(items("experiments").size(), 1u) << "it is no attempt";
}

TEST_F(Jobs, GatesThatRefuseEndWithSixAndAnExperiment) {
  flyball({"config", "set", "gates.nrmse", "0.001"});
  const Outcome refused = flyball({"train", dataset, "--trainer", "linear_arx@1"});
  EXPECT_EQ(refused.code, 6) << refused.err;
  const nlohmann::json job = refused.json();
  EXPECT_EQ(job["state"], "failed");
  EXPECT_FALSE(job["failedGates"].empty());
  EXPECT_EQ(items("models").size(), 0u);
  EXPECT_EQ(flyball({"experiments", "show", job["experimentId"]}).json()["status"], "gates_failed");
  EXPECT_EQ(flyball({"jobs", "retry", job["id"]}).json()["attempts"].size(), 2u);
  EXPECT_EQ(items("experiments").size(), 2u);
}

TEST_F(Jobs, TheBudgetOfADatasetEnds) {
  flyball({"config", "set", "job.maxExperiments", "1"});
  EXPECT_EQ(flyball({"train", dataset, "--trainer", "linear_arx@1"}).code, 0);
  const Outcome refused = flyball({"train", dataset, "--trainer", "linear_arx@1"});
  EXPECT_NE(refused.code, 0);
  EXPECT_NE(refused.err.find("BUDGET_EXHAUSTED"), std::string::npos) << refused.err;
}

TEST_F(Jobs, KillAtAnyMomentLosesNoExperimentAndLeavesNoHalfModelAndNoSlot) {
  flyball({"config", "set", "job.maxExperiments", "10000"});
  int killed = 0;
  unsigned seed = 3;
  for (int i = 0; i < 200; ++i) {
    Running program(training());
    seed = seed * 1664525u + 1013904223u;
    std::this_thread::sleep_for(std::chrono::microseconds(seed % 250'000));
    if (i % 2 == 0) {
      program.signal(SIGKILL);
    } else {
      program.kill_children();
    }
    killed += program.wait().killed ? 1 : 0;
  }
  EXPECT_GT(killed, 20);
  // A job of every start is looked at by the next; this one settles the last.
  ASSERT_EQ(run(training()).code, 0);
  const nlohmann::json jobs = items("jobs"), models = items("models");
  std::size_t with_model = 0;
  for (const auto& job : jobs) {
    const std::string state = job["state"];
    EXPECT_TRUE(state == "done" || state == "failed" || state == "interrupted") << job.dump(1);
    EXPECT_TRUE(job.contains("experimentId")) << job.dump(1);
    EXPECT_EQ(flyball({"experiments", "show", job.value("experimentId", "")}).code, 0);
    EXPECT_EQ(job.contains("modelId"), state == "done") << job.dump(1);
    with_model += job.contains("modelId") ? 1 : 0;
  }
  EXPECT_EQ(models.size(), with_model);
  for (const auto& model : models) EXPECT_EQ(flyball({"models", "verify", model["id"]}).code, 0);
  for (const char* part : {"data/models", "data/datasets"}) EXPECT_TRUE(left_overs(folder / part).empty()) << part;
  EXPECT_TRUE(flyball({"entities", "list"}).json()["ok"]);
}

}  // namespace
}  // namespace flyball::testing
