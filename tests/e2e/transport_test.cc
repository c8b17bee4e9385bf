// A dead time that varies with the flow, declared: from the command line to a prediction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>

#include "e2e/program.h"

namespace flyball::testing {
namespace {

using Json = nlohmann::json;

constexpr double kTimeConstant = 60;  ///< s

struct Row {
  double valve, flow, y, truth;
};

double uniform(std::mt19937& engine) {
  return static_cast<double>(engine()) / 4294967296.0;
}

/// Beats of 10 s: what passes the valve goes through a pipe that holds 800 (flow × beats), in
/// slices of 1, then through a lag of K = 2. The flow stands at 20 to 60 for a while.
std::vector<Row> pipe_and_lag(int rows) {
  std::mt19937 engine(7);
  std::deque<double> pipe(800, 0.0);
  const double pole = std::exp(-10 / kTimeConstant);
  std::vector<Row> out;
  double valve = 1, flow = 40, y = 0;
  for (int t = 0; t < rows; ++t) {
    if (uniform(engine) < 0.12) valve = std::round(200 * uniform(engine)) / 100 - 1;
    if (uniform(engine) < 0.02) flow = 20 + std::floor(41 * uniform(engine));
    double left = 0;
    for (int i = 0; i < static_cast<int>(flow); ++i) {
      left += pipe.front() / flow;
      pipe.pop_front();
      pipe.push_back(valve);
    }
    const double noise = 0.02 * (uniform(engine) + uniform(engine) - 1);
    out.push_back({valve, flow, 50 + y + noise, 50 + y});
    y = pole * y + 2 * (1 - pole) * left;
  }
  return out;
}

std::string table(const std::vector<Row>& rows, std::size_t first, std::size_t end,
                  std::size_t measured) {
  std::ostringstream out;
  out << "valve,flow,y\n";
  out.precision(12);
  for (std::size_t i = first; i < end; ++i) {
    out << rows[i].valve << ',' << rows[i].flow << ',';
    if (i < measured) out << rows[i].y;
    out << '\n';
  }
  return out.str();
}

class TransportTest : public ::testing::Test {
 protected:
  Outcome study(std::vector<std::string> more) {
    const std::string file = (folder_ / "pipe.csv").string();
    write_text(file, table(rows_, 0, 4000, 4000));
    std::vector<std::string> words{
        "study",     file,     "--period", "10s",    "--mv",
        "valve",     "--dv",   "flow",     "--cv",   "y",
        "--trainer", "auto@1", "--json",   "--data", (folder_ / "data").string()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  Outcome predict(const std::string& id, const std::vector<Row>& rows, std::size_t from) {
    const std::string file = (folder_ / "plan.csv").string();
    write_text(file, table(rows, from, 4000, 3990));
    return run({"models", "predict", id, file, "--json", "--data", (folder_ / "data").string()});
  }

  TempFolder folder_;
  std::vector<Row> rows_ = pipe_and_lag(4000);
};

const Json& gain_of(const Json& report) {
  for (const Json& s : report["identification"]["stepResponses"]) {
    if (s["input"] == "valve") return s;
  }
  throw std::runtime_error("the valve is not in the model");
}

/// Seconds from the first answer to 63 % of the gain.
double time_to_63(const Json& report) {
  const Json& s = gain_of(report);
  const double gain = s["gain"].get<double>();
  double begun = -1;
  for (std::size_t k = 0; k < s["values"].size(); ++k) {
    const double share = s["values"][k].get<double>() / gain;
    if (begun < 0 && share > 0.02) begun = static_cast<double>(k);
    if (share > 0.632) return 10 * (static_cast<double>(k) - begun + 1);
  }
  return -1;
}

double fit(const Json& report) {
  for (const Json& f : report["evaluation"]["freeRunFit"]) {
    if (f["block"] == "test") return f["percent"].get<double>();
  }
  return -1;
}

TEST_F(TransportTest, DeclaredItGivesTheGainAndLagThatAConstantDeadTimeDoesNot) {
  const Json declared = study({"--transport-delay", "valve=flow,200s,40"}).json();
  const Json constant = study({}).json();
  EXPECT_NEAR(gain_of(declared)["gain"].get<double>(), 2, 0.02);
  EXPECT_NEAR(declared["identification"]["lags"].at(0)["timeConstant"].get<double>(), kTimeConstant,
              3);
  EXPECT_GT(fit(declared), 97);
  EXPECT_LT(fit(constant), 80) << "a constant dead time is no model of this plant";
  EXPECT_NEAR(time_to_63(declared), kTimeConstant, 10) << "63 % after one time constant, to a beat";
  EXPECT_GT(time_to_63(constant), 1.5 * kTimeConstant)
      << "its answer is smeared over the dead times that occurred";
  EXPECT_EQ(constant["verdict"], "refused");
  EXPECT_EQ(declared["verdict"], "pass");
  EXPECT_TRUE(std::ranges::any_of(declared["notes"], [](const Json& n) {
    return n["code"] == "TRANSPORT_APPLIED" && n["params"]["unknown"] > 0;
  }));
}

TEST_F(TransportTest, PredictionDelaysTheSameWay) {
  const Json report = study({"--transport-delay", "valve=flow,200s,40"}).json();
  const std::string id = report["model"]["id"];
  const Json forecast = predict(id, rows_, 3800).json()["forecast"].at(0)["values"];
  ASSERT_EQ(forecast.size(), 10U);
  for (std::size_t k = 0; k < forecast.size(); ++k) {
    EXPECT_NEAR(forecast[k].get<double>(), rows_[3990 + k].truth, 0.06) << k;
  }
  const Outcome short_history = predict(id, rows_, 3960);
  EXPECT_NE(short_history.code, 0);
  EXPECT_NE(short_history.err.find("PREDICT_TRANSPORT"), std::string::npos) << short_history.err;
  std::vector<Row> still = rows_;
  still[3985].flow = 0;
  EXPECT_NE(predict(id, still, 3800).err.find("PREDICT_TRANSPORT"), std::string::npos);
}

TEST_F(TransportTest, WhatCannotBeReadOrCarriedIsRefused) {
  for (const char* text :
       {"valve=flow,200s,0", "valve=flow,200,40", "other=flow,200s,40", "valve"}) {
    const Outcome r = study({"--transport-delay", text});
    EXPECT_NE(r.code, 0);
    EXPECT_NE(r.err.find("FLOWTAG"), std::string::npos) << text << ": " << r.err;
  }
  EXPECT_NE(study({"--transport-delay", "valve=y,200s,40"}).code, 0);
  EXPECT_NE(study({"--transport-delay", "valve=valve,200s,40"}).code, 0);
}

}  // namespace
}  // namespace flyball::testing
