#pragma once
// Stirred tank reactor with a parallel and a consecutive reaction, A → B → C and 2 A → D, and a
// cooled jacket. It is not linear: the rates follow Arrhenius.
//
//   cA' = F(cA0 − cA) − k1·cA − k3·cA²          T'  = F(T0 − T) + a(TK − T) + heat of the reactions
//   cB' = −F·cB + k1·cA − k2·cB                 TK' = (Q + kA(T − TK)) / (mK·CpK)
//
// F feed over volume [1/h], Q heat to the jacket [kJ/h], concentrations [mol/l], temperatures [°C].
// Rest: F = 14.19, Q = −1113.5. Source: Klatt and Engell, Rührkesselreaktor mit Parallel- und
// Folgereaktion, VDI-Berichte 1026 (1993); linear at rest it is nonlinearCstr of
// ../shared/data/mpc_benchmarks.
#include "math/types.h"
#include "model/linear_state_space.h"

namespace flyball::testbed {

class StirredReactor {
 public:
  static constexpr double kFeed = 14.19, kHeat = -1113.5;

  StirredReactor();  ///< at rest
  explicit StirredReactor(Vector state) : state_(std::move(state)) {}
  [[nodiscard]] const Vector& state() const { return state_; }  ///< cA, cB, T, TK
  /// Inputs held for so long; classical Runge-Kutta, steps of 2.5 s at most.
  void advance(double feed, double heat, double seconds);

 private:
  Vector state_;
};

/// The reactor at rest as a controller knows it: inputs feed [1/h] and heat [100 kJ/h], outputs
/// concentration of A [0.1 mol/l] and temperature [°C]. (That of B hardly answers to the feed
/// there: it is near its largest.) The linear model of one period by central differences.
model::LinearStateSpace linear_reactor(double period);

/// The same inputs and outputs of the machine itself.
struct ReactorLoop {
  StirredReactor reactor;
  double period = 75;
  Vector step(const Vector& u);
};

}  // namespace flyball::testbed
