// From a text table to stored samples and on to a dataset, by the real program.
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "support/small_disk.h"

namespace flyball::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Import : public ::testing::Test {
 protected:
  [[nodiscard]] std::string data(const std::string& name = "data") const {
    return (folder_ / name).string();
  }
  std::string table(const std::string& name, const std::string& text) {
    write_text(folder_ / name, text);
    return (folder_ / name).string();
  }
  /// n rows, one a minute from `start` (minutes since 2026-03-01), u a square wave, y following it.
  static std::string rows(int start, int n, double offset = 0) {
    std::string out = "time,u,y\n";
    double y = 20;
    for (int i = 0; i < n; ++i) {
      const int minute = start + i;
      const double u = (i / 17 + i / 29) % 2 + offset;
      y += 0.2 * (10 * u + 10 - y);
      char line[96];
      std::snprintf(line, sizeof line, "2026-03-%02dT%02d:%02d:00Z,%.3f,%.4f\n", 1 + minute / 1440,
                    minute / 60 % 24, minute % 60, u, y + 0.01 * (i % 7));
      out += line;
    }
    return out;
  }

  const TempFolder folder_;
};

TEST_F(Import, AccountsForEveryRowAndNamesWhatItCreated) {
  const std::string file = table("a.csv",
                                 "time,u,y\n2026-03-01T00:00:00Z,1,2\n2026-03-01T00:01:00Z,"
                                 "Shutdown,3\n2026-03-01T00:01:00Z,4,5\nyesterday,1,1\n");
  const Outcome outcome = run({"import", file, "--line", "L1", "--max-rejects", "0.5", "--data",
                               data(), "--json", "--quiet", "--rejects", data("rejects.csv")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json answer = outcome.json(), account = answer["account"];
  EXPECT_EQ(account["rowsIn"], 4);
  EXPECT_EQ(account["stored"], 2);
  EXPECT_EQ(account["rejected"], 1);
  EXPECT_EQ(account["merged"], 1);
  EXPECT_EQ(answer["created"], (Json{"line L1", "product default", "recipe default"}));
  EXPECT_NE(read_text(folder_ / "rejects.csv").find("5,ROW_TIME"), std::string::npos)
      << read_text(folder_ / "rejects.csv");
  const Json runs = run({"runs", "list", "--line", "L1", "--data", data(), "--json"}).json();
  ASSERT_EQ(runs["items"].size(), 1u);
  EXPECT_EQ(runs["items"][0]["id"], "run-1");
}

TEST_F(Import, ADryRunShowsThePlanAndStoresNothing) {
  const std::string file = table("a.csv", rows(0, 50));
  const Outcome outcome =
      run({"import", file, "--line", "L1", "--dry-run", "--data", data(), "--json", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["plan"]["columns"].size(), 3u);
  EXPECT_EQ(outcome.json()["plan"]["firstRows"].size(), 5u);
  EXPECT_FALSE(fs::exists(folder_ / "data" / "historian.db"));
  EXPECT_FALSE(fs::exists(folder_ / "data" / "flyball.db"));
}

TEST_F(Import, TooManyRejectsRefuseStoreNothingAndCanBeWrittenOut) {
  std::string text = rows(0, 50);
  for (int i = 0; i < 5; ++i) text += "not a time,1,2\n";
  const Outcome outcome = run({"import", table("a.csv", text), "--line", "L1", "--data", data(),
                               "--quiet", "--rejects", data("rejects.csv")});
  expect_refusal(outcome, 1, "[IMPORT_TOO_MANY_REJECTS]");
  const std::string rejects = read_text(folder_ / "rejects.csv");
  EXPECT_EQ(std::count(rejects.begin(), rejects.end(), '\n'), 6);
  EXPECT_EQ(run({"runs", "list", "--line", "L1", "--data", data(), "--json"}).out.find("run-1"),
            std::string::npos);
}

TEST_F(Import, ReadsStandardInput) {
  const std::string file = table("a.csv", rows(0, 50));
  const Outcome outcome =
      run({"import", "-", "--line", "L1", "--data", data(), "--json", "--quiet"}, file);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["account"]["stored"], 50);
}

TEST_F(Import, EndlessZerosAreRefusedAfterTheFirstMebibyteInLittleMemory) {
  Running program({"import", "-", "--line", "L1", "--data", data(), "--quiet"}, "/dev/zero");
  expect_refusal(program.wait(), 1, "[IMPORT_LINE_TOO_LONG]");
#ifndef FLYBALL_SANITIZED  // whose shadow is larger
  EXPECT_LT(program.peak_kilobytes(), 100'000);
#endif
  EXPECT_FALSE(fs::exists(folder_ / "data" / "historian.db"));
}

TEST_F(Import, AStudyOfTheTextAndOneOfTheStoreAgreeToTheLastBit) {
  const std::string file = FLYBALL_SOURCE_DIR "/examples/data/hair_dryer.dat";
  const std::vector<std::string> table{
      file, "--line", "rig", "--columns", "voltage,temperature", "--period", "80ms"};
  const std::vector<std::string> roles{"--line", "rig",         "--mv",   "voltage",
                                       "--cv",   "temperature", "--json", "--quiet"};
  const auto with = [](std::vector<std::string> a, const std::vector<std::string>& b,
                       const std::string& folder) {
    a.insert(a.end(), b.begin(), b.end());
    a.insert(a.end(), {"--data", folder});
    return a;
  };
  ASSERT_EQ(run(with({"import"}, table, data("stored"))).code, 0);
  const Outcome stored = run(with({"study"}, roles, data("stored")));
  std::vector<std::string> text{"study"};
  text.insert(text.end(), table.begin(), table.end());
  const Outcome direct = run(
      with(text, {"--mv", "voltage", "--cv", "temperature", "--json", "--quiet"}, data("direct")));
  ASSERT_EQ(stored.code, direct.code) << stored.err << direct.err;
  const Json a = stored.json(), b = direct.json();
  EXPECT_EQ(a["dataset"]["sha256"], b["dataset"]["sha256"]);
  EXPECT_EQ(a["verdict"], b["verdict"]);
  EXPECT_EQ(a["model"]["artifactHash"], b["model"]["artifactHash"]);
  EXPECT_EQ(a["evaluation"], b["evaluation"]);
  EXPECT_EQ(a["gates"]["checks"], b["gates"]["checks"]);
}

TEST_F(Import, TwoRecipesOnOneLineWithOverlappingTimesNeverMix) {
  ASSERT_EQ(run({"import", table("a.csv", rows(0, 400)), "--line", "L1", "--recipe", "A", "--run",
                 "a", "--data", data(), "--quiet"})
                .code,
            0);
  // Half a minute beside the samples of recipe A, and far from them in value.
  std::string other = rows(0, 400, 1000);
  for (std::size_t at = 0; (at = other.find(":00Z", at)) != std::string::npos; ++at)
    other.replace(at, 4, ":30Z");
  ASSERT_EQ(run({"import", table("b.csv", other), "--line", "L1", "--recipe", "B", "--run", "b",
                 "--data", data(), "--quiet"})
                .code,
            0);
  for (const std::string recipe : {"A", "B"}) {
    const Outcome built =
        run({"dataset",   "build", "--line", "L1",     "--recipe", recipe,      "--mv",
             "u",         "--cv",  "y",      "--beat", "1min",     "--history", "10",
             "--horizon", "10",    "--data", data(),   "--json",   "--quiet"});
    ASSERT_EQ(built.code, 0) << built.err;
    const Json answer = built.json();
    for (const Json& node : answer["report"]["nodeSummaries"]) {
      if (node["nodeId"] != "L1/u") continue;
      EXPECT_EQ(node["max"], recipe == "A" ? 1 : 1001);
      EXPECT_EQ(node["min"], recipe == "A" ? 0 : 1000);
    }
  }
}

TEST_F(Import, ADatasetIsBuiltOnceShownComparedAndDeleted) {
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 700)), "--line", "L1", "--data", data(), "--quiet"})
          .code,
      0);
  const auto build = [&](const std::vector<std::string>& more) {
    std::vector<std::string> a{"datasets", "build", "--line", "L1",   "--mv",   "u",
                               "--cv",     "y",     "--data", data(), "--json", "--quiet"};
    a.insert(a.end(), more.begin(), more.end());
    const Outcome outcome = run(a);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.json();
  };
  const Json first = build({});
  EXPECT_EQ(build({})["existed"], true);
  EXPECT_EQ(build({"--dry-run"})["id"], first["id"]);
  const std::string id = first["id"];
  EXPECT_EQ(run({"dataset", "verify", id, "--data", data()}).code, 0);
  const Outcome shown = run({"dataset", "show", id, "--data", data(), "--json"});
  write_text(folder_ / "spec.json", shown.json()["spec"].dump());
  const Outcome again =
      run({"dataset", "build", data("spec.json"), "--data", data(), "--json", "--quiet"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.json()["id"], id);
  expect_refusal(run({"dataset", "build", data("spec.json"), "--mv", "u", "--data", data()}), 2,
                 "[SPEC_AND_FLAGS]");
  ASSERT_EQ(run({"dataset", "delete", id, "--data", data()}).code, 0);
  EXPECT_EQ(run({"dataset", "show", id, "--data", data()}).code, 3);
  EXPECT_FALSE(fs::exists(folder_ / "data" / "datasets" / id));
}

