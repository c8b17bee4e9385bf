#include "advise/outcome.h"

#include <algorithm>
#include <cmath>

namespace flyball::advise {
namespace {

constexpr std::int64_t kFewest = 5;

struct Window {
  std::int64_t n = 0;
  double mean = 0, variance_of_mean = 0;
};

Window window(std::span<const double> values) {
  Window out;
  double sum = 0;
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    sum += v;
    ++out.n;
  }
  if (out.n == 0) return out;
  out.mean = sum / static_cast<double>(out.n);
  double squares = 0, neighbours = 0, last = std::nan("");
  for (const double v : values) {
    const double d = v - out.mean;
    if (std::isfinite(d)) squares += d * d;
    if (std::isfinite(d) && std::isfinite(last)) neighbours += d * last;
    last = d;
  }
  if (out.n < 2) return out;
  const double rho = squares > 0 ? std::clamp(neighbours / squares, 0.0, 0.99) : 0;
  const auto n = static_cast<double>(out.n);
  out.variance_of_mean = squares / (n - 1) / n * (1 + rho) / (1 - rho);
  return out;
}

}  // namespace

ObservedChange observed_change(const std::string& var_id, std::span<const double> before,
                               std::span<const double> after) {
  const Window b = window(before), a = window(after);
  const double half = 1.96 * std::sqrt(b.variance_of_mean + a.variance_of_mean);
  ObservedChange out;
  out.var_id = var_id;
  out.before = b.mean;
  out.after = a.mean;
  out.delta = a.mean - b.mean;
  out.low = out.delta - half;
  out.high = out.delta + half;
  out.samples_before = b.n;
  out.samples_after = a.n;
  return out;
}

double loss(const optimise::CvTerm& cv, double mean) {
  const double s = cv.train.std;
  const double low = cv.soft_min.value_or(mean), high = cv.soft_max.value_or(mean);
  const double outside = std::max({0.0, low - mean, mean - high}) / s;
  switch (cv.role) {
    case optimise::CvRole::track:
      return std::abs(mean - cv.ref.value_or(mean)) / s + outside;
    case optimise::CvRole::min:
      return mean / s + outside;
    case optimise::CvRole::max:
      return -mean / s + outside;
    default:
      return outside;
  }
}

void judge(AdviceOutcome& out, const optimise::ProblemIr& problem,
           const std::vector<OutcomeSeries>& series, const std::vector<Message>& mv_reasons) {
  double weights = 0;
  for (const Message& m : mv_reasons) out.reasons.push_back(words(m));
  for (std::size_t j = 0; j < problem.cv.size(); ++j) {
    const optimise::CvTerm& cv = problem.cv[j];
    const OutcomeSeries& s = series[j];
    ObservedChange change = observed_change(cv.var_id, s.before, s.after);
    change.predicted = s.predicted_after - s.predicted_before;
    if (change.samples_before < kFewest || change.samples_after < kFewest)
      out.reasons.push_back(words({"OUTCOME_FEW",
                                   {{"cv", cv.var_id},
                                    {"before", change.samples_before},
                                    {"after", change.samples_after},
                                    {"limit", kFewest}}}));
    change.loss_change = loss(cv, change.after) - loss(cv, change.before);
    // A band or a soft limit counts also where the CV itself has no weight in the cost.
    const double w = cv.weight > 0 ? cv.weight : (cv.soft_min || cv.soft_max ? 1.0 : 0.0);
    weights += w;
    out.loss_change += w * change.loss_change;
    out.half_width += w * (change.high - change.low) / 2 / cv.train.std;
    out.predicted_loss_change +=
        w * (loss(cv, change.before + change.predicted) - loss(cv, change.before));
    out.observed.push_back(std::move(change));
  }
  if (weights > 0) {
    out.loss_change /= weights;
    out.half_width /= weights;
    out.predicted_loss_change /= weights;
  }
  if (!out.reasons.empty() || weights == 0) {
    out.verdict = Verdict::inconclusive;
  } else if (out.loss_change < -out.half_width) {
    out.verdict = Verdict::improved;
  } else if (out.loss_change > out.half_width) {
    out.verdict = Verdict::worse;
  } else if (out.predicted_loss_change < out.loss_change - out.half_width) {
    out.verdict = Verdict::neutral;
  } else {
    out.verdict = Verdict::inconclusive;
    out.reasons.push_back(words({"OUTCOME_NOISE",
                                 {{"change", out.loss_change},
                                  {"width", out.half_width},
                                  {"promised", out.predicted_loss_change}}}));
  }
}

}  // namespace flyball::advise
