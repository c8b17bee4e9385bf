#include "app/later_changes.h"

#include <algorithm>
#include <cmath>

namespace flyball::app {
namespace {

constexpr double kChange = 0.25, kErrors = 4, k95 = 1.96;
using evaluate::FreeRunFit;

const FreeRunFit* fit_of(const std::vector<FreeRunFit>& fits, const std::string& cv,
                         dataset::Part part) {
  const auto it = std::ranges::find_if(
      fits, [&](const FreeRunFit& f) { return f.cv == cv && f.block == part; });
  return it == fits.end() || !it->ratio || !it->ratio_std_error ? nullptr : &*it;
}

bool differs(const FreeRunFit& later, const FreeRunFit& train) {
  const double change = std::abs(*later.ratio - *train.ratio);
  return change > kErrors * std::hypot(*later.ratio_std_error, *train.ratio_std_error) &&
         change > kChange * std::max(std::abs(*later.ratio), std::abs(*train.ratio));
}

}  // namespace

std::vector<Message> later_changes(const identify::Findings& findings,
                                   const std::vector<FreeRunFit>& fits) {
  std::vector<Message> out;
  for (const identify::CvFinding& cv : findings.cvs) {
    const FreeRunFit* train = fit_of(fits, cv.cv, dataset::Part::train);
    if (train == nullptr || cv.integrating || cv.differenced) continue;
    for (const dataset::Part part : {dataset::Part::val, dataset::Part::test}) {
      const FreeRunFit* later = fit_of(fits, cv.cv, part);
      if (later == nullptr || !differs(*later, *train)) continue;
      const double error = k95 * *later->ratio_std_error;
      out.push_back({"GAIN_CHANGED_LATER",
                     {{"cv", cv.cv},
                      {"part", std::string(enum_name(part))},
                      {"ratio", *later->ratio},
                      {"low", *later->ratio - error},
                      {"high", *later->ratio + error},
                      {"train", *train->ratio}}});
      break;
    }
  }
  return out;
}

}  // namespace flyball::app
