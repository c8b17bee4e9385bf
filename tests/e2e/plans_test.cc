// Training plans as people use them; kill -9 of the command and of the service at many moments.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "e2e/service.h"

namespace flyball::testing {
namespace {

/// First order, a dead time of 2 steps, a pulse every few steps.
std::string record(int rows, unsigned seed) {
  std::string text = "u,y\n";
  double y = 0, u1 = 0, u2 = 0;
  for (int i = 0; i < rows; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const double u = (seed >> 27) % 2, noise = (seed >> 16 & 255) / 256.0 - 0.5;
    text += std::to_string(u) + "," + std::to_string(y + 0.01 * noise) + "\n";
    y = 0.9 * y + 0.1 * u2;
    u2 = u1;
    u1 = u;
  }
  return text;
}

class Plans : public ::testing::Test {
 protected:
  Plans() {
    import(7);
    plan = flyball({"plans", "create", "nightly", "--mv", "u", "--cv", "y", "--history", "10",
                    "--horizon", "10", "--trainer", "linear_arx@1", "--min-interval-sec", "60"})
               .json()["id"];
  }
  void import(unsigned seed) {
    const std::string file = (folder / ("a" + std::to_string(seed) + ".csv")).string();
    write_text(file, record(900, seed));
    ASSERT_EQ(flyball({"import", file, "--period", "1s"}).code, 0);
  }
  Outcome flyball(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--data", data, "--json", "--quiet"});
    return run(arguments);
  }
  nlohmann::json show() const { return flyball({"plans", "show", plan}).json(); }
  nlohmann::json items(const std::string& what) const {
    return flyball({what, "list", "--limit", "1000"}).json()["items"];
  }
  /// Until the plan is settled `n` times by services that run meanwhile.
  nlohmann::json settled(std::size_t n) const {
    nlohmann::json now;
    for (int i = 0; i < 600; ++i) {
      now = show();
      if (now["trainings"].size() >= n && now["lastStatus"] != "training") break;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return now;
  }
  /// What must hold whatever was killed when.
  void check_all() const {
    const nlohmann::json now = show();
    EXPECT_TRUE(now["lastStatus"] == "done" || now["lastStatus"] == "failed") << now.dump(1);
    std::set<std::string> models;
    for (const auto& model : items("models")) {
      models.insert(model["id"].get<std::string>());
      EXPECT_EQ(model["stage"], "candidate");
      EXPECT_EQ(flyball({"models", "verify", model["id"]}).code, 0);
    }
    for (const auto& training : now["trainings"]) {
      const std::string status = training["status"];
      EXPECT_NE(status, "training") << training.dump(1);
      EXPECT_EQ(status == "done", training.contains("modelId")) << training.dump(1);
      EXPECT_EQ(status == "failed", training.value("code", "") != "") << training.dump(1);
      if (!training.contains("modelId")) continue;
      EXPECT_EQ(models.erase(training["modelId"].get<std::string>()), 1u) << training.dump(1);
    }
    EXPECT_TRUE(models.empty()) << "a model that the plan does not know of";
    EXPECT_TRUE(flyball({"entities", "list"}).json()["ok"]);
  }

  const TempFolder folder;
  const std::string data = (folder / "data").string();
  std::string plan;
};

TEST_F(Plans, AskedForItTrainsAndHoldsItsModel) {
  const Outcome done = flyball({"plans", "train", plan});
  ASSERT_EQ(done.code, 0) << done.err << done.out;
  const nlohmann::json now = done.json();
  EXPECT_EQ(now["lastStatus"], "done");
  EXPECT_EQ(now["runsNow"], 1);
  EXPECT_EQ(now["newRows"], 0);
  const Outcome refused = flyball({"models", "delete", now["lastModelId"]});
  EXPECT_EQ(refused.code, 5);
  EXPECT_NE(refused.err.find("training_plan:" + plan), std::string::npos) << refused.err;
  const nlohmann::json drift = flyball({"models", "drift", now["lastModelId"]}).json();
  EXPECT_EQ(drift["verdict"], "cannotTell") << drift.dump(1);
  import(8);
  const nlohmann::json later = flyball({"models", "drift", now["lastModelId"]}).json();
  EXPECT_EQ(later["verdict"], "steady") << later.dump(1);
  EXPECT_EQ(later["runs"], 1);
  EXPECT_EQ(show()["newRows"], 900);
  flyball({"plans", "delete", plan});
  EXPECT_EQ(flyball({"models", "delete", now["lastModelId"]}).code, 0);
}

TEST_F(Plans, GatesThatRefuseEndWithSix) {
  flyball({"config", "set", "gates.nrmse", "0.001"});
  const Outcome done = flyball({"plans", "train", plan});
  EXPECT_EQ(done.code, 6) << done.err;
  EXPECT_EQ(done.json()["lastStatus"], "failed");
  EXPECT_FALSE(done.json()["lastFailedGates"].empty());
  check_all();
}

TEST_F(Plans, AServiceTrainsByItselfAndOnlyOnce) {
  const Service service(folder);
  const nlohmann::json now = settled(1);
  EXPECT_EQ(now["lastStatus"], "done") << now.dump(1);
  EXPECT_EQ(now["trainings"].size(), 1u);
  EXPECT_EQ(now["trainings"][0]["by"], "flyball");
  EXPECT_TRUE(now.contains("nextAt"));
  check_all();
}

TEST_F(Plans, AKilledCommandLeavesAPlanThatTheNextOneSettles) {
  flyball({"config", "set", "job.maxExperiments", "10000"});
  flyball({"config", "set", "plan.perDay", "10000"});
  int killed = 0;
  unsigned seed = 3;
  for (int i = 0; i < 45; ++i) {
    Running program({"plans", "train", plan, "--data", data, "--json", "--quiet"});
    seed = seed * 1664525u + 1013904223u;
    std::this_thread::sleep_for(std::chrono::microseconds((seed >> 8) % 700'000));
    program.signal(SIGKILL);
    killed += program.wait().killed ? 1 : 0;
  }
  EXPECT_GT(killed, 10);
  ASSERT_EQ(flyball({"plans", "train", plan}).code, 0);
  check_all();
}

TEST_F(Plans, AKilledServiceLeavesAPlanThatTheNextOneSettles) {
  unsigned seed = 5;
  for (int i = 0; i < 8; ++i) {
    Service service(folder);
    seed = seed * 1664525u + 1013904223u;
    std::this_thread::sleep_for(std::chrono::microseconds((seed >> 8) % 3'000'000));
    service.program().signal(SIGKILL);
    service.program().wait();
  }
  const Service service(folder);
  const nlohmann::json now = settled(1);
  EXPECT_NE(now["lastStatus"], "training") << now.dump(1);
  check_all();
}

}  // namespace
}  // namespace flyball::testing
