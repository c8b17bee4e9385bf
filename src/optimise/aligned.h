#pragma once
// A fixed block of doubles on a cache line, zero at first. What the hot loops of this room work on.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "math/types.h"

namespace flyball::optimise {

class Doubles {
 public:
  Doubles() = default;
  explicit Doubles(Index size) : size_(size) {
    const std::size_t bytes =
        (static_cast<std::size_t>(std::max<Index>(size, 1)) * sizeof(double) + 63) / 64 * 64;
    data_.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
    if (!data_) throw std::bad_alloc();
    std::fill_n(data_.get(), size, 0.0);
  }
  Doubles(const Doubles& other) : Doubles(other.size_) { std::copy_n(other.data(), size_, data()); }
  Doubles& operator=(const Doubles& other) { return *this = Doubles(other); }
  Doubles(Doubles&&) noexcept = default;
  Doubles& operator=(Doubles&&) noexcept = default;

  [[nodiscard]] double* data() noexcept { return data_.get(); }
  [[nodiscard]] const double* data() const noexcept { return data_.get(); }
  [[nodiscard]] Index size() const noexcept { return size_; }
  double& operator[](Index i) noexcept { return data_.get()[i]; }
  const double& operator[](Index i) const noexcept { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(double* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<double[], Free> data_;
  Index size_ = 0;
};

/// The next multiple of 4.
constexpr Index padded(Index n) {
  return (n + 3) / 4 * 4;
}

}  // namespace flyball::optimise
