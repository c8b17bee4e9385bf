// What a study takes from an engineer and says of the record beyond its verdict.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

using Json = nlohmann::json;

/// The same on every machine: no std distribution.
struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double uniform() { return static_cast<double>(engine()) / 4294967296.0; }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }
};

/// K = 2, τ = 300 s, dead time 120 s, a step drawn every 10 samples; rows `period` apart.
std::vector<std::pair<double, double>> slow_plant(int rows, double period, double noise) {
  Random random(5);
  std::vector<std::pair<double, double>> out;
  const double pole = std::exp(-period / 300);
  const auto delay = static_cast<std::size_t>(120 / period);
  double y = 0, u = 1;
  for (int t = 0; t < rows; ++t) {
    if (random.uniform() < 0.1) u = random.uniform() < 0.5 ? -1 : 1;
    const double then = out.size() > delay ? out[out.size() - 1 - delay].first : 0;
    if (t > 0) y = pole * y + 2 * (1 - pole) * then;
    out.emplace_back(u, y + noise * random.normal());
  }
  return out;
}

std::string table(const std::vector<std::pair<double, double>>& rows, int repeats) {
  std::ostringstream out;
  out << "u,y\n";
  out.precision(10);
  for (const auto& [u, y] : rows) {
    for (int k = 0; k < repeats; ++k) out << u << ',' << y << '\n';
  }
  return out.str();
}

bool noted(const Json& report, const std::string& code) {
  return std::ranges::any_of(report["notes"], [&](const Json& n) { return n["code"] == code; });
}

double time_constant(const Json& report) {
  return report["identification"]["lags"].at(0)["timeConstant"].get<double>();
}

TEST(Identification, ARecordExportedWithRepeatsIsStudiedAtItsOwnBeat) {
  const TempFolder folder;
  const auto rows = slow_plant(1500, 60, 0.02);
  write_text(folder / "held.csv", table(rows, 6));
  write_text(folder / "own.csv", table(rows, 1));
  const auto study = [&](const std::string& file, const std::string& period,
                         const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        "study",  (folder / file).string(),   "--period", period,  "--mv", "u", "--cv", "y",
        "--data", (folder / "data").string(), "--quiet",  "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).json();
  };
  const Json held = study("held.csv", "10s"), own = study("own.csv", "60s");
  EXPECT_TRUE(noted(held, "OVERSAMPLED_HOLDS"));
  EXPECT_FALSE(noted(own, "OVERSAMPLED_HOLDS"));
  EXPECT_NEAR(time_constant(held) / 300, 1, 0.05);
  EXPECT_NEAR(time_constant(held), time_constant(own), 1);
  EXPECT_EQ(held["dataset"]["rowCount"], own["dataset"]["rowCount"]);
  const Json kept = study("held.csv", "10s", {"--beat", "10s"});
  EXPECT_FALSE(noted(kept, "OVERSAMPLED_HOLDS")) << "--beat decides";
  EXPECT_GT(kept["dataset"]["rowCount"].get<int>(), 5 * held["dataset"]["rowCount"].get<int>());
}

TEST(Identification, AShortBeatIsAnsweredWithALongerOne) {
  const TempFolder folder;
  // τ = 600 s at 1 s: a pole of 0.998.
  Random random(3);
  std::ostringstream out;
  out << "u,y\n";
  double y = 0, u = 1, pole = std::exp(-1.0 / 600);
  for (int t = 0; t < 24000; ++t) {
    if (t % 300 == 0) u = random.uniform() < 0.5 ? -1 : 1;
    out << u << ',' << y + 0.02 * random.normal() << '\n';
    y = pole * y + 2 * (1 - pole) * u;
  }
  write_text(folder / "fast.csv", out.str());
  const Json report = run({"study", (folder / "fast.csv").string(), "--period", "1s", "--mv", "u",
                           "--cv", "y", "--data", (folder / "data").string(), "--quiet", "--json"})
                          .json();
  ASSERT_TRUE(noted(report, "POLE_OVERSAMPLED"));
  for (const Json& n : report["notes"]) {
    if (n["code"] != "POLE_OVERSAMPLED") continue;
    const auto beat = n["params"]["beat"]["value"].get<std::string>();
    const double seconds = beat == "1min" ? 60 : std::stod(beat);
    EXPECT_GE(seconds, 10) << beat;
    EXPECT_LE(seconds, 60) << beat;
  }
}

