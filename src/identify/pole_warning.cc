#include "identify/pole_warning.h"

#include <array>
#include <cmath>

#include "core/time.h"

namespace flyball::identify {
namespace {

constexpr double kRadiusWarning = 0.999;
constexpr double kRadiusProposal = 0.99;  ///< a longer beat is proposed above it
constexpr double kBeatsPerTimeConstant = 20;
constexpr double kRowsKept = 250;  ///< of train with the longer beat

/// 1, 2 or 5 times a power of ten, or of the clock: not above.
double round_time(double seconds) {
  constexpr std::array kRound{0.001, 0.002, 0.005, 0.01,   0.02,   0.05,  0.1,  0.2,
                              0.5,   1.0,   2.0,   5.0,    10.0,   20.0,  30.0, 60.0,
                              120.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0};
  double out = seconds;
  for (const double r : kRound) {
    if (r <= seconds) out = r;
  }
  return out;
}

}  // namespace

std::optional<Message> pole_warning(const CvFinding& cv, double beat_ms, Index train_rows) {
  if (!(cv.radius > kRadiusProposal)) return std::nullopt;
  const double slowest = -beat_ms / 1000 / std::log(cv.radius);
  const double beat = round_time(slowest / kBeatsPerTimeConstant);
  const double factor = beat / (beat_ms / 1000);
  if (factor >= 2 && static_cast<double>(train_rows) >= factor * kRowsKept) {
    return Message{"POLE_OVERSAMPLED",
                   {{"cv", cv.cv},
                    {"radius", cv.radius},
                    {"constant", slowest, "s"},
                    {"beats", slowest / (beat_ms / 1000)},
                    {"beat", format_duration(static_cast<DurationUs>(std::llround(beat * 1e6)))}}};
  }
  if (!(cv.radius > kRadiusWarning)) return std::nullopt;
  return Message{"POLE_NEAR_ONE", {{"cv", cv.cv}, {"radius", cv.radius}}};
}

}  // namespace flyball::identify
