#include "model/artifact.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/models.h"
#include "support/expect_error.h"

namespace flyball::model {
namespace {

Artifact some_artifact() {
  Artifact a;
  a.dataset_sha256 = std::string(64, 'a');
  a.beat_ms = 80;
  a.history_steps = 30;
  a.horizon_steps = 10;
  a.variables = {{"U", "mv", "%", 1, 0.5, 0, 2},
                 {"W", "dv", "K", 2, 1, 0, 4},
                 {"Y1", "cv", "K", 10, 1, 8, 12},
                 {"Y2", "cv", "K", -4, 1, -6, -2}};
  a.seed = 42;
  a.trainer_version = "linear_arx@1 test";
  pack(two_by_two(), a);
  return a;
}

TEST(Artifact, ModelComesBackBitForBit) {
  const LinearStateSpace m = two_by_two();
  const LinearStateSpace back = unpack(read_artifact(write_artifact(some_artifact())));
  EXPECT_EQ(back.A, m.A);
  EXPECT_EQ(back.B, m.B);
  EXPECT_EQ(back.C, m.C);
  EXPECT_EQ(back.D, m.D);
  EXPECT_EQ(back.K, m.K);
  EXPECT_EQ(back.S, m.S);
  EXPECT_EQ(back.f, m.f);
  EXPECT_EQ(back.g, m.g);
  EXPECT_EQ(back.u0, m.u0);
  EXPECT_EQ(back.n_mv, 1);
  EXPECT_EQ(back.channels.size(), 2U);
  EXPECT_EQ(back.channels[0].delay, 2);
}

TEST(Artifact, SameModelGivesTheSameBytes) {
  EXPECT_EQ(write_artifact(some_artifact()), write_artifact(some_artifact()));
}

TEST(Artifact, HashIsThatOfTheRest) {
  const std::string bytes = write_artifact(some_artifact());
  Json j = parse_json(bytes, "model.json");
  EXPECT_EQ(j["artifactHash"], artifact_hash(some_artifact()));
  j["g"][0] = 11;
  EXPECT_ERROR(read_artifact(j.dump()), "ARTIFACT_INVALID");
  j.erase("artifactHash");
  EXPECT_ERROR(read_artifact(j.dump()), "ARTIFACT_INVALID");
}

TEST(Artifact, UnknownAndMissingFieldsAreAllReported) {
  Json j = parse_json(write_artifact(some_artifact()), "model.json");
  j["horizon"] = 3;
  j.erase("K");
  try {
    read_artifact(j.dump());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.problems().size(), 2U) << e.what();
  }
}

TEST(Artifact, ShapesAreChecked) {
  Artifact a = some_artifact();
  a.A[1].pop_back();
  EXPECT_ERROR(read_artifact(write_artifact(a)), "ARTIFACT_INVALID");
  a = some_artifact();
  a.channels[0].input = 2;
  EXPECT_ERROR(read_artifact(write_artifact(a)), "ARTIFACT_INVALID");
  a = some_artifact();
  a.variables[0].role = "cv";
  EXPECT_ERROR(read_artifact(write_artifact(a)), "ARTIFACT_INVALID");
  a = some_artifact();
  a.artifact_kind = "linear_state_space@2";
  EXPECT_ERROR(read_artifact(write_artifact(a)), "ARTIFACT_INVALID");
}

TEST(Artifact, EveryCutFileIsRefused) {
  const std::string bytes = write_artifact(some_artifact());
  for (std::size_t n = 0; n + 1 < bytes.size(); n += 37) {
    EXPECT_THROW(read_artifact(bytes.substr(0, n)), Error) << n;
  }
}

}  // namespace
}  // namespace flyball::model
