#include "survey/unit_jump.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.h"
#include "core/units.h"
#include "math/statistics.h"

namespace flyball::survey {
namespace {

struct Units {
  const char* names;
  double scale, offset;
  const char* like = "";  ///< a unit of their dimension; empty: of any
};

constexpr Units kUnits[] = {
    {"degC and degF", 1.8, 32, "degC"},
    {"degC and K", 1, 273.15, "degC"},
    {"degF and degR", 1, 459.67, "degC"},
    {"bar and psi", 14.503774, 0, "bar"},
    {"psi and kPa", 6.894757, 0, "bar"},
    {"bar and kPa, or fraction and %", 100, 0},
    {"kPa gauge and kPa absolute", 1, 101.325, "bar"},
    {"bar gauge and bar absolute", 1, 1.01325, "bar"},
    {"psi gauge and psi absolute", 1, 14.695949, "bar"},
    {"thousand and one, such as kPa and Pa", 1000, 0},
    {"minutes and seconds", 60, 0, "s"},
    {"m3/h and l/min", 50.0 / 3, 0, "m3/h"},
    {"kg and lb", 2.2046226, 0, "kg"},
    {"l/s and m3/h, or m/s and km/h", 3.6, 0},
};

constexpr double kLowerQuartile = 0.25, kUsualOfQuartile = 2.1;
constexpr double kEdge = 8, kTolerance = 3, kResolved = 13, kLoose = 2;
constexpr int kPatience = 3;
constexpr std::size_t kLevelSamples = 5, kStartChanges = 50;
constexpr std::int64_t kChangeSamples = 20, kOneWaySamples = 100;
constexpr double kLeastRatio = 0.7, kLargestRatio = 1.4;

double usual_change(std::vector<double> changes) {
  if (changes.empty()) return 0;
  constexpr double kWanted[] = {kLowerQuartile};
  return kUsualOfQuartile * quantiles(changes, kWanted)[0];
}

/// Absolute changes within runs that are not 0.
std::vector<double> changes_of(const Signal& signal) {
  std::vector<double> out;
  for (const Signal::Run& run : signal.runs) {
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      if (const double d = std::abs(signal.x[i] - signal.x[i - 1]); d > 0) out.push_back(d);
    }
  }
  return out;
}

/// Median of the last few values.
class Level {
 public:
  void restart(double v) {
    size_ = 0;
    add(v);
  }
  void add(double v) {
    last_[size_++ % kLevelSamples] = v;
    const std::size_t n = std::min(size_, kLevelSamples);
    std::array<double, kLevelSamples> sorted = last_;
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n));
    median_ = sorted[n / 2];
  }
  [[nodiscard]] double median() const { return median_; }

 private:
  std::array<double, kLevelSamples> last_{};
  std::size_t size_ = 0;
  double median_ = 0;
};

/// Decodes the signal as one unit with parts in another.
class Decoder {
 public:
  Decoder(const Signal& signal, double usual, const Units& units)
      : signal_(signal), usual_(usual), units_(units) {
    for (const Signal::Run& run : signal.runs) decode(run);
  }

  [[nodiscard]] std::int64_t fitted() const { return there_ + back_; }

  [[nodiscard]] bool holds() const {
    if (fitted() == 0 || 2 * fitted() < edges_) return false;
    const std::int64_t rest = std::ssize(signal_.x) - samples_;
    const bool one_way =
        edges_ == 1 && units_.scale != 1 && std::min(samples_, rest) >= kOneWaySamples;
    return ((there_ > 0 && back_ > 0) || one_way) && changes_agree();
  }

  [[nodiscard]] UnitJump result() const {
    return {units_.names, units_.scale, units_.offset, samples_, edges_, fitted(), at_};
  }

 private:
  [[nodiscard]] double decoded(double x, bool other) const {
    return other ? (x - units_.offset) / units_.scale : x;
  }

  void decode(const Signal::Run& run) {
    Level level;
    level.restart(signal_.x[run.first]);
    double last = signal_.x[run.first];
    bool other = false;
    int waiting = 0;  // samples of an edge that does not fit, or not yet
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      double z = decoded(signal_.x[i], other);
      if (std::abs(z - level.median()) > kEdge * usual_) {
        if (waiting == 0) ++edges_;
        const double converted = decoded(signal_.x[i], !other);
        if (fits(z, converted, level.median(), other)) {
          other = !other;
          ++(other ? there_ : back_);
          if (samples_ == 0) at_ = signal_.t[i];
          z = last = converted;  // the change of unit is no change of the signal
        } else if (++waiting < kPatience) {
          samples_ += other ? 1 : 0;
          continue;
        } else {
          level.restart(z);
          last = z;
        }
      }
      waiting = 0;
      samples_ += other ? 1 : 0;
      if (z != last) (other ? changes_of_other_ : changes_).push_back(std::abs(z - last));
      level.add(z);
      last = z;
    }
  }

  /// `converted` lies at the level, and the two units are told apart there.
  [[nodiscard]] bool fits(double z, double converted, double level, bool other) const {
    const double tolerance = kTolerance * usual_;
    const double scale = other ? 1 / units_.scale : units_.scale;
    return std::abs(converted - level) <= tolerance &&
           std::abs(z - level) >= kResolved * tolerance * std::max(scale, 1.0);
  }

  [[nodiscard]] bool changes_agree() const {
    if (std::min(std::ssize(changes_of_other_), std::ssize(changes_)) < kChangeSamples) return true;
    const double of_other = math::median(changes_of_other_), base = math::median(changes_);
    return of_other >= kLeastRatio * base && of_other <= kLargestRatio * base;
  }

  const Signal& signal_;
  double usual_;
  Units units_;
  std::int64_t edges_ = 0, there_ = 0, back_ = 0, samples_ = 0;
  TimeUs at_ = 0;
  std::vector<double> changes_, changes_of_other_;  ///< of the decoded signal
};

/// Some sudden change may be one from these units to the others.
bool may_fit(const Signal& signal, double usual, const Units& units) {
  for (const Signal::Run& run : signal.runs) {
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      const double before = signal.x[i - 1], after = signal.x[i];
      if (std::abs(after - before) <= kEdge * usual) continue;
      const double converted = (after - units.offset) / units.scale;
      if (std::abs(converted - before) <= kLoose * kTolerance * usual) return true;
    }
  }
  return false;
}

/// None when nothing is declared, or what is declared is no unit that is known.
std::optional<Unit> unit_of(const std::string& declared) {
  if (declared.empty()) return std::nullopt;
  try {
    return parse_unit(declared);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<UnitJump> find_unit_jump(const Signal& signal, double quantum,
                                       const std::string& declared) {
  std::vector<double> changes = changes_of(signal);
  const auto few = static_cast<std::ptrdiff_t>(std::min(changes.size(), kStartChanges));
  const double of_start = usual_change({changes.begin(), changes.begin() + few});
  const double usual = std::max(std::min(of_start, usual_change(std::move(changes))), quantum);
  if (!(usual > 0)) return {};
  std::optional<UnitJump> best;
  const auto unit = unit_of(declared);
  for (const Units& units : kUnits) {
    if (unit && *units.like != '\0' && parse_unit(units.like).dimension != unit->dimension)
      continue;
    const Units reverse{units.names, 1 / units.scale, -units.offset / units.scale};
    for (const Units& directed : {units, reverse}) {
      if (!may_fit(signal, usual, directed)) continue;
      const Decoder decoder(signal, usual, directed);
      if (decoder.holds() && (!best || decoder.fitted() > best->fitted)) best = decoder.result();
    }
  }
  return best;
}

}  // namespace flyball::survey
