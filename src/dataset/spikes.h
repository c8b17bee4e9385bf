#pragma once
// The spike rule (decisions.md §2, Cleaning and causality). x_i is suspect when
//   |x_i − med_i| > 5·s_i,  s_i = max(1.4826·MAD_i, 1.4826·median|Δx|, quantum)
// med_i and MAD_i over the window of 2k+1 samples around i (moved inwards at the ends of the run),
// median|Δx| over the run. A spike is an excursion (suspects in a row on one side of their
// medians) of at most 2 samples that is seen to begin and to end inside the run. So a step, a
// binary test signal and a first-order response pass; a resting or quantised signal, whose MAD is
// 0, is not emptied.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace flyball::dataset {

/// Indices of spikes, ascending; none when x has at most 2k+2 samples. x finite. O(n) for signals
/// that stay near their medians; a sample that may be suspect costs O(k).
std::vector<std::size_t> find_spikes(std::span<const double> x, std::int64_t k,
                                     std::optional<double> resolution);

}  // namespace flyball::dataset
