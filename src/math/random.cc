#include "math/random.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace flyball::math {

double Random::uniform() noexcept {
  state_ += 0x6D2B79F5U;
  std::uint32_t t = (state_ ^ (state_ >> 15)) * (1U | state_);
  t ^= t + (t ^ (t >> 7)) * (61U | t);
  return static_cast<double>(t ^ (t >> 14)) / 4294967296.0;
}

double Random::normal() noexcept {
  if (spare_) {
    const double value = *spare_;
    spare_.reset();
    return value;
  }
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

std::int64_t Random::index(std::int64_t n) noexcept {
  return static_cast<std::int64_t>(uniform() * static_cast<double>(n));
}

void shuffle(std::span<std::int64_t> values, Random& random) noexcept {
  for (std::size_t i = values.size(); i-- > 1;) {
    const auto j = static_cast<std::size_t>(random.index(static_cast<std::int64_t>(i) + 1));
    std::swap(values[i], values[j]);
  }
}

}  // namespace flyball::math
