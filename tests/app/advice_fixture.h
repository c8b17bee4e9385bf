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
#include "testbed/injection.h"
#include "testbed/plants.h"

namespace flyball::app {

/// Two inputs, two outputs, first-order lags; one step is a minute.
inline testbed::PlantTest two_by_two_line() {
  testbed::PlantTest out;
  out.plant.channels = {{{2.0, 300, 0, 60, false}, {0.8, 420, 0, 120, false}},
                        {{0.6, 360, 0, 120, false}, {1.5, 480, 0, 60, false}}};
  out.plant.u0 = {10, 20};
  out.plant.y0 = {100, 50};
  out.period = 60;
  return out;
}

/// A plant of two inputs and two outputs, one of its periods a step; noise more than 30 dB below
/// the signal. The injection line is the machine itself (testbed/injection.h), not its linear part.
class SimulatedLine {
 public:
  explicit SimulatedLine(const testbed::PlantTest& test, double sign = 1)
      : test_(test), sign_(sign) {
    if (test.name == "injection_line") machine_.emplace(test.plant.u0[0], test.plant.u0[1]);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        testbed::ChannelSpec spec = test.plant.channels[i][j];
        spec.gain *= sign;
        paths_[i][j].emplace_back(spec, test.period);
        scale_[i] += std::abs(spec.gain) * test.amplitude;
      }
    }
  }
  /// What is measured before the inputs act, then a step with them.
  std::array<double, 2> step(double u1, double u2, math::Random& random) {
    std::array<double, 2> y{};
    if (machine_) {
      const auto part = machine_->step(u1, u2, random);
      const double made[2] = {part.weight, part.sink};
      for (std::size_t i = 0; i < 2; ++i)
        y[i] = test_.plant.y0[i] + sign_ * (made[i] - test_.plant.y0[i]) +
               0.01 * scale_[i] * random.normal();
      return y;
    }
    const double u[2] = {u1 - test_.plant.u0[0], u2 - test_.plant.u0[1]};
    for (std::size_t i = 0; i < 2; ++i) {
      y[i] = test_.plant.y0[i] + 0.01 * scale_[i] * random.normal();
      for (std::size_t j = 0; j < 2; ++j) {
        y[i] += paths_[i][j].front().output();
        paths_[i][j].front().advance(u[j]);
      }
    }
    return y;
  }

 private:
  testbed::PlantTest test_;
  double sign_;
  double scale_[2] = {0, 0};
  std::vector<testbed::Channel> paths_[2][2];
  std::optional<testbed::InjectionLine> machine_;
};

class AdviceTest : public ::testing::Test {
 protected:
  static constexpr DurationUs kBeat = 60 * kSecond;

  /// Without `dynamic` a fixture trains its own model and promotes it.
  explicit AdviceTest(testbed::PlantTest plant = two_by_two_line(), bool dynamic = true)
      : test_(std::move(plant)) {
    app_.use([this](const Json& payload, std::stop_token stop) {
      Json answer = solve_payload(solver_, payload, stop);
      if (spoil) spoil(answer);
      return answer;
    });
    if (!dynamic) return;
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
      SimulatedLine line(test_);
      double u[2] = {test_.plant.u0[0], test_.plant.u0[1]};
      for (int t = 0; t < 500; ++t) {
        for (std::size_t i = 0; i < 2; ++i) {
          if (random_.uniform() < 0.07)
            u[i] = test_.plant.u0[i] + (random_.uniform() < 0.5 ? -1 : 1) * test_.amplitude;
        }
        row(line, "B" + std::to_string(r), u[0], u[1]);
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
    for (int t = 0; t < steps; ++t) row(line, "live", test_.plant.u0[0], test_.plant.u0[1]);
    store();
  }
  /// Tracks what a step of 0.4 amplitudes up in both inputs would give, within 1.5 amplitudes.
  Json content(const std::string& model) const {
    Json mv = Json::array(), cv = Json::array();
    const Matrix k = test_.plant.gains();
    for (Index i = 0; i < 2; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double u0 = test_.plant.u0[at], amp = test_.amplitude;
      mv.push_back({{"varId", "u" + std::to_string(i + 1)},
                    {"min", u0 - 1.5 * amp},
                    {"max", u0 + 1.5 * amp},
                    {"maxMove", 0.5 * amp},
                    {"moveWeight", 0.1}});
      cv.push_back({{"varId", "y" + std::to_string(i + 1)},
                    {"ref", test_.plant.y0[at] + 0.4 * amp * (k(i, 0) + k(i, 1))}});
    }
    return {{"name", "quality"}, {"modelId", model},    {"mv", mv},          {"cv", cv},
            {"horizon", 40},     {"controlHorizon", 6}, {"requireUq", false}};
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

  const testbed::PlantTest test_;
  const testing::TempFolder temp_;
  TimeUs now_ = 1'790'000'040 * kSecond / kBeat * kBeat;
  ManualClock clock_{now_};
  App app_{{temp_ / "data", "test"}, clock_};
  optimise::Solver solver_;
  math::Random random_{11};
  std::string csv_, model_, profile_, binding_;
  int parts_ = 0;
  std::function<void(Json&)> spoil;
};

}  // namespace flyball::app
