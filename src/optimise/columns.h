#pragma once
// Columns [H⁻¹a | Θ H⁻¹a | sums of H⁻¹a] of constraint rows, computed on first use and kept from
// solve to solve in a bounded store. The oldest that nobody holds makes room. noexcept, no
// allocation after the constructor.
#include <vector>

#include "optimise/condense.h"

namespace flyball::optimise {

class Columns {
 public:
  /// Room for at least `held` columns at once, and as many more as fit `bytes`. Columns of values
  /// are computed here, those of CV rows too where that takes a few milliseconds.
  Columns(const Condensed& model, Index held, Index bytes);

  /// The column of a row, held until release.
  const double* hold(const Condensed& model, Index row) noexcept;
  void release(const Condensed& model, Index row) noexcept;

  [[nodiscard]] Index computed() const noexcept { return computed_; }

 private:
  std::int32_t take_slot(Index row) noexcept;
  void fill(const Condensed& model);

  Index length_, slots_;
  Doubles store_;
  std::vector<std::int32_t> slot_of_, row_of_, holders_;
  Index next_ = 0, computed_ = 0;
};

}  // namespace flyball::optimise
