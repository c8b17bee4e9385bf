#include "dataset/normalise.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flyball::dataset {

Norm normalise(const Dataset& dataset) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const auto train = dataset.part(Part::train);
  Norm norm;
  for (std::size_t c = 0; c < dataset.spec.variables.size(); ++c) {
    const bool observed_only = dataset.spec.variables[c].role == Role::cv;
    const auto for_each_value = [&](const auto& f) {
      for (const Block* block : train) {
        const Series& run = dataset.run(block->run_id);
        for (Index i = block->first_step; i < block->first_step + block->steps; ++i) {
          const std::uint8_t m = run.mask(i, static_cast<Index>(c));
          if (m == 1 || (m == 2 && !observed_only)) f(run.values(i, static_cast<Index>(c)));
        }
      }
    };
    double n = 0, sum = 0, low = kNone, high = kNone;
    for_each_value([&](double x) {
      ++n;
      sum += x;
      low = x >= low ? low : x;
      high = x <= high ? high : x;
    });
    const double mean = sum / n;
    double squares = 0;
    for_each_value([&](double x) { squares += (x - mean) * (x - mean); });
    norm.mean.push_back(mean);
    norm.std.push_back(n > 1 ? std::sqrt(squares / (n - 1)) : kNone);
    norm.min.push_back(low);
    norm.max.push_back(high);
  }
  return norm;
}

}  // namespace flyball::dataset
