#pragma once
// The spike rule of the reference system, for its datasets only: it deletes steps of quantised and
// resting signals (decisions.md §2). x_i is dropped when |x_i − med_i| > 3·1.4826·MAD_i, med_i and
// MAD_i (at least 1e-12) over the samples i−k..i+k that exist, of the series as it was.
#include <cstdint>
#include <span>
#include <vector>

namespace flyball::dataset {

/// Indices that are dropped, ascending; none when x has at most 2k+2 samples. x finite.
/// O(n·k·log²k), vectorised up to k = 16.
std::vector<std::size_t> v1_spikes(std::span<const double> x, std::int64_t k);

}  // namespace flyball::dataset
