// Known plants: what was put in comes out.
#include <gtest/gtest.h>

#include "core/error.h"
#include "identify/identify.h"
#include "identify/plants.h"
#include "identify/records.h"
#include "support/expect_error.h"

namespace flyball::identify {
namespace {

Matrix joined(const Vector& u, const Vector& y) {
  Matrix x(u.size(), 2);
  x << u, y;
  return x;
}

const StepResponse& answer(const IdentifyResult& r, const std::string& input,
                           const std::string& cv) {
  for (const StepResponse& s : r.findings.step_responses) {
    if (s.input == input && s.cv == cv) return s;
  }
  throw std::runtime_error("no answer from " + input + " to " + cv);
}

bool warned(const IdentifyResult& r, const std::string& code) {
  return std::ranges::any_of(r.findings.warnings, [&](const Message& m) { return m.code == code; });
}

TEST(Arx, RecoversANoiseFreePlantExactly) {
  math::Random random(5);
  const Vector u = random_steps(600, 8, random);
  const IdentifyResult r =
      identify_arx(train_dataset({joined(u, first_order(u, 5, 0.9, 5))}, "uy"));
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 5);
  EXPECT_TRUE(r.findings.dead_times.at(0).by_test);
  EXPECT_EQ(r.findings.cvs.at(0).na, 1) << "the smallest of many exact structures";
  EXPECT_EQ(r.findings.cvs.at(0).nb, 1);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 5, 1e-4);
  EXPECT_NEAR(model::spectral_radius(r.model), 0.9, 1e-5);
  const Matrix s = model::step_response(r.model, 0, 40);
  for (Index k = 0; k < 40; ++k) {
    const double truth = k < 5 ? 0 : 5 * (1 - std::pow(0.9, static_cast<double>(k - 4)));
    EXPECT_NEAR(s(k, 0), truth, 1e-4) << k;
  }
}

TEST(Arx, HorizonIsTheStepsTo63PercentOfTheMainAnswer) {
  math::Random random(5);
  const Vector u = random_steps(600, 8, random);
  // 1 − 0.9ⁿ ≥ 0.63 at n = 10; the first answer stands at k = 5: k = 14.
  const auto d = train_dataset({joined(u, first_order(u, 5, 0.9, 5))}, "uy");
  EXPECT_EQ(identify_arx(d).horizon, 14);
  EXPECT_EQ(identify_arx(d).history, 20 + 10) << "dead times up to 20 and 10 lags";
  ArxOptions options;
  options.history = 25;
  options.horizon = 33;
  EXPECT_EQ(identify_arx(d, options).horizon, 33);
  EXPECT_EQ(identify_arx(d, options).history, 25);
}

TEST(Arx, TwoByTwoAt26DecibelFromSixRuns) {
  math::Random random(17);
  std::vector<Matrix> runs;
  for (int i = 0; i < 6; ++i) runs.push_back(TwoByTwo::run(600, 26, random));
  const IdentifyResult r = identify_arx(train_dataset(runs, "uuyy"));
  for (Index m = 0; m < 2; ++m) {
    for (Index j = 0; j < 2; ++j) {
      const DeadTime& d = r.findings.dead_times.at(static_cast<std::size_t>(2 * m + j));
      EXPECT_EQ(d.steps, TwoByTwo::kLag[j][m]) << d.input << " " << d.cv;
      EXPECT_LE(d.low, d.steps);
      EXPECT_GE(d.high, d.steps);
      const StepResponse& s = answer(r, d.input, d.cv);
      EXPECT_NEAR(*s.gain, TwoByTwo::kGain[j][m], 4 * *s.gain_std_error + 0.01);
      EXPECT_LT(*s.gain_std_error, 0.02);
    }
  }
  for (const CvFinding& cv : r.findings.cvs) {
    EXPECT_EQ(cv.folds, 5);
    EXPECT_NEAR(*cv.noise_floor, 0.05, 0.01) << "26 dB of output noise";
  }
  EXPECT_NEAR(r.model.S(0, 1) / std::sqrt(r.model.S(0, 0) * r.model.S(1, 1)), 0, 0.1);
}

