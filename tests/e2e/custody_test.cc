// Backups of a running service, and kill -9 of backup and restore at many moments.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>

#include "e2e/program.h"
#include "e2e/service.h"

namespace flyball::testing {
namespace {

namespace fs = std::filesystem;

std::string table(int rows, int seed) {
  std::string out = "a,b\n";
  for (int i = 0; i < rows; ++i)
    out += std::to_string((i * 7 + seed) % 101) + "," + std::to_string((i * i + seed) % 97) + "\n";
  return out;
}

nlohmann::json json(const std::vector<std::string>& arguments, const fs::path& data) {
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--data", data.string(), "--json", "--quiet"});
  const Outcome outcome = run(all);
  EXPECT_TRUE(outcome.code == 0) << outcome.err;
  return outcome.code == 0 ? outcome.json() : nlohmann::json::object();
}

/// How long a whole run takes here and now: kills are spread over it.
unsigned microseconds_of(const std::vector<std::string>& arguments) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(run(arguments).code, 0);
  const auto took = std::chrono::steady_clock::now() - began;
  return static_cast<unsigned>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
}

TEST(Custody, ABackupOfAServiceThatWritesIsOfOneMoment) {
  const TempFolder folder;
  Service service(folder);
  const std::string who = service.sign_in();
  ASSERT_FALSE(who.empty());
  std::atomic<int> imported = 0;
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string place =
          "/api/v1/imports?period=1s&line=L" + std::to_string(i) + "&run=R" + std::to_string(i);
      const auto answer = service.ask("POST", place, who + "Content-Type: text/csv\r\n",
                                      table(200 + i % 5 * 400, i));
      ASSERT_EQ(answer.status, 200) << answer.body;
      ++imported;
    }
  });
  while (imported < 3) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  int last = 0;
  for (int i = 0; i < 8; ++i) {
    const fs::path backup = folder / ("backup" + std::to_string(i));
    const fs::path restored = folder / ("restored" + std::to_string(i));
    const int before = imported;
    json({"backup", backup.string()}, folder / "data");
    const int after = imported;
    const auto found = json({"restore", backup.string()}, restored);
    EXPECT_TRUE(found["ok"]) << found;
    EXPECT_TRUE(json({"samples", "verify"}, restored)["ok"]);
    EXPECT_TRUE(json({"entities", "list"}, restored)["ok"]);
    EXPECT_TRUE(json({"audit", "verify"}, restored)["ok"]);
    const auto lines = json({"lines", "list", "--limit", "1000"}, restored)["items"];
    EXPECT_GE(static_cast<int>(lines.size()), before) << "what was acknowledged is in it";
    EXPECT_LE(static_cast<int>(lines.size()), after + 1);
    const auto imports = json({"imports", "list", "--limit", "1000"}, restored)["items"];
    EXPECT_GE(imports.size() + 1, lines.size()) << "only of the one that was being stored";
    EXPECT_LE(imports.size(), lines.size());
    EXPECT_GE(imports.size(), 3u);
    if (imports.empty()) break;
    for (const std::size_t at : {std::size_t{0}, imports.size() - 1}) {
      const auto samples =
          json({"samples", "list", "a", "--line", imports[at]["lineId"], "--limit", "10000"},
               restored)["items"];
      EXPECT_EQ(samples.size(), imports[at]["stored"].get<std::size_t>()) << imports[at];
    }
    last = before;
  }
  stop = true;
  writer.join();
  EXPECT_GT(last, 5) << "there was something to back up meanwhile";
}

TEST(Custody, AKilledBackupIsRefusedByNameAndAnotherOneGoes) {
  const TempFolder folder;
  write_text(folder / "a.csv", table(200'000, 1));
  json({"import", (folder / "a.csv").string(), "--period", "1s"}, folder / "data");
  const unsigned whole_run = microseconds_of(
      {"backup", (folder / "first").string(), "--data", (folder / "data").string(), "--quiet"});
  std::mt19937 random(5);
  int killed = 0, refused = 0;
  for (int i = 0; i < 60; ++i) {
    const fs::path backup = folder / ("b" + std::to_string(i));
    Running program({"backup", backup.string(), "--data", (folder / "data").string(), "--quiet"});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % whole_run));
    program.signal(SIGKILL);
    const bool cut = program.wait().killed;
    killed += cut;
    const Outcome check =
        run({"restore", backup.string(), "--check", "--data", (folder / "x").string()});
    if (check.code != 0) {
      const bool named = check.err.find("BACKUP_INCOMPLETE") != std::string::npos ||
                         check.err.find("BACKUP_MISSING") != std::string::npos;
      EXPECT_TRUE(named) << check.err;
      EXPECT_TRUE(cut);
      ++refused;
    }
    fs::remove_all(backup);
  }
  EXPECT_GT(killed, 20);
  EXPECT_GT(refused, 10);
  const fs::path whole = folder / "whole";
  json({"backup", whole.string()}, folder / "data");
  EXPECT_TRUE(json({"restore", whole.string(), "--check"}, folder / "x")["ok"]);
  EXPECT_TRUE(json({"audit", "verify"}, folder / "data")["ok"]);
}