/// A first-order plant (K = 1.5) in a PI loop whose set-point moves every 60 samples.
std::string loop_record(int rows) {
  Random random(9);
  std::ostringstream out;
  out << "sp,valve,temp\n";
  std::vector<double> valve(4, 40);
  double y = 50, integral = 0, sp = 50;
  for (int t = 0; t < rows; ++t) {
    if (t % 60 == 0) sp = 50 + std::floor(5 * random.uniform()) - 2;
    integral += 0.04 * (sp - y);
    valve.push_back(40 + 1.2 * (sp - y) + integral);
    y = 50 + 0.9 * (y - 50) + 0.15 * (valve[valve.size() - 4] - 40) + 0.02 * random.normal();
    out << sp << ',' << valve.back() << ',' << y + 0.05 * random.normal() << '\n';
  }
  return out.str();
}

TEST(Identification, ASetPointIsNoInputThatFailedToAnswer) {
  const TempFolder folder;
  write_text(folder / "loop.csv", loop_record(2000));
  const Outcome outcome = run({"study", (folder / "loop.csv").string(), "--period", "10s", "--mv",
                               "valve", "--cv", "temp", "--setpoint", "valve=sp", "--data",
                               (folder / "data").string(), "--json", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  const Json report = outcome.json();
  for (const Json& d : report["deadTimes"]) EXPECT_EQ(d["mv"], "valve");
  for (const Json& c : report["gates"]["checks"]) {
    if (c["id"] != "informative") continue;
    EXPECT_EQ(c["detail"].get<std::string>().find("sp "), std::string::npos) << c["detail"];
  }
}

TEST(Identification, RunsAtLevelsOfTheirOwnGiveOneGainAndAPredictionAtTheirLevel) {
  const TempFolder folder;
  Random random(4);
  std::ostringstream out;
  out << "run,time,u,y\n";
  for (int r = 0; r < 6; ++r) {
    double y = 0, u = 1;
    std::vector<double> past(3, 0);
    const double level = 10 * random.uniform();
    for (int t = 0; t < 300; ++t) {
      if (random.uniform() < 0.08) u = random.uniform() < 0.5 ? -1 : 1;
      past.push_back(u);
      y = 0.85 * y + 0.3 * past[past.size() - 4];
      out << 'R' << r + 1 << ",2026-01-0" << r + 1 << 'T' << (t / 60 < 10 ? "0" : "") << t / 60
          << ':' << (t % 60 < 10 ? "0" : "") << t % 60 << ":00Z," << u << ','
          << y + level + 0.05 * random.normal() << '\n';
    }
  }
  write_text(folder / "runs.csv", out.str());
  const Outcome outcome =
      run({"study", (folder / "runs.csv").string(), "--run-column", "run", "--mv", "u", "--cv", "y",
           "--trainer", "auto@1", "--data", (folder / "data").string(), "--json", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err << outcome.out;
  const Json report = outcome.json();
  EXPECT_TRUE(noted(report, "RUN_LEVELS_DIFFER"));
  const Json& answer = report["identification"]["stepResponses"].at(0);
  EXPECT_NEAR(answer["gain"].get<double>(), 2, 4 * answer["gainStdError"].get<double>());
  EXPECT_LT(answer["gainStdError"], 0.05);
  for (const Json& f : report["freeRunFit"]) {
    if (f["block"] != "test") continue;
    EXPECT_GT(f["percent"], 90) << "noise alone leaves 96";
  }
}

TEST(Identification, PriorsAreReadUsedAndJudged) {
  const TempFolder folder;
  write_text(folder / "own.csv", table(slow_plant(1500, 60, 0.02), 1));
  const auto study = [&](const std::vector<std::string>& priors) {
    std::vector<std::string> arguments{
        "study",  (folder / "own.csv").string(), "--period", "60s",   "--mv", "u", "--cv", "y",
        "--data", (folder / "data").string(),    "--quiet",  "--json"};
    for (const std::string& p : priors) arguments.insert(arguments.end(), {"--prior", p});
    return run(arguments);
  };
  const Outcome good =
      study({"u->y gain>0", "u->y deadTime 1min..3min", "u->y timeConstant<10min"});
  EXPECT_EQ(good.code, 0) << good.err;
  const Json checks = good.json()["identification"]["priors"];
  ASSERT_EQ(checks.size(), 3u);
  for (const Json& c : checks) EXPECT_EQ(c["status"], "held") << c.dump();
  const Outcome wrong = study({"u->y gain<0"});
  EXPECT_EQ(wrong.code, 6);
  EXPECT_EQ(wrong.json()["identification"]["priors"][0]["status"], "impossible");
  bool failed = false;
  const Json refused = wrong.json();
  for (const Json& c : refused["gates"]["checks"])
    failed |= c["id"] == "priors" && !c["pass"].get<bool>();
  EXPECT_TRUE(failed);
  EXPECT_EQ(study({"v->y gain<0"}).code, 2);
  EXPECT_EQ(study({"u->y gain<0", "u->y gain>0"}).code, 2);
  EXPECT_NE(study({"v->y gain<0"}).err.find("PRIOR_NAME_UNKNOWN"), std::string::npos);
}

}  // namespace
}  // namespace flyball::testing
