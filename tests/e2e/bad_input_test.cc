// Bad input: a clear message, the right exit code, nothing lost, nothing half made.
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "support/small_disk.h"

namespace flyball::testing {
namespace {

namespace fs = std::filesystem;

/// A study of a file with columns u and y; `more` is added.
std::vector<std::string> study(const fs::path& file, const fs::path& data, std::vector<std::string> more = {}) {
  std::vector<std::string> out{"study", file.string(), "--period", "1s", "--mv", "u", "--cv", "y", "--data", data.string(), "--quiet"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(BadInput, FilesThatHoldNoRecordFail) {
  const TempFolder folder;
  write_text(folder / "empty.csv", "");
  expect_refusal(run(study(folder / "empty.csv", folder / "d")), 1, "[IMPORT_EMPTY]");
  write_text(folder / "header.csv", "u,y\n");
  expect_refusal(run(study(folder / "header.csv", folder / "d")), 1, "[IMPORT_HEADER_ONLY]");
  write_text(folder / "one.csv", "u,y\n1,2\n");
  expect_refusal(run(study(folder / "one.csv", folder / "d")), 1, "at least 2");
  std::string bad = "u,y\n";
  for (int i = 0; i < 50; ++i) bad += "Bad,No Data\n";
  write_text(folder / "bad.csv", bad);
  expect_refusal(run(study(folder / "bad.csv", folder / "d")), 1, "[IMPORT_ALL_BAD]");
  expect_refusal(run(study(folder / "none.csv", folder / "d")), 3, "none.csv");
  write_text(folder / "binary.csv", std::string("u,y\n1,\0002\n", 9));
  EXPECT_EQ(run(study(folder / "binary.csv", folder / "d")).code, 1);
  EXPECT_FALSE(fs::exists(folder / "d" / "datasets"));
  EXPECT_FALSE(fs::exists(folder / "d" / "reports"));
}

TEST(BadInput, ProblemsOfTheRequestAreReportedTogether) {
  const TempFolder folder;
  write_text(folder / "a.csv", "u,y\n1,2\n2,3\n");
  const Outcome outcome = run(study(folder / "a.csv", folder / "d", {"--dv", "u", "--split", "0.5,0.5", "--integrating", "u"}));
  EXPECT_EQ(outcome.code, 2);
  for (const char* part : {"/dv/0", "/split", "/integrating", "[SPEC_INVALID]"}) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }
  expect_refusal(run(study(folder / "a.csv", folder / "d", {"--beat", "soon"})), 2, "--beat: \"soon\" is not a duration");
  expect_refusal(run(study(folder / "a.csv", folder / "d", {"--cv", "u"})), 2, "named as mv and as cv");
}

TEST(BadInput, AMissingColumnNamesTheNearest) {
  const TempFolder folder;
  write_text(folder / "a.csv", "flow,temperature\n1,2\n2,3\n3,4\n");
  const Outcome outcome = run({"study", (folder / "a.csv").string(), "--period", "1s", "--mv", "flow", "--cv", "temprature", "--data", (folder / "d").string(), "--quiet"});
  expect_refusal(outcome, 3, "did you mean \"temperature\"");
}

TEST(BadInput, DataThatCannotCarryAModelAreRefusedWithAReport) {
  const TempFolder folder;
  std::string constant = "u,y\n", tiny = "u,y\n", resting = "u,y\n";
  for (int i = 0; i < 600; ++i) constant += std::to_string(i % 7) + ",5\n";
  for (int i = 0; i < 6; ++i) tiny += std::to_string(i % 2) + "," + std::to_string(i) + "\n";
  for (int i = 0; i < 600; ++i) resting += "3," + std::to_string(i % 11) + "\n";
  for (const auto& [name, text] : std::map<std::string, std::string>{{"constant", constant}, {"tiny", tiny}, {"resting", resting}}) {
    write_text(folder / (name + ".csv"), text);
    const Outcome outcome = run(study(folder / (name + ".csv"), folder / "d", {"--json", "--out", (folder / name).string()}));
    EXPECT_EQ(outcome.code, 6) << name << outcome.err;
    EXPECT_EQ(outcome.json()["verdict"], "refused");
    EXPECT_FALSE(outcome.json()["nextSteps"].empty()) << name;
    EXPECT_EQ(nlohmann::json::parse(read_text(folder / name / "report.json")), outcome.json());
    EXPECT_NE(read_text(folder / name / "report.html").find("</html>"), std::string::npos);
    const nlohmann::json report = outcome.json();
    for (const auto& check : report["gates"]["checks"]) EXPECT_TRUE(check["value"].is_number() || !check["pass"]) << check;
  }
}

TEST(BadInput, BadCellsAreCountedAndNeverZero) {
  const TempFolder folder;
  std::string text = "u,y\n";
  for (int i = 0; i < 400; ++i) {
    const bool bad = i % 40 == 7;
    text += std::to_string(i / 9 % 2 + 100) + "," + (bad ? "Bad" : i % 40 == 9 ? "" : std::to_string(200 + i % 13)) + "\n";
  }
  write_text(folder / "a.csv", text);
  const auto report = run(study(folder / "a.csv", folder / "d", {"--json"})).json();
  EXPECT_EQ(report["import"]["rowsIn"], 400);
  EXPECT_EQ(report["import"]["stored"], 400);
  const auto y = report["import"]["tags"][1];
  EXPECT_EQ(y["bad"], 10);
  EXPECT_EQ(y["missing"], 10);
  EXPECT_EQ(y["good"], 380);
  EXPECT_EQ(y["min"], 200);
}

TEST(BadInput, TooManyRejectedRowsStoreNothing) {
  const TempFolder folder;
  std::string text = "u,y\n";
  for (int i = 0; i < 200; ++i) text += i % 20 == 3 ? "1,2,3\n" : "1,2\n";
  write_text(folder / "a.csv", text);
  expect_refusal(run(study(folder / "a.csv", folder / "d")), 1, "10 of 200 rows");
  const auto report = run(study(folder / "a.csv", folder / "d", {"--max-rejects", "0.2", "--json"})).json();
  EXPECT_EQ(report["import"]["rejected"], 10);
  EXPECT_EQ(report["import"]["stored"], 190);
}

TEST(BadInput, AFullDiskIsNamedAndLeavesNothingHalfMade) {
  SmallDisk disk(96);
  FLYBALL_NEEDS_DISK(disk);
  const Outcome outcome = run(dryer_study(disk.path() / "data"));
  expect_refusal(outcome, 1, "DISK_FULL");
  EXPECT_TRUE(left_overs(disk.path()).empty()) << left_overs(disk.path()).front();
}

TEST(BadInput, AReadOnlyFolderIsNamed) {
  SmallDisk disk(4096);
  FLYBALL_NEEDS_DISK(disk);
  ASSERT_TRUE(disk.make_read_only());
  expect_refusal(run(dryer_study(disk.path() / "data")), 1, "FOLDER_NOT_WRITABLE");
  TempFolder folder;
  auto arguments = dryer_study(folder / "data");
  arguments.insert(arguments.end(), {"--out", (disk.path() / "out").string()});
  expect_refusal(run(arguments), 1, "FOLDER_NOT_WRITABLE");
}

TEST(BadInput, PlacesThatTakeNoFolderAreNamed) {
  TempFolder folder;
  auto arguments = dryer_study(folder / "data");
  arguments.insert(arguments.end(), {"--out", "/proc/x"});
  expect_refusal(run(arguments), 1, "/proc/x");
  expect_refusal(run(dryer_study("/proc/y")), 1, "/proc/y");
  arguments.back() = "";
  expect_refusal(run(arguments), 2, "/out");
}

TEST(BadInput, ReadingWithoutDataSaysWhereItLooked) {
  const TempFolder folder;
  expect_refusal(run({"models", "list", "--data", (folder / "none").string()}), 3, "none");
  expect_refusal(run({"models", "show", "mdl-1", "--data", (folder / "none").string()}), 3, "flyball study");
  EXPECT_FALSE(fs::exists(folder / "none"));
}

}  // namespace
}  // namespace flyball::testing
