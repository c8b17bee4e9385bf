#include "testbed/signals.h"

#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace flyball::testbed {
namespace {

/// Exponents of primitive polynomials x^n + x^m + 1 over GF(2), by n; 8 needs two more taps.
constexpr std::array<std::array<int, 4>, 12> kTaps{
    {{}, {}, {}, {3, 2}, {4, 3}, {5, 3}, {6, 5}, {7, 6}, {8, 6, 5, 4}, {9, 5}, {10, 7}, {11, 9}}};

std::vector<int> maximum_length_sequence(int bits) {
  const int period = (1 << bits) - 1;
  std::vector<int> out;
  int state = 1;
  for (int i = 0; i < period; ++i) {
    out.push_back(state & 1);
    int feedback = 0;
    for (const int tap : kTaps[static_cast<std::size_t>(bits)]) {
      if (tap > 0) feedback ^= state >> (bits - tap);
    }
    state = (state >> 1) | ((feedback & 1) << (bits - 1));
  }
  return out;
}

}  // namespace

Matrix gbn(Index steps, Index inputs, double mean_switch_steps, double amplitude,
           math::Random& random) {
  Matrix u(steps, inputs);
  for (Index i = 0; i < inputs; ++i) {
    double level = random.uniform() < 0.5 ? -amplitude : amplitude;
    for (Index t = 0; t < steps; ++t) {
      if (random.uniform() * mean_switch_steps < 1) level = -level;
      u(t, i) = level;
    }
  }
  return u;
}

Matrix prbs(Index steps, Index inputs, int bits, Index hold, double amplitude) {
  assert(bits >= 3 && bits <= 11);
  const std::vector<int> sequence = maximum_length_sequence(bits);
  const auto period = static_cast<Index>(sequence.size());
  Matrix u(steps, inputs);
  for (Index i = 0; i < inputs; ++i) {
    for (Index t = 0; t < steps; ++t) {
      const Index bit = (t / hold + i * period / inputs) % period;
      u(t, i) = sequence[static_cast<std::size_t>(bit)] == 1 ? amplitude : -amplitude;
    }
  }
  return u;
}

Matrix staircase(Index steps, Index inputs, Index hold, double amplitude, math::Random& random) {
  Matrix u(steps, inputs);
  for (Index i = 0; i < inputs; ++i) {
    for (Index t = 0; t < steps; ++t) {
      u(t, i) = t % hold == 0 ? random.uniform(-amplitude, amplitude) : u(t - 1, i);
    }
  }
  return u;
}

void add_noise(Matrix& y, double snr_db, math::Random& random) {
  const auto n = static_cast<double>(y.rows());
  for (Index i = 0; i < y.cols(); ++i) {
    const double variance = (y.col(i).array() - y.col(i).mean()).square().sum() / n;
    const double sigma = std::sqrt(variance) * std::pow(10.0, -snr_db / 20);
    for (Index t = 0; t < y.rows(); ++t) y(t, i) += sigma * random.normal();
  }
}

}  // namespace flyball::testbed
