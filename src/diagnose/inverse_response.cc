#include "diagnose/inverse_response.h"

#include <algorithm>
#include <cmath>

namespace flyball::diagnose {
namespace {

constexpr double k95 = 1.96;

}  // namespace

std::vector<InverseResponse> inverse_responses_of(const identify::Findings& findings) {
  std::vector<InverseResponse> out;
  for (const identify::StepResponse& s : findings.step_responses) {
    if (!s.gain || *s.gain == 0) continue;
    InverseResponse r;
    r.input = s.input;
    r.cv = s.cv;
    for (std::size_t k = 0; k < s.values.size(); ++k) {
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
