#pragma once
// One path from an input to an output of a plant in continuous time, stepped exactly.
//
//   first order   τ₁ ẋ₁ = u(t−θ) − x₁                     y = K x₁
//   second order  τ₁ ẋ₁ = u(t−θ) − x₁,  τ₂ ẋ₂ = x₁ − x₂    y = K x₂     (τ₂ > 0)
//   integrator    ẏ = K u(t−θ)                             (integrating; τ₁, τ₂ unused)
//
// u is held between samples. Times in seconds.
#include <cstdint>
#include <vector>

namespace flyball::testbed {

struct ChannelSpec {
  double gain = 0;  ///< K; 0: no path
  double tau1 = 1, tau2 = 0;
  double dead_time = 0;  ///< θ ≥ 0
  bool integrating = false;

  /// First k at which y(t) answers u(t−k): ⌊θ/period⌋ + 1.
  [[nodiscard]] std::int64_t dead_steps(double period) const;
};

/// The state of one channel; starts at rest with u = 0.
class Channel {
 public:
  Channel(const ChannelSpec& spec, double period);

  [[nodiscard]] double output() const;
  /// Moves one period on with the input that is held from now.
  void advance(double u);

 private:
  void flow(double u, double seconds);

  ChannelSpec spec_;
  double period_;
  double fraction_;              ///< of the period that the older input still lasts, seconds
  std::vector<double> waiting_;  ///< inputs on their way, a ring
  std::size_t next_ = 0;
  double x1_ = 0, x2_ = 0;
};

}  // namespace flyball::testbed