TEST(Arx, FollowsEqualsWithUnitsAndOrderOfTags) {
  math::Random random(3);
  const Matrix x = TwoByTwo::run(900, 26, random);
  Matrix scaled = x;
  scaled.array() = scaled.array() * 1000 + 273.15;
  Matrix swapped(x.rows(), 4);
  swapped << x.col(1), x.col(0), x.col(3), x.col(2);
  const IdentifyResult a = identify_arx(train_dataset({x}, "uuyy"));
  const IdentifyResult b = identify_arx(train_dataset({scaled}, "uuyy"));
  const IdentifyResult c = identify_arx(train_dataset({swapped}, "uuyy"));
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(a.findings.cvs[j].na, b.findings.cvs[j].na);
    EXPECT_EQ(a.findings.cvs[j].nb, b.findings.cvs[j].nb);
    EXPECT_EQ(a.findings.cvs[j].na, c.findings.cvs[1 - j].na);
    EXPECT_NEAR(*a.findings.cvs[j].score, *b.findings.cvs[j].score, 1e-6);
    EXPECT_NEAR(*a.findings.cvs[j].score, *c.findings.cvs[1 - j].score, 1e-6);
  }
  EXPECT_LT((model::dc_gain(a.model) - model::dc_gain(b.model)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Arx, ReadsTrainBlocksOnly) {
  math::Random random(4);
  const Matrix x = TwoByTwo::run(1200, 26, random);
  auto d = record_dataset(x, "uuyy");
  const IdentifyResult clean = identify_arx(d);
  d.runs[0].values.bottomRows(600).setConstant(1e6);
  d.runs[0].values(700, 0) = std::nan("");
  const IdentifyResult poisoned = identify_arx(d);
  EXPECT_EQ(clean.model.A, poisoned.model.A);
  EXPECT_EQ(clean.model.B, poisoned.model.B);
  EXPECT_EQ(clean.model.f, poisoned.model.f);
  EXPECT_EQ(clean.model.u0, poisoned.model.u0);
  EXPECT_EQ(to_json(clean.findings).dump(), to_json(poisoned.findings).dump());
}

TEST(Arx, SameDataGiveTheSameBytes) {
  math::Random random(4);
  const auto d = train_dataset({TwoByTwo::run(900, 20, random)}, "uuyy");
  const IdentifyResult a = identify_arx(d), b = identify_arx(d);
  EXPECT_EQ(a.model.A, b.model.A);
  EXPECT_EQ(a.model.S, b.model.S);
  EXPECT_EQ(to_json(a.findings).dump(), to_json(b.findings).dump());
}

TEST(Arx, GapsAndFilledValuesAreNotRegressed) {
  math::Random random(6);
  const Vector u = random_steps(1500, 5, random);
  Matrix x = joined(u, first_order(u, 2, 0.8, 4));
  for (Index t = 50; t < 1500; t += 170) x(t, 1) = std::nan("");
  x.block(400, 0, 6, 1).setConstant(std::nan(""));
  auto d = train_dataset({x}, "uy");
  for (Index t = 100; t < 1500; t += 90) {
    if (d.runs[0].mask(t, 1) == 0) continue;
    d.runs[0].mask(t, 1) = 2;        // filled: not a target, yet a regressor
    d.runs[0].values(t, 1) += 1e-9;  // near enough to the truth as a regressor
  }
  const IdentifyResult r = identify_arx(d);
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 4);
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 2, 1e-3);
  EXPECT_LT(r.findings.cvs.at(0).rows, 1500 - 15);
}

TEST(Arx, RunsAreNotJoined) {
  // Every run starts from rest: a row across a border would see a jump that no input made.
  math::Random random(8);
  std::vector<Matrix> runs;
  for (int i = 0; i < 5; ++i) {
    const Vector u = random_steps(200, 5, random, 1 + i);
    runs.push_back(joined(u, first_order(u, 2, 0.8, 2)));
  }
  const IdentifyResult r = identify_arx(train_dataset(runs, "uy"));
  EXPECT_NEAR(model::dc_gain(r.model)(0, 0), 2, 1e-4);
  EXPECT_EQ(r.findings.cvs.at(0).rows, 5 * (200 - 2)) << "each run spends its own lags";
}

