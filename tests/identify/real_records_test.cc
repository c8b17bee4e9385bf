// Free-run fit on the last quarter of public records, everything chosen in the first half.
#include <gtest/gtest.h>

#include "core/error.h"
#include "identify/identify.h"
#include "identify/records.h"

namespace flyball::identify {
namespace {

Vector test_fit(const dataset::Dataset& d, const IdentifyResult& r) {
  return free_run_fit(r.model, d, Part::test, r.history);
}

TEST(RealRecords, HairDryerHasDeadTimeThree) {
  const Matrix x = daisy("dryer.dat", {1, 2});
  FLYBALL_NEEDS_SHARED(x);
  const auto d = record_dataset(x, "uy");
  const IdentifyResult r = identify_arx(d);
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 3);
  EXPECT_TRUE(r.findings.dead_times.at(0).found);
  EXPECT_GE(test_fit(d, r)(0), 82);
  EXPECT_LT(model::spectral_radius(r.model), 1 - 1e-6);
  EXPECT_NEAR(*r.findings.cvs.at(0).noise_floor, 0.047, 0.01);
}

TEST(RealRecords, StirredTank) {
  const Matrix x = daisy("cstr.dat", {2, 3, 4});
  FLYBALL_NEEDS_SHARED(x);
  const auto d = record_dataset(x, "uyy");
  const Vector fit = test_fit(d, identify_arx(d));
  EXPECT_GE(fit(0), 81);
  EXPECT_GE(fit(1), 90);
}

TEST(RealRecords, FlexibleArm) {
  const Matrix x = daisy("robot_arm.dat", {1, 2});
  FLYBALL_NEEDS_SHARED(x);
  const auto d = record_dataset(x, "uy");
  EXPECT_GE(test_fit(d, identify_arx(d))(0), 90);
}

TEST(RealRecords, SteamGeneratorWithTheLoadAsDvOrMv) {
  const Matrix x = daisy("steamgen.dat", {2, 3, 4, 5, 6, 7, 8, 9});
  FLYBALL_NEEDS_SHARED(x);
  for (const char* roles : {"uuudyyyy", "uuuuyyyy"}) {
    const auto d = record_dataset(x, roles);
    const Vector fit = test_fit(d, identify_arx(d));
    EXPECT_GE(fit(0), 74) << roles;
    EXPECT_GE(fit(2), 72) << roles;
    EXPECT_GE(fit(3), 82) << roles;
  }
}

TEST(RealRecords, WebWindingRig) {
  const Matrix x = daisy("winding.dat", {1, 2, 3, 4, 5, 6, 7});
  FLYBALL_NEEDS_SHARED(x);
  const auto d = record_dataset(x, "uuuuuyy");
  EXPECT_GE(test_fit(d, identify_arx(d))(0), 80);
}

TEST(RealRecords, WallIsLimitedByItsNoise) {
  const Matrix x = daisy("thermic_res_wall.dat", {1, 2, 3});
  FLYBALL_NEEDS_SHARED(x);
  const auto d = record_dataset(x, "uuy");
  const IdentifyResult r = identify_arx(d);
  EXPECT_GE(test_fit(d, r)(0), 80);
  EXPECT_GT(*r.findings.cvs.at(0).noise_floor, 0.10) << "one-step error beyond the gate's limit";
}

TEST(RealRecords, ShortAndPoorRecordsEndInAModelOrANamedError) {
  const struct {
    const char* file;
    std::vector<int> columns;
    const char* roles;
  } cases[] = {{"powerplant.dat", {2, 3, 4, 5, 6, 7, 8, 9}, "uuuuuyyy"},
               {"destill.dat", {2, 3, 4, 5, 6, 22, 23, 24}, "uuuuuyyy"},
               {"ballbeam.dat", {1, 2}, "uy"},
               {"exchanger.dat", {2, 3}, "uy"}};
  for (const auto& c : cases) {
    const Matrix x = daisy(c.file, c.columns);
    FLYBALL_NEEDS_SHARED(x);
    try {
      const IdentifyResult r = identify_arx(record_dataset(x, c.roles));
      EXPECT_LT(model::spectral_radius(r.model), 1 - 1e-6) << c.file;
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == "DATA_TOO_SHORT" || e.code() == "MODEL_UNSTABLE") << e.what();
    }
  }
}

}  // namespace
}  // namespace flyball::identify
