#include "app/study_beat.h"

#include <numeric>

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

}  // namespace flyball::app
