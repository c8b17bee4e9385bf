// `flyball study` as a user runs it: what it prints, writes, keeps and returns.
#include <gtest/gtest.h>

#include <algorithm>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

Json check_of(const Json& report, const std::string& id) {
  for (const Json& c : report["gates"]["checks"]) {
    if (c["id"] == id) return c;
  }
  return {};
}

double test_fit(const Json& report, const std::string& cv) {
  for (const Json& f : report["freeRunFit"]) {
    if (f["cv"] == cv && f["block"] == "test") return f["percent"].is_null() ? -1e9 : f["percent"].get<double>();
  }
  return -1e9;
}

TEST(Study, ThePowerPlantIsRefusedAndTheHairDryerPasses) {
  const TempFolder folder;
  const Outcome dryer = run(dryer_study(folder / "data"));
  ASSERT_EQ(dryer.code, 0) << dryer.err;
  const Json report = dryer.json();
  EXPECT_EQ(report["verdict"], "pass");
  EXPECT_EQ(report["import"]["rowsIn"], 1000);
  EXPECT_EQ(report["deadTimes"][0]["steps"], 3);
  EXPECT_GE(test_fit(report, "temperature"), 82);
  EXPECT_TRUE(report["gates"]["passed"]);
  EXPECT_TRUE(report["uq"].is_null());
  EXPECT_NE(report["uqReason"].get<std::string>().find("test run"), std::string::npos);
  EXPECT_EQ(report["freeRunFit"].size(), 3u);

  const Outcome plant = run({"study", FLYBALL_SOURCE_DIR "/examples/data/power_plant.dat", "--columns",
                             "sample,gas,valve,spray,dampers,air,pressure,main_steam,reheat,r1,r2,r3", "--period", "1228.8s",
                             "--mv", "gas", "--mv", "valve", "--mv", "spray", "--mv", "dampers", "--mv", "air", "--cv", "pressure",
                             "--cv", "main_steam", "--cv", "reheat", "--data", (folder / "data").string(), "--quiet", "--json"});
  EXPECT_EQ(plant.code, 6) << plant.err;
  EXPECT_EQ(plant.json()["verdict"], "refused");
  EXPECT_FALSE(plant.json()["freeRunFit"].empty());
  EXPECT_FALSE(plant.json()["nextSteps"].empty());
  EXPECT_TRUE(plant.json()["model"]["id"].is_null());

  const Json experiments = run({"experiments", "list", "--data", (folder / "data").string(), "--json"}).json();
  EXPECT_EQ(experiments["items"].size(), 2u) << "a refused attempt is kept as well";
  EXPECT_EQ(run({"models", "list", "--data", (folder / "data").string(), "--json"}).json()["items"].size(), 1u);
}