TEST_F(Import, ADatasetThatAModelWasJudgedOnStays) {
  Outcome studied = run(dryer_study(folder_ / "data"));
  ASSERT_EQ(studied.code, 0) << studied.err;
  const std::string id = studied.json()["dataset"]["id"];
  expect_refusal(run({"dataset", "delete", id, "--data", data()}), 5, "mdl-");
  EXPECT_EQ(run({"dataset", "verify", id, "--data", data()}).code, 0);
}

TEST_F(Import, WhatIsStoredCanBeListedAggregatedAndVerified) {
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 120)), "--line", "L1", "--data", data(), "--quiet"})
          .code,
      0);
  const Json first =
      run({"samples", "list", "y", "--line", "L1", "--limit", "100", "--data", data(), "--json"})
          .json();
  ASSERT_EQ(first["items"].size(), 100u);
  EXPECT_EQ(first["items"][0]["time"], "2026-03-01T00:00:00Z");
  EXPECT_EQ(first["items"][0]["quality"], "good");
  const Json rest = run({"samples", "list", "y", "--line", "L1", "--cursor", first["nextCursor"],
                         "--data", data(), "--json"})
                        .json();
  EXPECT_EQ(rest["items"].size(), 20u);
  EXPECT_FALSE(rest.contains("nextCursor"));
  const Json hours = run({"samples", "aggregate", "u", "--line", "L1", "--bucket", "1h", "--data",
                          data(), "--json"})
                         .json();
  ASSERT_EQ(hours["items"].size(), 2u);
  EXPECT_EQ(hours["items"][0]["count"], 60);
  EXPECT_GT(hours["items"][0]["goodShare"], 0.99);
  EXPECT_EQ(run({"samples", "verify", "--data", data()}).code, 0);
  expect_refusal(run({"samples", "list", "z", "--line", "L1", "--data", data()}), 3, "L1/z");
  const Json imports = run({"imports", "list", "--data", data(), "--json"}).json();
  ASSERT_EQ(imports["items"].size(), 1u);
  EXPECT_EQ(imports["items"][0]["stored"], 120);
}

