// The file of a static response: what is written is read, and nothing else is.
#include "model/static_artifact.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace flyball::model {
namespace {

/// y = 1 + 2 z1 + 3 z1·z2 − z2², z1 = (u1 − 10)/2, z2 = u2.
StaticResponse example() {
  StaticResponse m;
  m.mean = Vector{{10, 0}};
  m.scale = Vector{{2, 1}};
  m.low = Vector{{6, -1}};
  m.high = Vector{{14, 1}};
  m.surfaces = {{{{-1, -1}, {0, -1}, {0, 1}, {1, 1}},
                 Vector{{1, 2, 3, -1}},
                 Matrix::Identity(4, 4) * 0.1,
                 1.0}};
  return m;
}

StaticArtifact artifact() {
  StaticArtifact a;
  a.dataset_sha256 = "d";
  a.beat_ms = 1000;
  a.point_count = 20;
  a.variables = {
      {"u1", "mv", "", 0, 1, 0, 0}, {"u2", "dv", "", 0, 1, 0, 0}, {"y", "cv", "", 0, 1, 0, 0}};
  a.surfaces = {{"y", "quadratic", 0, 0, {}, {}, {}, {}}};
  pack(example(), a);
  return a;
}

TEST(StaticResponseModel, ValueGradientAndHessianAreThoseOfThePolynomial) {
  const StaticResponse m = example();
  const Vector u{{12, 0.5}};  // z = (1, 0.5)
  EXPECT_DOUBLE_EQ(surface_values(m, u)(0), 1 + 2 + 1.5 - 0.25);
  const Vector g = gradient(m, m.surfaces[0], u);
  EXPECT_DOUBLE_EQ(g(0), (2 + 1.5) / 2);
  EXPECT_DOUBLE_EQ(g(1), 3 - 1);
  EXPECT_EQ(hessian(m, m.surfaces[0]), (Matrix{{0, 3}, {3, -2}}));
  EXPECT_DOUBLE_EQ(leverage(m, m.surfaces[0], u), 0.1 * (1 + 1 + 0.25 + 0.0625));
}

TEST(StaticResponseModel, RefusesOutsideTheBoxAndAboveTheLeverage) {
  const StaticResponse m = example();
  EXPECT_FALSE(outside(m, Vector{{14, 1}}));
  EXPECT_EQ(outside(m, Vector{{14.1, 0}})->input, 0);
  StaticResponse narrow = m;
  narrow.surfaces[0].h_max = 0.2;
  EXPECT_EQ(outside(narrow, Vector{{14, 1}})->output, 0);
  EXPECT_TRUE(predict(narrow, Vector{{14, 1}}).array().isNaN().all());
}

TEST(StaticArtifact, ReadsWhatItWrote) {
  const std::string bytes = write_artifact(artifact());
  const StaticArtifact back = read_static_artifact(bytes);
  EXPECT_EQ(write_artifact(back), bytes);
  const StaticResponse m = unpack(back);
  EXPECT_EQ(surface_values(m, Vector{{11, -0.3}}), surface_values(example(), Vector{{11, -0.3}}));
}

TEST(StaticArtifact, RefusesChangedUnknownAndMisshapenFiles) {
  Json j = parse_json(write_artifact(artifact()), "model.json");
  Json changed = j;
  changed["surfaces"][0]["coefficients"][0] = 5;
  EXPECT_THROW(read_static_artifact(changed.dump()), Error);
  Json unknown = j;
  unknown["extra"] = 1;
  EXPECT_THROW(read_static_artifact(unknown.dump()), Error);
  const auto resealed = [](StaticArtifact a, auto change) {
    change(a);
    return write_artifact(a);
  };
  EXPECT_THROW(read_static_artifact(
                   resealed(artifact(), [](auto& a) { a.surfaces[0].coefficients.pop_back(); })),
               Error);
  EXPECT_THROW(
      read_static_artifact(resealed(artifact(), [](auto& a) { a.surfaces[0].terms[1].first = 7; })),
      Error);
  EXPECT_THROW(read_static_artifact(resealed(artifact(), [](auto& a) { a.variables[0].std = 0; })),
               Error);
  EXPECT_THROW(read_static_artifact(resealed(artifact(), [](auto& a) { a.surfaces[0].cv = "x"; })),
               Error);
  EXPECT_THROW(read_static_artifact(
                   resealed(artifact(), [](auto& a) { a.artifact_kind = "linear_state_space@1"; })),
               Error);
}

}  // namespace
}  // namespace flyball::model