TEST(Study, WritesWhatItPrintsAndAPageThatStandsAlone) {
  const TempFolder folder;
  auto arguments = dryer_study(folder / "data");
  arguments.insert(arguments.end(), {"--out", (folder / "out").string()});
  const Outcome outcome = run(arguments);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(read_text(folder / "out/report.json")), outcome.json());
  const std::string page = read_text(folder / "out/report.html");
  EXPECT_NE(page.find("</html>"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(Study, TheSameStudyTwiceGivesTheSameHashes) {
  const TempFolder folder;
  const Json a = run(dryer_study(folder / "a")).json(), b = run(dryer_study(folder / "b")).json();
  EXPECT_EQ(a["dataset"], b["dataset"]);
  EXPECT_EQ(a["model"]["artifactHash"], b["model"]["artifactHash"]);
  EXPECT_EQ(a["gates"], b["gates"]);
  EXPECT_EQ(run(dryer_study(folder / "a")).json()["dataset"]["id"], a["dataset"]["id"]);
}

TEST(Study, TheVerdictDoesNotDependOnUnits) {
  const TempFolder folder;
  std::istringstream in(read_text(FLYBALL_SOURCE_DIR "/examples/data/hair_dryer.dat"));
  std::string scaled;
  for (double u = 0, y = 0; in >> u >> y;) scaled += std::to_string(1000 * u) + " " + std::to_string(y + 273.15) + "\n";
  write_text(folder / "scaled.dat", scaled);
  auto arguments = dryer_study(folder / "data");
  const Json a = run(arguments).json();
  arguments[1] = (folder / "scaled.dat").string();
  const Json b = run(arguments).json();
  EXPECT_EQ(b["verdict"], "pass");
  EXPECT_EQ(a["deadTimes"], b["deadTimes"]);
  for (const Json& check : a["gates"]["checks"]) {
    const Json other = check_of(b, check["id"]);
    EXPECT_EQ(check["pass"], other["pass"]) << check["id"];
    if (check["id"] == "G5") continue;
    EXPECT_NEAR(check["value"].get<double>(), other["value"].get<double>(), 1e-4) << check["id"];
  }
}

TEST(Study, AZeroPartOfTheSplitFailsTheGatesThatNeedIt) {
  const TempFolder folder;
  auto arguments = dryer_study(folder / "data");
  arguments.insert(arguments.end(), {"--split", "0.6,0.4,0"});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  EXPECT_FALSE(check_of(outcome.json(), "G1")["pass"]);
  EXPECT_TRUE(check_of(outcome.json(), "G1")["value"].is_null());
}

TEST(Study, SettingsDecideAndStandInTheReport) {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  EXPECT_EQ(run({"config", "set", "gates.nrmse", "0.2", "--data", data}).code, 2) << "loosening needs a reason";
  EXPECT_EQ(run({"config", "set", "gates.nrmse", "0.01", "--data", data}).code, 0);
  const Outcome outcome = run(dryer_study(folder / "data"));
  EXPECT_EQ(outcome.code, 6);
  const Json check = check_of(outcome.json(), "G1");
  EXPECT_EQ(check["threshold"], 0.01);
  EXPECT_NE(check["source"].get<std::string>().find("version 1"), std::string::npos);
  EXPECT_EQ(outcome.json()["gates"]["settingsVersion"], 1);
  EXPECT_EQ(run({"config", "set", "gates.nrmse", "default", "--data", data}).code, 0);
  EXPECT_EQ(run(dryer_study(folder / "data")).code, 0);
  EXPECT_EQ(run({"config", "show", "gates.nrmsee", "--data", data}).code, 2);
}

TEST(Models, PredictGoesOnFromHistoryWithPlannedMoves) {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  const Json report = run(dryer_study(folder / "data")).json();
  const std::string id = report["model"]["id"];
  std::istringstream in(read_text(FLYBALL_SOURCE_DIR "/examples/data/hair_dryer.dat"));
  std::string table = "voltage,temperature\n", future;
  std::vector<double> actual;
  int row = 0;
  for (std::string u, y; in >> u >> y; ++row) {
    if (row < 60) table += u + "," + y + "\n";
    if (row >= 60 && row < 70) {
      table += u + ",\n";
      actual.push_back(std::stod(y));
    }
  }
  write_text(folder / "plan.csv", table);
  const Outcome outcome = run({"models", "predict", id, (folder / "plan.csv").string(), "--data", data, "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto values = outcome.json()["forecast"][0]["values"].get<std::vector<double>>();
  ASSERT_EQ(values.size(), actual.size());
  for (std::size_t k = 0; k < actual.size(); ++k) EXPECT_NEAR(values[k], actual[k], 0.4) << k;
  EXPECT_TRUE(outcome.json()["forecast"][0]["lower"].is_null());

  EXPECT_TRUE(outcome.json()["warnings"].empty()) << outcome.json()["warnings"];
  std::string wild = table;
  wild.replace(wild.rfind("\n", wild.size() - 2) + 1, std::string::npos, "50,\n");
  write_text(folder / "wild.csv", wild);
  const Outcome far = run({"models", "predict", id, (folder / "wild.csv").string(), "--data", data, "--json"});
  EXPECT_FALSE(far.json()["warnings"].empty()) << "a plan outside the train data is named";
  EXPECT_GT(far.json()["inputDistance"].get<double>(), 10);

  EXPECT_EQ(run({"models", "predict", "mdl-none", (folder / "plan.csv").string(), "--data", data}).code, 3);
  write_text(folder / "short.csv", "voltage,temperature\n5,4\n5,4\n");
  EXPECT_EQ(run({"models", "predict", id, (folder / "short.csv").string(), "--data", data}).code, 1);
  EXPECT_EQ(run({"models", "verify", id, "--data", data}).code, 0);
  std::ofstream(folder / "data" / "models" / id / "model.json", std::ios::app) << " ";
  EXPECT_EQ(run({"models", "verify", id, "--data", data}).code, 1);
  EXPECT_EQ(run({"models", "predict", id, (folder / "plan.csv").string(), "--data", data}).code, 1) << "a changed model does not predict";
}

TEST(Datasets, VerifyFindsAFlippedBit) {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  const std::string id = run(dryer_study(folder / "data")).json()["dataset"]["id"];
  EXPECT_EQ(run({"datasets", "verify", id, "--data", data}).code, 0);
  const fs::path file = folder / "data" / "datasets" / id / "arrays" / "run-1.f64";
  std::string bytes = read_text(file);
  bytes[100] = static_cast<char>(bytes[100] ^ 1);
  write_text(file, bytes);
  const Outcome outcome = run({"datasets", "verify", id, "--data", data, "--json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("run-1.f64"), std::string::npos);
  EXPECT_EQ(run({"datasets", "show", id, "--data", data}).code, 0);
}

TEST(Help, CompletionsSchemaAndDocsComeFromTheTable) {
  const TempFolder folder;
  EXPECT_EQ(run({"--help"}).code, 0);
  EXPECT_EQ(run({"study", "--help"}).code, 0);
  EXPECT_EQ(run({"version", "--json"}).json()["version"], "0.1.0");
  EXPECT_NE(run({"completions", "bash"}).out.find("complete -F _flyball"), std::string::npos);
  EXPECT_EQ(run({"schema", "models", "list"}).json()["request"]["type"], "object");
  EXPECT_EQ(run({"schema", "nothing"}).code, 2);
  EXPECT_EQ(run({"docs", (folder / "docs").string()}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "docs/commands.md"));
}

TEST(Study, TrainersShareTheRoadAndShowWhatTheyTried) {
  const TempFolder folder;
  for (const std::string trainer : {"auto@1", "subspace@1"}) {
    auto arguments = dryer_study(folder / "data");
    arguments.insert(arguments.end(), {"--trainer", trainer});
    const Outcome outcome = run(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json report = outcome.json();
    const auto& board = report["identification"]["leaderboard"];
    int chosen = 0;
    for (const auto& row : board) chosen += row["reason"] == "chosen" ? 1 : 0;
    EXPECT_EQ(chosen, 1) << trainer;
    EXPECT_GT(board.size(), 3u);
    EXPECT_EQ(run({"models", "verify", report["model"]["id"], "--data", (folder / "data").string()}).code, 0);
  }
}

}  // namespace
}  // namespace flyball::testing
