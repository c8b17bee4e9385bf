// What the program must reach on the public records, at its defaults.
#include <gtest/gtest.h>

#include "e2e/program.h"
#include "support/shared_data.h"

namespace flyball::testing {
namespace {

using Json = nlohmann::json;

struct Study {
  std::string file, columns, period;
  std::vector<std::string> mv, dv, cv, integrating = {};
};

class SharedRecords : public ::testing::Test {
 protected:
  Json study(const Study& s, int expected_code) {
    std::vector<std::string> a{"study", (shared_data() / "daisy" / s.file).string(), "--columns", s.columns, "--period", s.period,
                               "--data", (folder_ / "data").string(), "--json", "--quiet"};
    for (const auto& name : s.mv) a.insert(a.end(), {"--mv", name});
    for (const auto& name : s.dv) a.insert(a.end(), {"--dv", name});
    for (const auto& name : s.cv) a.insert(a.end(), {"--cv", name});
    for (const auto& name : s.integrating) a.insert(a.end(), {"--integrating", name});
    const Outcome outcome = run(a);
    EXPECT_EQ(outcome.code, expected_code) << s.file << outcome.err;
    return outcome.json();
  }

  static double fit(const Json& report, const std::string& cv) {
    for (const Json& f : report["freeRunFit"]) {
      if (f["cv"] == cv && f["block"] == "test" && f["percent"].is_number()) return f["percent"];
    }
    return -1e9;
  }

  static bool passes(const Json& report, const std::string& id) {
    for (const Json& c : report["gates"]["checks"]) {
      if (c["id"] == id) return c["pass"];
    }
    return false;
  }

  TempFolder folder_;
};

TEST_F(SharedRecords, TheHairDryerPassesWithItsDeadTime) {
  FLYBALL_NEEDS_DATA(shared_data());
  const Json r = study({"dryer.dat", "u,y", "80ms", {"u"}, {}, {"y"}}, 0);
  EXPECT_EQ(r["deadTimes"][0]["steps"], 3);
  EXPECT_GE(fit(r, "y"), 82);
  const double val = r["evaluation"]["oneStepVal"]["nrmse"], test = r["evaluation"]["oneStepTest"]["nrmse"];
  EXPECT_NEAR(val, 0.0475, 0.004);
  EXPECT_NEAR(test, 0.0475, 0.004);
  EXPECT_NEAR(r["evaluation"]["oneStepPersistenceTest"]["nrmse"].get<double>(), 0.24, 0.01);
}

TEST_F(SharedRecords, TheReactorAndTheRobotArmPass) {
  FLYBALL_NEEDS_DATA(shared_data());
  const Json cstr = study({"cstr.dat", "t,q,Ca,T", "6s", {"q"}, {}, {"Ca", "T"}}, 0);
  EXPECT_GE(fit(cstr, "Ca"), 81);
  EXPECT_GE(fit(cstr, "T"), 90);
  EXPECT_GE(fit(study({"robot_arm.dat", "u,y", "1s", {"u"}, {}, {"y"}}, 0), "y"), 90);
}

TEST_F(SharedRecords, TheSteamGeneratorAndTheWindingLineAreFitted) {
  FLYBALL_NEEDS_DATA(shared_data());
  const Json steam = study({"steamgen.dat", "t,u1,u2,u3,u4,y1,y2,y3,y4", "3s", {"u1", "u2", "u3"}, {"u4"}, {"y1", "y2", "y3", "y4"}}, 6);
  EXPECT_GE(fit(steam, "y1"), 74);
  EXPECT_GE(fit(steam, "y3"), 72);
  EXPECT_GE(fit(steam, "y4"), 82);
  const Json winding = study({"winding.dat", "u1,u2,u3,u4,u5,y1,y2", "100ms", {"u1", "u2", "u3", "u4", "u5"}, {}, {"y1", "y2"}}, 6);
  EXPECT_GE(fit(winding, "y1"), 80);
}

TEST_F(SharedRecords, TheWallIsRefusedForItsNoise) {
  FLYBALL_NEEDS_DATA(shared_data());
  const Json r = study({"thermic_res_wall.dat", "u1,u2,y", "1s", {"u1", "u2"}, {}, {"y"}}, 6);
  EXPECT_GE(fit(r, "y"), 80);
  EXPECT_FALSE(passes(r, "G1"));
  for (const Json& c : r["gates"]["checks"]) {
    EXPECT_TRUE(c["id"] != "G1" || c["detail"].get<std::string>().find("noise, not model") != std::string::npos) << c["detail"];
  }
}

TEST_F(SharedRecords, AModelThatDivergesInFreeRunPassesNothing) {
  FLYBALL_NEEDS_DATA(shared_data());
  for (const Study& s : {Study{"ballbeam.dat", "u,y", "100ms", {"u"}, {}, {"y"}}, Study{"exchanger.dat", "t,u,y", "1s", {"u"}, {}, {"y"}}}) {
    const Json r = study(s, 6);
    EXPECT_TRUE(fit(r, "y") >= 0 || !passes(r, "stable")) << s.file;
  }
}

TEST_F(SharedRecords, TheGainOfALevelIsJudgedOverItsAnswer) {
  FLYBALL_NEEDS_DATA(shared_data());
  Study ball{"ballbeam.dat", "u,y", "100ms", {"u"}, {}, {"y"}};
  ball.integrating = {"y"};
  EXPECT_TRUE(passes(study(ball, 0), "informative"));
}

}  // namespace
}  // namespace flyball::testing
