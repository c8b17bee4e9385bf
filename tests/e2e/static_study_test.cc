// A study of steady responses as a user runs it: points, verdict, page, predictions, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "math/random.h"

namespace flyball::testing {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

double truth(double u1, double u2) {
  const double a = u1 - 20, b = (u2 - 300) / 40;
  return 50 + 3 * a - 2 * b + 1.5 * a * a - 0.8 * a * b;
}

/// `runs` runs of 900 minutes: levels held for 50 to 100 minutes, a lag of 6 behind 4 of dead time.
fs::path record(const fs::path& folder, int runs) {
  math::Random random(5);
  std::string text = "run,time,u1,u2,y\n";
  for (int r = 0; r < runs; ++r) {
    std::vector<double> steady(5, truth(20, 300));
    double u1 = 20, u2 = 300, y = truth(20, 300);
    std::int64_t left = 0;
    for (int t = 0; t < 900; ++t) {
      if (left-- <= 0) {
        u1 = 20 + 0.5 * double(random.index(5) - 2);
        u2 = 300 + 20 * double(random.index(5) - 2);
        left = 50 + random.index(50);
      }
      steady.push_back(truth(u1, u2));
      y = 0.85 * y + 0.15 * steady[steady.size() - 5];
      text += fmt::format("R{:02},2026-01-{:02}T{:02}:{:02}:00Z,{},{},{:.4f}\n", r + 1, r + 1,
                          t / 60, t % 60, u1, u2, y + 0.1 * random.normal());
    }
  }
  write_text(folder / "record.csv", text);
  return folder / "record.csv";
}

std::vector<std::string> study(const fs::path& file, const fs::path& data) {
  return {"study",        file.string(), "--mv",   "u1",          "--mv",
          "u2",           "--cv",        "y",      "--trainer",   "static_response@1",
          "--run-column", "run",         "--data", data.string(), "--quiet",
          "--json"};
}

TEST(StaticStudy, FindsTheSurfacePassesAndPredictsOnlyWhereItHolds) {
  const TempFolder folder;
  const fs::path data = folder / "data";
  const Outcome outcome = run(study(record(folder.path(), 12), data));
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  const Json report = outcome.json();
  EXPECT_EQ(report["model"]["artifactKind"], "static_response@1");
  std::vector<std::string> gates;
  for (const Json& c : report["gates"]["checks"]) gates.push_back(c["id"]);
  EXPECT_EQ(gates, (std::vector<std::string>{"G1", "G4", "G5", "informative", "sealed"}));
  const Json& found = report["identification"]["static"];
  EXPECT_EQ(found["cvs"][0]["basis"], "quadratic");
  EXPECT_GT(found["trainPoints"], 50);
  EXPECT_FALSE(report["uq"].is_null()) << report["uqReason"];
  EXPECT_EQ(report["uq"]["horizon"], 1);
  const std::string page = read_text(report["provenance"]["reportHtml"].get<std::string>());
  EXPECT_NE(page.find("Steady responses"), std::string::npos);
  EXPECT_EQ(page.find("Dead times"), std::string::npos) << "sections of motion are left out";
  EXPECT_NE(page.find("Stretches that gave no operating point"), std::string::npos);
  EXPECT_EQ(page.find("STATIC_REASON"), std::string::npos) << "a code in place of its text";

  const auto predict = [&](const std::string& rows) {
    write_text(folder / "settings.csv", "u1,u2\n" + rows);
    return run({"models", "predict", report["model"]["id"].get<std::string>(),
                (folder / "settings.csv").string(), "--data", data.string(), "--json"});
  };
  const Outcome inside = predict("20.25,310\n19.5,290\n");
  ASSERT_EQ(inside.code, 0) << inside.err;
  const Json forecast = inside.json()["forecast"][0];
  EXPECT_NEAR(forecast["values"][0].get<double>(), truth(20.25, 310), 0.05);
  EXPECT_NEAR(forecast["values"][1].get<double>(), truth(19.5, 290), 0.05);
  EXPECT_LT(forecast["lower"][0], forecast["values"][0]);
  const Outcome outside = predict("20.25,310\n25,310\n");
  EXPECT_EQ(outside.code, 5) << outside.out;
  EXPECT_NE(outside.err.find("row 2"), std::string::npos) << outside.err;
  EXPECT_NE(outside.err.find("u1"), std::string::npos) << outside.err;

  // Judged again on its own dataset it is as it was judged first, bit for bit.
  const std::string id = report["model"]["id"];
  const auto ask = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--data", data.string(), "--json", "--quiet"});
    const Outcome done = run(arguments);
    EXPECT_EQ(done.code, 0) << done.err << done.out;
    return done.json();
  };
  const Json job = ask({"models", "evaluate", id, report["dataset"]["id"].get<std::string>()});
  EXPECT_EQ(job["state"], "done") << job;
  const Json again = ask({"evaluations", "list", "--model", id});
  const Json model = ask({"models", "show", id});
  const Json first = ask({"experiments", "show", model["experimentId"].get<std::string>()});
  EXPECT_EQ(again["items"][0]["metrics"], first["metrics"]);
  EXPECT_GT(again["items"][0]["coverage"], 0.8);
}

TEST(StaticStudy, TooFewPointsAreRefusedWithTheNumberThatIsMissing) {
  const TempFolder folder;
  const Outcome outcome = run(study(record(folder.path(), 1), folder / "data"));
  EXPECT_EQ(outcome.code, 6) << outcome.err;
  const Json report = outcome.json();
  EXPECT_EQ(report["nextSteps"][0]["code"], "STATIC_TOO_FEW");
  EXPECT_GT(report["nextSteps"][0]["params"]["missing"]["value"], 0);
}

TEST(StaticStudy, ItsOptionsAreRefusedForOtherTrainers) {
  const TempFolder folder;
  auto arguments = study(record(folder.path(), 1), folder / "data");
  arguments[9] = "linear_arx@1";
  arguments.insert(arguments.end(), {"--points", "runs"});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE((outcome.out + outcome.err).find("static_response@1"), std::string::npos);
}

}  // namespace
}  // namespace flyball::testing