TEST_F(Import, ARunCanBeTakenAwayUnlessADatasetWasBuiltFromIt) {
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 700)), "--line", "L1", "--data", data(), "--quiet"})
          .code,
      0);
  const Outcome built = run({"datasets", "build", "--line", "L1", "--mv", "u", "--cv", "y",
                             "--data", data(), "--json", "--quiet"});
  ASSERT_EQ(built.code, 0) << built.err;
  expect_refusal(run({"runs", "delete", "run-1", "--line", "L1", "--data", data()}), 5, "ds-");
  ASSERT_EQ(run({"datasets", "delete", built.json()["id"], "--data", data()}).code, 0);
  EXPECT_EQ(run({"runs", "delete", "run-1", "--line", "L1", "--dry-run", "--data", data()}).code,
            0);
  EXPECT_EQ(run({"samples", "list", "u", "--line", "L1", "--data", data(), "--json"})
                .json()["items"]
                .size(),
            700u);
  EXPECT_EQ(run({"runs", "delete", "run-1", "--line", "L1", "--data", data()}).code, 0);
  EXPECT_EQ(run({"samples", "list", "u", "--line", "L1", "--data", data(), "--json"})
                .json()["items"]
                .size(),
            0u);
  EXPECT_EQ(run({"samples", "verify", "--data", data()}).code, 0);
}

TEST_F(Import, RejectsNeverReplaceWhatMustStay) {
  const std::string file = table("a.csv", rows(0, 50));
  for (const std::string& path :
       {file, data(""), data("none/rejects.csv"), std::string("/dev/null")}) {
    expect_refusal(
        run({"import", file, "--line", "L1", "--rejects", path, "--data", data(), "--quiet"}), 2,
        "[REJECTS_FILE]");
  }
  EXPECT_EQ(read_text(file), rows(0, 50));
  EXPECT_FALSE(fs::exists(folder_ / "data" / "historian.db"));
}

TEST_F(Import, AReadOnlyFolderCanBeLookedAt) {
  SmallDisk disk(8192);
  FLYBALL_NEEDS_DISK(disk);
  const std::string folder = (disk.path() / "data").string();
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 100)), "--line", "L1", "--data", folder, "--quiet"})
          .code,
      0);
  ASSERT_TRUE(disk.make_read_only());
  for (const std::vector<std::string>& verb : {std::vector<std::string>{"runs", "list"},
                                               {"lines", "list"},
                                               {"tags", "list"},
                                               {"datasets", "list"},
                                               {"segments", "list"},
                                               {"config", "show"},
                                               {"entities", "list"},
                                               {"samples", "verify"}}) {
    std::vector<std::string> arguments = verb;
    arguments.insert(arguments.end(), {"--data", folder});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << verb[0] << " " << outcome.err;
  }
  expect_refusal(
      run({"import", table("b.csv", rows(200, 9)), "--line", "L1", "--data", folder, "--quiet"}), 1,
      "[FOLDER_NOT_WRITABLE]");
}