TEST(Arx, IntegratedDisturbanceChoosesTheDifferencedForm) {
  math::Random random(9);
  const Index n = 1500;
  const Vector u = random_steps(n, 8, random);
  Vector y = Vector::Zero(n);
  double walk = 0, plant = 0;
  for (Index t = 1; t < n; ++t) {
    plant = 0.9 * plant + (t >= 3 ? 0.2 * u(t - 3) : 0);
    walk += 0.05 * random.normal();
    y(t) = plant + walk;
  }
  const IdentifyResult r = identify_arx(train_dataset({joined(u, y)}, "uy"));
  EXPECT_TRUE(r.findings.cvs.at(0).differenced);
  EXPECT_EQ(r.model.disturbance_states, 1);
  EXPECT_EQ(r.findings.dead_times.at(0).steps, 3);
  EXPECT_NEAR(*answer(r, "u1", "y1").gain, 2, 0.3);
  EXPECT_LT(model::spectral_radius(r.model), 0.99) << "the unit root is not a pole of the plant";
}

TEST(Arx, DeclaredLevelIsAnIntegrator) {
  math::Random random(10);
  const Index n = 1500;
  const Vector u = random_steps(n, 8, random);
  Vector y = Vector::Zero(n);
  for (Index t = 4; t < n; ++t) y(t) = y(t - 1) + 0.1 * u(t - 4);
  for (Index t = 0; t < n; ++t) y(t) += 0.01 * random.normal();
  auto d = train_dataset({joined(u, y)}, "uy");
  d.spec.variables[1].integrating = true;
  const IdentifyResult r = identify_arx(d);
  EXPECT_EQ(r.model.integrators, 1);
  EXPECT_EQ(r.horizon, 60);
  EXPECT_FALSE(answer(r, "u1", "y1").gain.has_value()) << "a level has no steady state";
  const Matrix s = model::step_response(r.model, 0, 60);
  EXPECT_NEAR(s(59, 0) - s(49, 0), 1.0, 0.1) << "0.1 a step";
  EXPECT_LT(model::spectral_radius(r.model), 1 - 1e-6);
}

TEST(Arx, TooShortIsNamedAndNeverCrashes) {
  math::Random random(11);
  const Vector u = random_steps(400, 2, random);
  const Matrix x = joined(u, first_order(u, 5, 0.5, 2));
  for (Index rows = 1; rows < 60; ++rows) {
    try {
      const IdentifyResult r = identify_arx(train_dataset({x.topRows(rows)}, "uy"));
      EXPECT_LT(model::spectral_radius(r.model), 1);
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == "DATA_TOO_SHORT" || e.code() == "MODEL_UNSTABLE") << e.what();
    }
  }
  EXPECT_ERROR(identify_arx(train_dataset({x.topRows(2)}, "uy")), "DATA_TOO_SHORT");
  const IdentifyResult r = identify_arx(train_dataset({x.topRows(120)}, "uy"));
  EXPECT_TRUE(r.findings.cvs.at(0).folds > 0 || warned(r, "FOLDS_TOO_FEW"));
}

TEST(Arx, EmptyTrainPartIsNamed) {
  auto d = train_dataset({Matrix::Random(50, 2)}, "uy");
  d.blocks[0].split = Part::test;
  EXPECT_ERROR(identify_arx(d), "TRAIN_PART_EMPTY");
}

TEST(Arx, StopsWhenAsked) {
  math::Random random(12);
  std::stop_source source;
  source.request_stop();
  EXPECT_ERROR(identify_arx(train_dataset({TwoByTwo::run(900, 26, random)}, "uuyy"), {}, {},
                            source.get_token()),
               "CANCELLED");
}

TEST(Arx, ProgressRisesToOne) {
  math::Random random(12);
  double last = 0;
  identify_arx(train_dataset({TwoByTwo::run(600, 26, random)}, "uuyy"), {}, [&](const Progress& p) {
    EXPECT_EQ(p.stage, "identify");
    EXPECT_GE(p.fraction, last);
    last = p.fraction;
  });
  EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace flyball::identify
