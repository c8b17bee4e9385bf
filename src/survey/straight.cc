#include "survey/straight.h"

#include <algorithm>
#include <cmath>

namespace flyball::survey {
namespace {

constexpr double kSame = 2e-4, kMostlyLines = 0.5;
constexpr std::size_t kLineSamples = 5, kFewLines = 20;

bool continues(double before, double change) {
  return change != 0 && std::abs(change - before) <= kSame * std::abs(change);
}

}  // namespace

std::optional<StraightLines> find_straight_lines(const Signal& signal) {
  std::vector<double> lengths, slopes;
  for (const Signal::Run& run : signal.runs) {
    const std::span<const double> x = signal.values(run);
    for (std::size_t i = 1; i < x.size();) {
      const double change = x[i] - x[i - 1];
      std::size_t end = i + 1;
      while (end < x.size() && continues(x[end - 1] - x[end - 2], x[end] - x[end - 1])) ++end;
      const std::size_t samples = end - i + 1;
      if (change != 0 && samples >= kLineSamples) {
        lengths.push_back(static_cast<double>(samples - 1));
        slopes.push_back((x[end - 1] - x[i - 1]) / static_cast<double>(samples - 1));
      }
      i = end;
    }
  }
  if (lengths.size() < kFewLines) return {};
  StraightLines out;
  out.lines = std::ssize(lengths);
  double held = 0;
  for (const double n : lengths) held += n;
  out.share = held / static_cast<double>(signal.x.size());
  constexpr double kMiddle[] = {0.5};
  out.median_steps = static_cast<std::int64_t>(quantiles(lengths, kMiddle)[0]);
  std::ranges::sort(slopes);
  std::int64_t different = 1;
  for (std::size_t i = 1; i < slopes.size(); ++i) {
    if (!continues(slopes[i - 1], slopes[i])) ++different;
  }
  if (out.share < kMostlyLines || 2 * different < out.lines) return {};
  return out;
}

}  // namespace flyball::survey
