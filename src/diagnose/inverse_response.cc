#include "diagnose/inverse_response.h"

#include <algorithm>
#include <cmath>

namespace flyball::diagnose {
namespace {

constexpr double k95 = 1.96;
constexpr double kSwing = 0.1;       ///< of the gain: a departure that counts
constexpr double kGainLeast = 0.05;  ///< of the largest answer: less is no gain

/// Steps before the answer first goes the way of the gain.
std::size_t wrong_way(const std::vector<double>& h, double gain) {
  return static_cast<std::size_t>(
      std::ranges::find_if(h, [&](double v) { return v / gain > kInverseLeast; }) - h.begin());
}

/// After the gain is first reached the answer leaves it again, over and under it.
bool rings(const std::vector<double>& h, double gain) {
  int swings = 0;
  int side = -1;  // of the last swing: −1 below the gain
  for (const double v : h) {
    const double away = v / gain - 1;
    if (side * away > -kSwing) continue;
    side = -side;
    ++swings;
  }
  return swings > 1;
}

bool has_gain(const identify::StepResponse& s) {
  if (!s.gain || !s.gain_std_error) return false;
  double largest = 0;
  for (const double v : s.values) largest = std::max(largest, std::abs(v));
  return std::abs(*s.gain) > std::max(k95 * *s.gain_std_error, kGainLeast * largest);
}

}  // namespace

std::vector<InverseResponse> inverse_responses_of(const identify::Findings& findings) {
  std::vector<InverseResponse> out;
  for (const identify::StepResponse& s : findings.step_responses) {
    if (!has_gain(s) || rings(s.values, *s.gain)) continue;
    InverseResponse r;
    r.input = s.input;
    r.cv = s.cv;
    const std::size_t end = wrong_way(s.values, *s.gain);
    if (end == s.values.size()) continue;
    for (std::size_t k = 0; k < end; ++k) {
      const double share = -s.values[k] / *s.gain;
      if (!(share > r.share)) continue;
      const double error = k95 * s.standard_errors[k] / std::abs(*s.gain);
      r.share = share;
      r.low = std::max(0.0, share - error);
      r.high = share + error;
      r.at = static_cast<std::int64_t>(k);
      r.certain = share > error;
    }
    if (r.share >= kInverseLeast) out.push_back(std::move(r));
  }
  return out;
}

}  // namespace flyball::diagnose
