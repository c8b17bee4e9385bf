#include "app/study_beat.h"

#include <cmath>
#include <numeric>

#include "math/statistics.h"
#include "survey/repeats.h"
#include "survey/values.h"

namespace flyball::app {
namespace {

constexpr std::int64_t kFewChanges = 20;

survey::Shape shape(const historian::Historian& historian, const std::vector<plant::Run>& runs,
                    const std::string& node, DurationUs step) {
  survey::SampleCounts counts;
  const survey::Signal signal =
      survey::read_signal(historian, node, runs, INT64_MIN, INT64_MAX, counts);
  if (signal.x.empty()) return {};
  return survey::shape_of(signal, survey::values_of(signal.x), step);
}

}  // namespace

std::optional<std::int64_t> repeats_of(const historian::Historian& historian, const StudyRequest& r,
                                       DurationUs step) {
  const auto runs = historian.runs({r.line, r.product, r.recipe, r.run.value_or("")});
  std::int64_t factor = 0;  // gcd of the holds
  for (const std::string& cv : r.cv) {
    const auto hold = shape(historian, runs, r.line + "/" + cv, step).hold_steps;
    if (!hold) return std::nullopt;
    factor = std::gcd(factor, *hold);
  }
  bool told = false;
  for (const std::string& mv : r.mv) {
    const survey::Shape s = shape(historian, runs, r.line + "/" + mv, step);
    if (s.changes < kFewChanges) continue;
    if (!s.hold_steps) return std::nullopt;
    factor = std::gcd(factor, *s.hold_steps);
    told = true;
  }
  return told && factor >= 2 ? std::optional(factor) : std::nullopt;
}

std::vector<Message> slow_cvs(const historian::Historian& historian, const StudyRequest& r,
                              DurationUs beat) {
  const auto runs = historian.runs({r.line, r.product, r.recipe, r.run.value_or("")});
  std::vector<Message> out;
  for (const std::string& cv : r.cv) {
    survey::SampleCounts counts;
    const survey::Signal signal =
        survey::read_signal(historian, r.line + "/" + cv, runs, INT64_MIN, INT64_MAX, counts);
    std::vector<double> periods;
    for (const auto& run : signal.runs) {
      for (std::size_t i = run.first + 1; i < run.end; ++i)
        periods.push_back(static_cast<double>(signal.t[i] - signal.t[i - 1]) / 1e6);
    }
    if (periods.empty()) continue;
    const double period = math::median(periods), beat_s = static_cast<double>(beat) / 1e6;
    if (!(period >= 1.5 * beat_s)) continue;
    out.push_back(
        {"CV_SLOWER_THAN_BEAT",
         {{"cv", cv},
          {"period", period, "s"},
          {"beat", beat_s, "s"},
          {"option", format_duration(static_cast<DurationUs>(std::llround(period * 1e6)))}}});
  }
  return out;
}

}  // namespace flyball::app
