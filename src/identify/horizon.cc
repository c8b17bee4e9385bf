#include "identify/horizon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace flyball::identify {
namespace {

constexpr double kShare = 0.63;
constexpr std::array<Index, 3> kOrders{4, 2, 1};

}  // namespace

Index horizon_of(const std::vector<Arx>& cvs, const TrainingData& data) {
  Index slowest = -1;
  for (const Arx& cv : cvs) {
    if (cv.integrating || !roots_inside(cv.a(), 1)) return kHorizonMax;
    double largest = 0;
    Index main = -1;
    for (std::size_t i = 0; i < cv.structure.inputs.size(); ++i) {
      const Index m = cv.structure.inputs[i].input;
      const double effect =
          std::abs(gain(cv, static_cast<Index>(i))) * (data.high(m) - data.low(m)) / data.std(m);
      if (m < data.n_mv && effect > largest) {
        largest = effect;
        main = static_cast<Index>(i);
      }
    }
    if (main < 0) continue;
    const Index steps = steps_to_share(cv, main, kShare, kSteadyMax);
    if (steps < 0) return kHorizonMax;
    slowest = std::max(slowest, steps);
  }
  return slowest < 0 ? kHorizonMax : std::clamp(slowest, kHorizonMin, kHorizonMax);
}

Arx preliminary(const Regression& r, const std::vector<Structure::Input>& inputs, Index max_order) {
  Arx arx;
  for (const Index order : kOrders) {
    arx.structure = {std::min(order, max_order), std::min(order, max_order), inputs};
    const Index lag = arx.structure.max_lag();
    const Normal n =
        normal_of(r, gram_of(r, lag, {Interval{0, std::numeric_limits<Index>::max() / 2}}));
    const auto terms = arx.structure.terms(r.nu);
    arx.integrating = r.integrating;
    arx.theta = Vector::Zero(arx.structure.parameters());
    if (n.rows <= 2 * arx.structure.parameters()) continue;
    arx.theta = solve(n, terms, {r.nu, 0}, {.lambda = 1e-6}).theta;
    if (roots_inside(arx.a(), 1 - 1e-6)) break;
  }
  return arx;
}

}  // namespace flyball::identify
