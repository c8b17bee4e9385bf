#include "optimise/columns.h"

#include "optimise/kernels.h"

namespace flyball::optimise {
namespace {

constexpr Index kFillCost = 30'000'000;  ///< products

}  // namespace

Columns::Columns(const Condensed& model, Index held, Index bytes)
    : length_(model.shape().length()) {
  const Index fit = bytes / (length_ * static_cast<Index>(sizeof(double)));
  slots_ = std::min(std::max(held, fit), length_);
  store_ = Doubles(slots_ * length_);
  slot_of_.assign(static_cast<std::size_t>(length_), -1);
  row_of_.assign(static_cast<std::size_t>(slots_), -1);
  holders_.assign(static_cast<std::size_t>(slots_), 0);
  fill(model);
}

std::int32_t Columns::take_slot(Index row) noexcept {
  while (holders_[static_cast<std::size_t>(next_)] > 0) next_ = (next_ + 1) % slots_;
  const auto at = static_cast<std::size_t>(next_);
  if (row_of_[at] >= 0) slot_of_[static_cast<std::size_t>(row_of_[at])] = -1;
  row_of_[at] = static_cast<std::int32_t>(row);
  slot_of_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(next_);
  next_ = (next_ + 1) % slots_;
  return slot_of_[static_cast<std::size_t>(row)];
}

void Columns::fill(const Condensed& model) {
  const Shape& s = model.shape();
  if (model.kept(0) == nullptr || slots_ < s.n) return;
  for (Index p = 0; p < s.n; ++p) {  // sums of the columns of moves
    double* out = store_.data() + take_slot(s.u_at() + p) * length_;
    if (p >= s.mvs) std::copy_n(out - s.mvs * length_, length_, out);
    add_column(model.kept(p), 1.0, length_, out);
  }
  if (s.rows * s.rows * s.n > kFillCost || slots_ < s.n + s.rows) return;
  for (Index r = 0; r < s.rows; ++r)
    model.column(s.y_at() + r, store_.data() + take_slot(s.y_at() + r) * length_);
}

const double* Columns::hold(const Condensed& model, Index row) noexcept {
  if (const double* kept = model.kept(row)) return kept;
  std::int32_t slot = slot_of_[static_cast<std::size_t>(row)];
  if (slot < 0) {
    slot = take_slot(row);
    model.column(row, store_.data() + slot * length_);
    ++computed_;
  }
  ++holders_[static_cast<std::size_t>(slot)];
  return store_.data() + slot * length_;
}

void Columns::release(const Condensed& model, Index row) noexcept {
  if (model.kept(row) != nullptr) return;
  --holders_[static_cast<std::size_t>(slot_of_[static_cast<std::size_t>(row)])];
}

}  // namespace flyball::optimise
