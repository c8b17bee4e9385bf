#include "model/polynomial_narx.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "model/narx_artifact.h"
#include "support/expect_error.h"

namespace flyball::model {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Random terms of two CVs and `inputs` inputs with unequal lags, the last input a DV.
PolynomialNarx random_model(Index inputs, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-0.25, 0.25);
  const auto whole = [&](Index from, Index to) {
    return from + static_cast<Index>(random() % static_cast<unsigned>(to - from + 1));
  };
  PolynomialNarx m;
  m.centre = Vector::LinSpaced(inputs + 2, -3, 40);
  m.scale = Vector::LinSpaced(inputs + 2, 0.5, 2);
  m.n_mv = std::max<Index>(inputs - 1, 1);
  for (Index j = 0; j < 2; ++j) {
    NarxOutput& out = m.outputs.emplace_back();
    out.low = m.centre(inputs + j) - 3;
    out.high = m.centre(inputs + j) + 3;
    out.terms.push_back({{}, real(random)});
    for (Index i = 0; i < inputs; ++i) {
      out.terms.push_back({{{i, whole(0, 7)}}, real(random)});
      out.terms.push_back({{{i, whole(0, 3)}, {inputs + 1 - j, whole(1, 4)}}, real(random)});
    }
    out.terms.push_back({{{inputs, whole(1, 5)}, {0, 2}, {inputs + 1, 1}}, real(random)});
    out.terms.push_back({{{inputs + j, 1}}, 0.6});
  }
  return m;
}

Record random_record(const PolynomialNarx& m, Index rows, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Record r{Matrix(rows, m.inputs()), Matrix(rows, m.output_count())};
  for (Index t = 0; t < rows; ++t) {
    for (Index i = 0; i < m.inputs(); ++i) r.u(t, i) = m.centre(i) + m.scale(i) * normal(random);
    for (Index j = 0; j < 2; ++j)
      r.y(t, j) = m.centre(m.inputs() + j) + m.scale(m.inputs() + j) * normal(random);
  }
  return r;
}

/// The definition, row by row, from a table of y that grows: nothing of the simulator.
Matrix by_definition(const PolynomialNarx& m, const Record& r, Index t, Index history, Index steps,
                     bool hold_dvs, Index* held = nullptr) {
  const Index first = t - history, nu = m.inputs();
  Matrix y = r.y.topRows(t + steps);
  y.bottomRows(steps).setConstant(kNan);
  Matrix out(steps, m.output_count());
  for (Index k = 0; k < steps; ++k) {
    for (Index j = 0; j < m.output_count(); ++j) {
      double sum = 0;
      for (const NarxTerm& term : m.outputs[static_cast<std::size_t>(j)].terms) {
        double product = term.coefficient;
        for (const NarxFactor& f : term.factors) {
          Index row = std::max(t + k - f.lag, first);
          if (f.signal < nu && f.signal >= m.n_mv && hold_dvs) row = std::min(row, t - 1);
          const double value = f.signal < nu ? r.u(row, f.signal) : y(row, f.signal - nu);
          product *= (value - m.centre(f.signal)) / m.scale(f.signal);
        }
        sum += product;
      }
      const NarxOutput& o = m.outputs[static_cast<std::size_t>(j)];
      const double free = m.centre(nu + j) + m.scale(nu + j) * sum;
      out(k, j) = std::min(std::max(free, o.low), o.high);
      if (held != nullptr && out(k, j) != free) ++*held;
    }
    y.row(t + k) = out.row(k);
  }
  return out;
}

TEST(PolynomialNarx, StepsAheadAreARepeatedSimulation) {
  for (Index inputs = 1; inputs <= 8; ++inputs) {
    const PolynomialNarx m = random_model(inputs, 100 + static_cast<unsigned>(inputs));
    Record r = random_record(m, 60, static_cast<unsigned>(inputs));
    NarxSimulator s(m);
    for (const auto& [future, hold] : {std::pair{Future::measured, false}, {Future::held, true}}) {
      Index expected_held = 0;
      const Matrix expected = by_definition(m, r, 30, 12, 20, hold, &expected_held);
      Record hidden = r;
      hidden.y.bottomRows(30).setConstant(kNan);  // a simulator that looks at y finds none
      Matrix out(20, 2), again(20, 2);
      s.start(hidden, 30, 12);
      EXPECT_EQ(s.rollout(hidden, 30, 12, 20, future, out), expected_held);
      s.rollout(hidden, 30, 12, 20, future, again);
      EXPECT_LT((out - expected).cwiseAbs().maxCoeff(), 1e-12) << inputs;
      EXPECT_EQ(out, again) << "a rollout keeps the state of start";
    }
    Matrix one(20, 2);
    s.start(r, 30, 12);
    s.one_step(r, 30, 12, 20, one);
    for (Index k = 0; k < 20; ++k) {
      const Matrix expected = by_definition(m, r, 30 + k, 12 + k, 1, false);
      EXPECT_LT((one.row(k) - expected).cwiseAbs().maxCoeff(), 1e-12);
    }
  }
}

