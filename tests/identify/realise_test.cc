#include "identify/realise.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "model/simulate.h"

namespace flyball::identify {
namespace {

TrainingData plain(Index nu, Index ny) {
  TrainingData d;
  for (Index m = 0; m < nu; ++m) d.inputs.push_back("u" + std::to_string(m));
  for (Index j = 0; j < ny; ++j) d.outputs.push_back("y" + std::to_string(j));
  d.n_mv = nu;
  d.mean = Vector::LinSpaced(nu + ny, 1, 2);
  d.std = Vector::LinSpaced(nu + ny, 0.5, 3);
  d.low = -Vector::Ones(nu + ny);
  d.high = Vector::Ones(nu + ny);
  return d;
}

Arx some_arx(Index na, Index nb, Index nk, Index nu, bool integrating, bool differenced) {
  math::Random random(static_cast<std::uint32_t>(100 * na + 10 * nb + nk));
  Arx arx;
  arx.structure = {na, nb, {}};
  for (Index m = 0; m < nu; ++m) arx.structure.inputs.push_back({m, nk + m});
  arx.theta.resize(arx.structure.parameters());
  for (Index i = 0; i < arx.theta.size(); ++i) arx.theta(i) = random.uniform(-1, 1);
  arx.theta.tail(na) *= 0.9 / static_cast<double>(na);  // Σ|a| < 1 is stable
  arx.constant = differenced ? 0 : 0.3;
  arx.integrating = integrating;
  arx.differenced = differenced;
  return arx;
}

/// The ARX equation itself, in model units, from y measured up to t0.
Vector direct(const Arx& arx, const TrainingData& d, const model::Record& r, Index t0,
              Index steps) {
  const Index rows = r.u.rows();
  const int roots = (arx.integrating ? 1 : 0) + (arx.differenced ? 1 : 0);
  Vector y = (r.y.col(0).array() - d.mean(d.nu())) / d.std(d.nu());
  const auto u = [&](Index m, Index t) { return (r.u(t, m) - d.mean(m)) / d.std(m); };
  const auto input = [&](Index m, Index t) {
    return arx.differenced ? u(m, t) - u(m, t - 1) : u(m, t);
  };
  const auto output = [&](Index t) {
    if (roots == 0) return y(t);
    if (roots == 1) return y(t) - y(t - 1);
    return y(t) - 2 * y(t - 1) + y(t - 2);
  };
  for (Index t = t0; t < std::min(rows, t0 + steps); ++t) {
    double z = arx.constant;
    for (Index i = 1; i <= arx.structure.na; ++i) z += arx.a()(i - 1) * output(t - i);
    for (std::size_t m = 0; m < arx.structure.inputs.size(); ++m) {
      const auto& in = arx.structure.inputs[m];
      for (Index k = 0; k < arx.structure.nb; ++k) {
        z += arx.b(static_cast<Index>(m))(k) * input(in.input, t - in.first_lag - k);
      }
    }
    y(t) = z + (roots == 0 ? 0 : roots == 1 ? y(t - 1) : 2 * y(t - 1) - y(t - 2));
  }
  return (y.segment(t0, steps) * d.std(d.nu())).array() + d.mean(d.nu());
}

TEST(Realise, RolloutEqualsTheArxEquationForEveryOrderAndDelay) {
  math::Random random(7);
  for (const bool integrating : {false, true}) {
    for (const bool differenced : {false, true}) {
      for (Index na : {1, 2, 3, 5}) {
        for (Index nb : {1, 2, 3, 6}) {
          for (Index nk : {0, 1, 2, 7}) {
            const TrainingData d = plain(2, 1);
            const Arx arx = some_arx(na, nb, nk, 2, integrating, differenced);
            model::Record r{Matrix(60, 2), Matrix(60, 1)};
            for (Index i = 0; i < 120; ++i) r.u.data()[i] = random.normal();
            for (Index i = 0; i < 60; ++i) r.y(i, 0) = random.normal();
            const model::LinearStateSpace m = realise({arx}, d, Matrix::Identity(1, 1));
            model::check(m);
            model::Simulator s(m);
            Matrix out(15, 1);
            s.start(r, 40, 35);
            s.rollout(r, 40, 35, 15, model::Future::measured, out);
            const Vector expected = direct(arx, d, r, 40, 15);
            EXPECT_LT((out - expected).cwiseAbs().maxCoeff(),
                      1e-9 * (1 + expected.cwiseAbs().maxCoeff()))
                << "na " << na << " nb " << nb << " nk " << nk << " " << integrating << differenced;
          }
        }
      }
    }
  }
}

TEST(Realise, StepResponseEqualsTheArxEquationTo1em12) {
  for (Index na : {1, 3, 4}) {
    for (Index nb : {1, 2, 3, 6}) {
      for (Index nk : {0, 1, 4}) {
        const TrainingData d = plain(1, 1);
        const Arx arx = some_arx(na, nb, nk, 1, false, false);
        const model::LinearStateSpace m = realise({arx}, d, Matrix::Identity(1, 1));
        const Vector expected = step_response(arx, 0, 40) * (d.std(1) / d.std(0));
        EXPECT_LT((model::step_response(m, 0, 40).col(0) - expected).cwiseAbs().maxCoeff(), 1e-12);
        EXPECT_NEAR(model::dc_gain(m)(0, 0), gain(arx, 0) * d.std(1) / d.std(0), 1e-10);
      }
    }
  }
}

TEST(Realise, DeadTimeCostsNoState) {
  const TrainingData d = plain(1, 1);
  EXPECT_EQ(realise({some_arx(3, 2, 50, 1, false, false)}, d, Matrix::Identity(1, 1)).states(), 3);
}

TEST(Realise, UnitRootsAreExactAndOutOfTheRadius) {
  const TrainingData d = plain(1, 1);
  const model::LinearStateSpace m =
      realise({some_arx(2, 2, 1, 1, true, true)}, d, Matrix::Identity(1, 1));
  EXPECT_EQ(m.integrators, 1);
  EXPECT_EQ(m.disturbance_states, 1);
  EXPECT_EQ(m.A(m.states() - 1, m.states() - 1), 1);
  EXPECT_EQ(m.B.row(m.states() - 1).norm(), 0) << "no input reaches the disturbance";
  EXPECT_LT(model::spectral_radius(m), 1);
}

TEST(Realise, ChannelsAreSharedBetweenCvs) {
  const TrainingData d = plain(2, 2);
  const Arx a = some_arx(2, 2, 3, 2, false, false);
  const Arx b = some_arx(1, 3, 3, 2, false, false);
  const model::LinearStateSpace m = realise({a, b}, d, Matrix::Identity(2, 2));
  EXPECT_EQ(m.channels.size(), 2U);
  EXPECT_EQ(m.states(), 2 + 3);
}

}  // namespace
}  // namespace flyball::identify