TEST(Custody, AKilledRestoreIsWholeOrNothingThatOpens) {
  const TempFolder folder;
  write_text(folder / "a.csv", table(200'000, 1));
  json({"import", (folder / "a.csv").string(), "--period", "1s"}, folder / "data");
  const fs::path backup = folder / "backup";
  json({"backup", backup.string()}, folder / "data");
  const unsigned whole_run = microseconds_of(
      {"restore", backup.string(), "--data", (folder / "first").string(), "--quiet"});
  std::mt19937 random(6);
  int unfinished = 0;
  for (int i = 0; i < 60; ++i) {
    const fs::path restored = folder / "restored";
    Running program({"restore", backup.string(), "--data", restored.string(), "--quiet"});
    if (i % 2 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % whole_run));
    } else {  // while it copies, which is a small part of the whole
      for (unsigned waited = 0; waited < 2 * whole_run && !fs::exists(restored / "RESTORING");
           waited += 100)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 3'000));
    }
    program.signal(SIGKILL);
    program.wait();
    const Outcome list = run({"imports", "list", "--data", restored.string(), "--json"});
    if (list.code == 0) {
      EXPECT_EQ(list.json()["items"].size(), 1u);
      EXPECT_EQ(run({"samples", "verify", "--data", restored.string()}).code, 0);
    } else {
      const bool named = list.err.find("RESTORE_UNFINISHED") != std::string::npos ||
                         list.err.find("DATA_FOLDER_MISSING") != std::string::npos ||
                         list.err.find("HISTORIAN_MISSING") != std::string::npos;
      EXPECT_TRUE(named) << list.err;
      unfinished += list.err.find("RESTORE_UNFINISHED") != std::string::npos;
    }
    fs::remove_all(restored);
  }
  EXPECT_GT(unfinished, 0);
}

TEST(Custody, AKilledRetentionLeavesOnlyFoldersThatPruneRemoves) {
  const TempFolder folder;
  const fs::path data = folder / "data";
  write_text(folder / "a.csv", table(300, 1));
  json({"import", (folder / "a.csv").string(), "--period", "1s"}, data);
  for (const char* key : {"retention.datasetDays", "retention.datasetsKept"})
    json({"config", "set", key, "0"}, data);
  const unsigned whole_run =
      microseconds_of({"retention", "run", "--data", data.string(), "--quiet"});
  std::mt19937 random(7);
  int killed = 0, cut = 0;
  for (int i = 0; i < 25; ++i) {
    for (int h = 2; h < 6; ++h)
      json({"datasets", "build", "--mv", "a", "--cv", "b", "--history", std::to_string(h),
            "--horizon", "2"},
           data);
    Running program({"retention", "run", "--data", data.string(), "--quiet"});
    std::this_thread::sleep_for(std::chrono::microseconds(random() % whole_run));
    program.signal(SIGKILL);
    killed += program.wait().killed;
    const auto found = json({"entities", "list"}, data);
    for (const auto& issue : found["issues"]) EXPECT_EQ(issue["kind"], "orphan_dir") << issue;
    cut += !found["issues"].empty();
    json({"entities", "prune"}, data);
    EXPECT_TRUE(json({"entities", "list"}, data)["ok"]);
    EXPECT_TRUE(json({"audit", "verify"}, data)["ok"]);
  }
  EXPECT_GT(killed, 5);
  // A kill between the two steps of a removal is rare: here is what it leaves.
  fs::create_directories(data / "datasets" / "ds-0.staging-removed-1");
  json({"retention", "run"}, data);
  EXPECT_TRUE(json({"datasets", "list"}, data)["items"].empty());
  EXPECT_TRUE(left_overs(data / "datasets").empty());
  RecordProperty("cut", cut);
}

}  // namespace
}  // namespace flyball::testing
