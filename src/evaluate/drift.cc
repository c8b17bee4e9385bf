#include "evaluate/drift.h"

#include <cmath>
#include <set>

#include "core/error.h"

namespace flyball::evaluate {
namespace {

CvDrift drift_of(const std::string& cv, const std::optional<double>& test,
                 const std::vector<ReplayedPrediction>& since, std::size_t j) {
  const auto n = static_cast<double>(since.size());
  double mean = 0, level = 0, spread = 0;
  for (const ReplayedPrediction& p : since) {
    mean += p.rmse[j] * p.rmse[j] / n;
    level += p.level[j] / n;
  }
  for (const ReplayedPrediction& p : since) {
    const double off = p.rmse[j] * p.rmse[j] - mean;
    spread += off * off / (n - 1);
  }
  CvDrift out;
  out.cv = cv;
  out.test = test;
  if (since.empty()) return out;
  out.now = std::sqrt(mean);
  out.level_shift = level;
  if (!test || !(*test > 0) || n < 2) return out;
  out.ratio = *out.now / *test;
  out.ratio_low = std::sqrt(std::max(0.0, mean - 2 * std::sqrt(spread / n))) / *test;
  return out;
}

}  // namespace

Drift judge_drift(const std::vector<std::string>& cvs,
                  const std::vector<std::optional<double>>& test,
                  const std::vector<ReplayedPrediction>& since) {
  Drift out;
  out.windows = std::ssize(since);
  std::set<std::string> runs;
  double far = 0;
  for (const ReplayedPrediction& p : since) {
    runs.insert(p.run_id);
    far += p.distance > kFar ? 1 : 0;
  }
  out.runs = std::ssize(runs);
  for (std::size_t j = 0; j < cvs.size(); ++j)
    out.cvs.push_back(drift_of(cvs[j], j < test.size() ? test[j] : std::nullopt, since, j));
  if (!since.empty()) out.far_share = far / static_cast<double>(since.size());
  const auto say = [&](const Message& m) { out.reasons.push_back(m.text()); };
  if (out.windows < kDriftWindows) {
    say({"DRIFT_FEW", {{"count", out.windows}, {"limit", kDriftWindows}}});
    return out;
  }
  for (const CvDrift& c : out.cvs) {
    if (c.ratio && *c.ratio > 1 + kDriftError && *c.ratio_low > 1)
      say({"DRIFT_ERROR",
           {{"cv", c.cv}, {"ratio", *c.ratio}, {"low", *c.ratio_low}, {"windows", out.windows}}});
  }
  if (*out.far_share > kDriftShare)
    say({"DRIFT_INPUTS", {{"share", 100 * *out.far_share, "%"}, {"windows", out.windows}}});
  out.verdict = out.reasons.empty() ? DriftVerdict::steady : DriftVerdict::drift;
  return out;
}

}  // namespace flyball::evaluate
