#pragma once
// A simulated line whose model is in production, with a live run: six runs of a test signal, a
// study, two people who promote, and a plant that goes on minute by minute.
#include <gtest/gtest.h>

#include "app/app.h"
#include "app/solver_worker.h"
#include "math/random.h"
#include "store/files.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"
#include "testbed/channel.h"

namespace flyball::app {

/// Two inputs, two outputs, in steps of a minute; noise about 30 dB below the signal.
class SimulatedLine {
 public:
  explicit SimulatedLine(double sign = 1) {
    const testbed::ChannelSpec specs[2][2] = {
        {{2.0 * sign, 300, 0, 60, false}, {0.8 * sign, 420, 0, 120, false}},
        {{0.6 * sign, 360, 0, 120, false}, {1.5 * sign, 480, 0, 60, false}}};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) paths_[i][j].emplace_back(specs[i][j], 60);
  }
  /// What is measured before the input acts, then a minute with the inputs.
  std::array<double, 2> step(double u1, double u2, math::Random& random) {
    std::array<double, 2> y{};
    const double u[2] = {u1 - 10, u2 - 20};
    for (std::size_t i = 0; i < 2; ++i) {
      y[i] = (i == 0 ? 100 : 50) + 0.03 * random.normal();
      for (std::size_t j = 0; j < 2; ++j) {
        y[i] += paths_[i][j].front().output();
        paths_[i][j].front().advance(u[j]);
      }
    }
    return y;
  }

 private:
  std::vector<testbed::Channel> paths_[2][2];
};

class AdviceTest : public ::testing::Test {
 protected:
  static constexpr DurationUs kBeat = 60 * kSecond;

  AdviceTest() {
    app_.use([this](const Json& payload, std::stop_token stop) {
      Json answer = solve_payload(solver_, payload, stop);
      if (spoil) spoil(answer);
      return answer;
    });
    train();
    promote();
  }

  Json call(const char* verb, const Json& request, const Call& c = {}) {
    return run(*find_operation(verb), app_, request, c).body;
  }
  static Call person(const std::string& name) {
    Call c;
    c.principal = govern::Principal{name, govern::Kind::person, govern::Credential::session};
    c.principal->rights = {govern::Right::view, govern::Right::request, govern::Right::evaluate,
                           govern::Right::approve, govern::Right::operate};
    c.principal->all_lines = govern::Grant::operate;
    c.principal->fresh = true;
    return c;
  }

  /// One row of the record at now; the clock moves on by a beat.
  void row(SimulatedLine& line, const std::string& run_id, double u1, double u2) {
    const auto y = line.step(u1, u2, random_);
    csv_ += format_time(now_) + "," + run_id + "," + std::to_string(u1) + "," + std::to_string(u2) +
            "," + std::to_string(y[0]) + "," + std::to_string(y[1]) + "\n";
    now_ += kBeat;
  }
  void store() {
    const auto file = temp_ / ("part" + std::to_string(++parts_) + ".csv");
    store::write_file(file, "time,run,u1,u2,y1,y2\n" + csv_);
    csv_.clear();
    clock_.set(now_);
    call("import", {{"file", file.string()},
                    {"line", "L"},
                    {"product", "P"},
                    {"recipe", "R"},
                    {"runColumn", "run"},
                    {"evidence", "simulation"},
                    {"confirmContext", true},
                    {"by", "ann"}});
  }
  void train() {
    for (int r = 1; r <= 6; ++r) {
      SimulatedLine line;
      double u1 = 10, u2 = 20;
      for (int t = 0; t < 500; ++t) {
        if (random_.uniform() < 0.07) u1 = random_.uniform() < 0.5 ? 9 : 11;
        if (random_.uniform() < 0.07) u2 = random_.uniform() < 0.5 ? 19 : 21;
        row(line, "B" + std::to_string(r), u1, u2);
      }
      now_ += 3600 * kSecond;
    }
    store();
    const Json study = call("study", {{"line", "L"},
                                      {"product", "P"},
                                      {"recipe", "R"},
                                      {"mv", {"u1", "u2"}},
                                      {"cv", {"y1", "y2"}},
                                      {"trainer", "linear_arx@1"}});
    ASSERT_TRUE(study.contains("model")) << study.dump(1).substr(0, 4000);
    model_ = study["model"]["id"];
  }
  void promote() {
    call("models stage", {{"id", model_}, {"to", "shadow"}, {"reason", "r"}});
    const std::string approval =
        call("models promote", {{"id", model_}, {"reason", "better"}, {"waive", "a test"}},
             person("ann"))["id"];
    call("approvals approve", {{"id", approval}}, person("bob"));
    ASSERT_EQ(call("models show", {{"id", model_}})["stage"], "production");
  }
  /// The live run, at rest for a while.
  void go_live(SimulatedLine& line, int steps = 150) {
    now_ += 3600 * kSecond;
    for (int t = 0; t < steps; ++t) row(line, "live", u_[0], u_[1]);
    store();
  }
  static Json content(const std::string& model) {
    return {
        {"name", "quality"},
        {"modelId", model},
        {"mv",
         {{{"varId", "u1"}, {"min", 8.5}, {"max", 11.5}, {"maxMove", 0.5}, {"moveWeight", 0.1}},
          {{"varId", "u2"}, {"min", 18.5}, {"max", 21.5}, {"maxMove", 0.5}, {"moveWeight", 0.1}}}},
        {"cv",
         {{{"varId", "y1"}, {"ref", 101.0}},
          {{"varId", "y2"}, {"role", "track"}, {"ref", 50.4}, {"hardMax", 52.0}}}},
        {"horizon", 40},
        {"controlHorizon", 6},
        {"requireUq", false}};
  }
  void bind(const Json& profile) {
    profile_ = call("optimize profile create", {{"profile", profile}})["id"];
    call("optimize profile activate", {{"id", profile_}});
    binding_ = call("optimize bind", {{"profile", profile_}})["id"];
  }
  /// The newest candidate as it is kept.
  Json advised(const Json& card) {
    const Json record = call("optimize solve-record", {{"id", card["runId"]}});
    for (const Json& c : record["candidates"]) {
      if (c["id"] == card["recommendation"]["candidateId"]) return c["candidate"];
    }
    return {};
  }

  const testing::TempFolder temp_;
  TimeUs now_ = 1'790'000'040 * kSecond / kBeat * kBeat;
  ManualClock clock_{now_};
  App app_{{temp_ / "data", "test"}, clock_};
  optimise::Solver solver_;
  math::Random random_{11};
  std::string csv_, model_, profile_, binding_;
  double u_[2] = {10, 20};
  int parts_ = 0;
  std::function<void(Json&)> spoil;
};

}  // namespace flyball::app
