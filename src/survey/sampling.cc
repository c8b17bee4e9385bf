#include "survey/sampling.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace flyball::survey {
namespace {

constexpr double kRegularShare = 0.9, kRegularWidth = 0.25, kSameShare = 0.5;
constexpr double kGapOfRegular = 1.5, kGapOfIrregular = 3;

std::vector<double> steps_of(const Signal& signal) {
  std::vector<double> out;
  out.reserve(signal.t.size());
  for (const Signal::Run& run : signal.runs) {
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      out.push_back(static_cast<double>(signal.t[i] - signal.t[i - 1]));
    }
  }
  return out;
}

template <class F>
double share_of(const std::vector<double>& v, F&& f) {
  return static_cast<double>(std::ranges::count_if(v, f)) / static_cast<double>(v.size());
}

double median_distance(const std::vector<double>& steps, double median) {
  std::vector<double> distance(steps.size());
  std::ranges::transform(steps, distance.begin(), [&](double d) { return std::abs(d - median); });
  constexpr double kMiddle[] = {0.5};
  return quantiles(distance, kMiddle)[0];
}

/// Gaps, what is covered without them, and the slip of the clock.
void walk(const Signal& signal, double median, double gap, bool same, Sampling& out) {
  double slip = 0;
  DurationUs longest = 0;
  for (const Signal::Run& run : signal.runs) {
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      const DurationUs step = signal.t[i] - signal.t[i - 1];
      if (static_cast<double>(step) <= gap) {
        out.covered += step;
        slip += static_cast<double>(step) - median;
        continue;
      }
      ++out.gaps;
      if (step <= longest) continue;
      longest = step;
      out.longest_gap = Stretch{run.id, signal.t[i - 1], signal.t[i], 0, {}};
    }
  }
  if (same) out.clock_slip = slip / median;
}

void find_phase(const Signal& signal, DurationUs step, Sampling& out) {
  std::complex<double> sum = 0;
  for (const TimeUs t : signal.t) {
    const DurationUs place = (t % step + step) % step;
    sum += std::polar(
        1.0, 2 * std::numbers::pi * static_cast<double>(place) / static_cast<double>(step));
  }
  sum /= static_cast<double>(signal.t.size());
  const double turn = std::arg(sum) / (2 * std::numbers::pi);
  out.phase = turn < 0 ? turn + 1 : turn;
  out.phase_agreement = std::abs(sum);
}

}  // namespace

Sampling sampling_of(const Signal& signal) {
  Sampling out;
  out.runs = static_cast<std::int64_t>(signal.runs.size());
  std::vector<double> steps = steps_of(signal);
  if (steps.empty()) return out;
  constexpr double kWanted[] = {0.5, 0.95};
  const std::vector<double> q = quantiles(steps, kWanted);
  const double median = std::max(std::floor(q[0]), 1.0);
  out.step = static_cast<DurationUs>(median);
  out.jitter = static_cast<DurationUs>(median_distance(steps, median));
  out.regular = share_of(steps, [&](double d) {
                  return std::abs(d - median) <= kRegularWidth * median;
                }) >= kRegularShare;
  const bool same = share_of(steps, [&](double d) { return d == median; }) >= kSameShare;
  walk(signal, median, out.regular ? kGapOfRegular * median : kGapOfIrregular * q[1],
       out.regular && same, out);
  find_phase(signal, *out.step, out);
  return out;
}

}  // namespace flyball::survey