TEST_F(Import, AFlippedBitInTheStoreIsNamedAndNeverReturned) {
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 3000)), "--line", "L1", "--data", data(), "--quiet"})
          .code,
      0);
  const fs::path file = folder_ / "data" / "historian.db";
  std::string bytes = read_text(file);
  const std::string magic = "\x28\xB5\x2F\xFD";  // a zstd frame inside a chunk
  const std::size_t at = bytes.find(magic);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 40] = static_cast<char>(bytes[at + 40] ^ 1);
  write_text(file, bytes);
  const Outcome verified = run({"samples", "verify", "--data", data()});
  EXPECT_EQ(verified.code, 1) << verified.out;
  EXPECT_NE(verified.out.find("L1/"), std::string::npos) << verified.out;
  int refused = 0;
  for (const char* tag : {"u", "y"}) {
    const Outcome read =
        run({"samples", "list", tag, "--line", "L1", "--limit", "100000", "--data", data()});
    refused += read.code == 0 ? 0 : 1;
    if (read.code != 0) expect_refusal(read, 1, "[CHUNK_CORRUPT]");
  }
  EXPECT_EQ(refused, 1) << "the other tag stays readable";
}

TEST_F(Import, ASecondWriterIsToldWhoHasTheFolder) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  // Both ends open: the first program waits for bytes and holds the folder meanwhile.
  const int both = ::open((folder_ / "pipe").c_str(), O_RDWR);
  Running first({"import", "-", "--line", "L1", "--data", data(), "--quiet"}, data("pipe"));
  while (!fs::exists(folder_ / "data" / "runtime" / "lock")) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const Outcome second =
      run({"import", table("a.csv", rows(0, 50)), "--line", "L1", "--data", data(), "--quiet"});
  expect_refusal(second, 5, "[DATA_IN_USE]");
  EXPECT_NE(second.err.find("import"), std::string::npos);
  first.signal(SIGKILL);
  first.wait();
  ::close(both);
}

TEST_F(Import, AFullDiskLosesNothingThatWasStored) {
  SmallDisk disk(2048);
  FLYBALL_NEEDS_DISK(disk);
  const std::string folder = (disk.path() / "data").string();
  ASSERT_EQ(
      run({"import", table("a.csv", rows(0, 100)), "--line", "L1", "--data", folder, "--quiet"})
          .code,
      0);
  std::string large = "time,u\n";
  std::uint64_t noise = 1;
  for (int i = 0; i < 400'000; ++i) {
    noise = noise * 6364136223846793005ULL + 1442695040888963407ULL;
    large += std::to_string(1'800'000'000 + i) + ",0." + std::to_string(noise >> 8) + '\n';
  }
  const Outcome full = run({"import", table("b.csv", large), "--line", "L2", "--time-column",
                            "time", "--time-format", "epoch-s", "--data", folder, "--quiet"});
  expect_refusal(full, 1, "no space left");
  const Json runs = run({"runs", "list", "--data", folder, "--json"}).json();
  ASSERT_EQ(runs["items"].size(), 1u) << runs.dump();
  EXPECT_EQ(runs["items"][0]["lineId"], "L1");
}

TEST_F(Import, KilledInTheMiddleItStoresAllOrNothing) {
  std::string text = "time,u,v,w\n";
  for (int i = 0; i < 200'000; ++i) {
    char line[96];
    std::snprintf(line, sizeof line, "%d,%d.%03d,%d,%d\n", 1'800'000'000 + i, i % 97, i % 1000,
                  i / 100, i * 31 % 1009);
    text += line;
  }
  const std::string file = table("a.csv", text);
  int kept = 0, nothing = 0;
  for (int round = 0; round < 12; ++round) {
    const std::string folder = data("kill-" + std::to_string(round));
    Running program(
        {"import", file, "--line", "L1", "--time-format", "epoch-s", "--data", folder, "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + 17 * round));
    program.signal(SIGKILL);
    program.wait();
    const Outcome again = run({"import", file, "--line", "L1", "--run", "run-1", "--time-format",
                               "epoch-s", "--data", folder, "--json", "--quiet"});
    ASSERT_EQ(again.code, 0) << again.err;
    const Json account = again.json()["account"];
    const auto merged = account["merged"].get<int>();
    EXPECT_TRUE(merged == 0 || merged == 200'000) << merged;
    ++(merged == 0 ? nothing : kept);
    EXPECT_TRUE(left_overs(folder).empty());
  }
  EXPECT_GT(nothing, 0) << "no round was killed before it had stored";
}

}  // namespace
}  // namespace flyball::testing