TEST(PolynomialNarx, BoundsHoldWhatRunsAway) {
  PolynomialNarx m;
  m.centre = Vector::Zero(2);
  m.scale = Vector::Ones(2);
  m.n_mv = 1;
  m.outputs.push_back({{{{{1, 1}}, 1.5}, {{{0, 0}}, 1}}, -4, 5});
  const Record r{Matrix::Ones(40, 1), Matrix::Ones(40, 1)};
  NarxSimulator s(m);
  Matrix out(30, 1);
  s.start(r, 10, 10);
  EXPECT_GT(s.rollout(r, 10, 10, 30, Future::measured, out), 25);
  EXPECT_EQ(out.maxCoeff(), 5);
  m.outputs[0].terms[0].coefficient = 1e300;
  m.outputs[0].terms[0].factors = {{1, 1}, {1, 1}, {1, 1}};
  NarxSimulator wild(m);
  wild.start(r, 10, 10);
  wild.rollout(r, 10, 10, 30, Future::measured, out);
  EXPECT_TRUE(out.allFinite());
}

TEST(PolynomialNarx, AMissingYIsPredictedAndTheBeginningIsKept) {
  const PolynomialNarx m = random_model(2, 7);
  Record r = random_record(m, 40, 3);
  NarxSimulator s(m);
  Matrix with(5, 2), without(5, 2);
  Matrix at(1, 2);
  s.start(r, 19, 14);
  s.one_step(r, 19, 14, 1, at);
  Record gap = r, filled = r;
  gap.y(19, 0) = kNan;
  filled.y(19, 0) = at(0, 0);
  s.start(gap, 20, 15);
  s.rollout(gap, 20, 15, 5, Future::measured, with);
  s.start(filled, 20, 15);
  s.rollout(filled, 20, 15, 5, Future::measured, without);
  EXPECT_LT((with - without).cwiseAbs().maxCoeff(), 1e-12);
  r.y.setConstant(kNan);
  s.start(r, 20, 15);
  s.rollout(r, 20, 15, 5, Future::measured, with);
  EXPECT_TRUE(with.allFinite());
}

TEST(PolynomialNarx, RefusesWhatIsNoModel) {
  const PolynomialNarx good = random_model(2, 5);
  EXPECT_NO_THROW(check(good));
  const auto refused = [&](auto&& spoil, const char* code) {
    PolynomialNarx m = good;
    spoil(m);
    EXPECT_ERROR(check(m), code);
  };
  refused([](auto& m) { m.outputs[0].terms[0].factors = {{4, 0}}; }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.outputs[0].terms[0].factors = {{3, 0}}; }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.outputs[0].terms[0].factors = {{0, -1}}; }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.outputs[0].terms[0].factors.assign(4, {0, 1}); }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.scale(1) = 0; }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.outputs[1].low = m.outputs[1].high; }, "SHAPE_MISMATCH");
  refused([](auto& m) { m.outputs[1].terms[1].coefficient = kNan; }, "NOT_FINITE");
}

NarxArtifact some_artifact() {
  const PolynomialNarx m = random_model(2, 5);
  NarxArtifact a;
  a.dataset_sha256 = std::string(64, 'a');
  a.beat_ms = 80;
  a.history_steps = 30;
  a.horizon_steps = 10;
  a.variables = {{"U", "mv", "%", 1, 0.5, 0, 2},
                 {"W", "dv", "K", 2, 1, 0, 4},
                 {"Y1", "cv", "K", 10, 1, 8, 12},
                 {"Y2", "cv", "K", -4, 1, -6, -2}};
  pack(m, a);
  return a;
}

TEST(NarxArtifact, ModelComesBackBitForBitAndPredictsTheSame) {
  const PolynomialNarx m = random_model(2, 5);
  const PolynomialNarx back = unpack(read_narx_artifact(write_artifact(some_artifact())));
  const Record r = random_record(m, 40, 1);
  Matrix a(20, 2), b(20, 2);
  NarxSimulator first(m), second(back);
  first.start(r, 20, 10);
  second.start(r, 20, 10);
  first.rollout(r, 20, 10, 20, Future::measured, a);
  second.rollout(r, 20, 10, 20, Future::measured, b);
  EXPECT_EQ(a, b);
}

TEST(NarxArtifact, IsReadStrictly) {
  const std::string good = write_artifact(some_artifact());
  const auto changed = [&](auto&& change) {
    auto j = Json::parse(good);
    change(j);
    return j.dump();
  };
  EXPECT_ERROR(
      read_narx_artifact(changed([](Json& j) { j["outputs"][0]["terms"][0]["coefficient"] = 9; })),
      "ARTIFACT_INVALID");
  EXPECT_ERROR(read_narx_artifact(changed([](Json& j) { j["more"] = 1; })), "ARTIFACT_UNREADABLE");
  EXPECT_ERROR(read_narx_artifact(changed([](Json& j) { j.erase("artifactHash"); })),
               "ARTIFACT_INVALID");
  const auto rewritten = [&](auto&& change) {
    NarxArtifact a = some_artifact();
    change(a);
    return write_artifact(a);
  };
  EXPECT_ERROR(read_narx_artifact(
                   rewritten([](auto& a) { a.outputs[0].terms[1].factors[0].variable = "Z"; })),
               "ARTIFACT_INVALID");
  EXPECT_ERROR(read_narx_artifact(rewritten([](auto& a) { a.outputs.pop_back(); })),
               "ARTIFACT_INVALID");
  EXPECT_ERROR(
      read_narx_artifact(rewritten([](auto& a) { std::swap(a.variables[0], a.variables[2]); })),
      "ARTIFACT_INVALID");
  EXPECT_ERROR(
      read_narx_artifact(rewritten([](auto& a) { a.artifact_kind = "linear_state_space@1"; })),
      "ARTIFACT_INVALID");
}

}  // namespace
}  // namespace flyball::model
