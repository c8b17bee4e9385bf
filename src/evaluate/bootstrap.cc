#include "evaluate/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "evaluate/metrics.h"
#include "math/random.h"

namespace flyball::evaluate {
namespace {

constexpr Index kFewest = 12;

/// Running sums of squared errors of a part, so that a block's sum is a difference.
class Part {
 public:
  Part(const std::vector<BlockResiduals>& residuals, std::size_t outputs) : sums_(outputs) {
    for (auto& s : sums_) s.push_back(0);
    for (const BlockResiduals& block : residuals) {
      for (Index row = 0; row < block.errors.rows(); ++row) {
        if (std::isnan(block.errors(row, 0))) continue;
        for (std::size_t j = 0; j < outputs; ++j) {
          const double e = block.errors(row, static_cast<Index>(j));
          sums_[j].push_back(sums_[j].back() + e * e);
        }
      }
    }
  }
  [[nodiscard]] Index size() const { return static_cast<Index>(sums_.front().size()) - 1; }

  double draw(Index block_limit, const std::vector<double>& std, math::Random& random) const {
    const Index n = size();
    const Index block = std::clamp<Index>(block_limit, 1, n / 3);
    const Index blocks = (n + block - 1) / block;
    std::vector<double> squares(sums_.size(), 0);
    for (Index b = 0; b < blocks; ++b) {
      const auto start = static_cast<std::size_t>(random.index(n - block + 1));
      const std::size_t end = start + static_cast<std::size_t>(block);
      for (std::size_t j = 0; j < sums_.size(); ++j) squares[j] += sums_[j][end] - sums_[j][start];
    }
    const auto count = static_cast<double>(blocks * block);
    std::vector<double> values;
    for (std::size_t j = 0; j < sums_.size(); ++j) {
      values.push_back(nrmse(std::sqrt(std::max(0.0, squares[j]) / count), std[j]));
    }
    return mean_or_nan(values);
  }

 private:
  std::vector<std::vector<double>> sums_;  ///< [cv][i]: Σ of the first i squares
};

}  // namespace

std::optional<ConfidenceInterval> bootstrap(
    const std::vector<BlockResiduals>& val, const std::vector<BlockResiduals>& test,
    const std::vector<double>& train_std, const BootstrapOptions& options,
    const std::function<double(double, double)>& statistic) {
  if (train_std.empty()) return std::nullopt;
  const Part val_part(val, train_std.size()), test_part(test, train_std.size());
  if (val_part.size() < kFewest || test_part.size() < kFewest) return std::nullopt;
  math::Random random(options.seed);
  std::vector<double> values;
  for (int i = 0; i < options.draws; ++i) {
    const double v = val_part.draw(options.block_steps, train_std, random);
    const double t = test_part.draw(options.block_steps, train_std, random);
    const double s = statistic(v, t);
    if (!std::isfinite(s)) return std::nullopt;
    values.push_back(s);
  }
  std::ranges::sort(values);
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return ConfidenceInterval{at(0.025), at(0.975)};
}

}  // namespace flyball::evaluate
