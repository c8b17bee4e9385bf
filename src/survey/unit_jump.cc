#include "survey/unit_jump.h"

#include <algorithm>
#include <cmath>

namespace flyball::survey {
namespace {

struct Units {
  const char* names;
  double scale, offset;
};

constexpr Units kUnits[] = {
    {"degC and degF", 1.8, 32},
    {"degC and K", 1, 273.15},
    {"degF and degR", 1, 459.67},
    {"bar and psi", 14.503774, 0},
    {"psi and kPa", 6.894757, 0},
    {"bar and kPa, or fraction and %", 100, 0},
    {"kg/cm2 and kPa", 98.0665, 0},
    {"kPa gauge and kPa absolute", 1, 101.325},
    {"bar gauge and bar absolute", 1, 1.01325},
    {"psi gauge and psi absolute", 1, 14.695949},
    {"thousand and one, such as kPa and Pa", 1000, 0},
    {"minutes and seconds", 60, 0},
    {"m3/h and l/min", 50.0 / 3, 0},
    {"kg and lb", 2.2046226, 0},
    {"l/s and m3/h, or m/s and km/h", 3.6, 0},
};

constexpr double kLowerQuartile = 0.25, kUsualOfQuartile = 2.1;
constexpr double kEdge = 8, kTolerance = 2, kResolved = 20;
constexpr std::size_t kLevelSamples = 5;
constexpr std::int64_t kChangeSamples = 20, kOneWaySamples = 50;
constexpr double kLeastRatio = 0.6, kLargestRatio = 1.6;

struct Segment {
  std::size_t first, end;
  bool after_edge;  ///< an edge of the same run leads into it
};

double lower_quartile_change(const Signal& signal, const std::vector<Segment>& within) {
  std::vector<double> changes;
  for (const Segment& s : within) {
    for (std::size_t i = s.first + 1; i < s.end; ++i) {
      if (const double d = std::abs(signal.x[i] - signal.x[i - 1]); d > 0) changes.push_back(d);
    }
  }
  if (changes.empty()) return 0;
  constexpr double kWanted[] = {kLowerQuartile};
  return quantiles(changes, kWanted)[0];
}

std::vector<Segment> whole_runs(const Signal& signal) {
  std::vector<Segment> out;
  for (const Signal::Run& run : signal.runs) out.push_back({run.first, run.end, false});
  return out;
}

std::vector<Segment> segments_of(const Signal& signal, double edge) {
  std::vector<Segment> out;
  for (const Signal::Run& run : signal.runs) {
    out.push_back({run.first, run.end, false});
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      if (std::abs(signal.x[i] - signal.x[i - 1]) <= edge) continue;
      out.back().end = i;
      out.push_back({i, run.end, true});
    }
  }
  return out;
}

double level(const Signal& signal, std::size_t first, std::size_t end) {
  std::vector<double> v(signal.x.begin() + static_cast<std::ptrdiff_t>(first),
                        signal.x.begin() + static_cast<std::ptrdiff_t>(end));
  std::ranges::sort(v);
  return v[v.size() / 2];
}

/// Levels on both sides of the edge that leads into a segment.
struct Edge {
  std::size_t segment;
  double before, after;
};

std::vector<Edge> edges_of(const Signal& signal, const std::vector<Segment>& segments) {
  std::vector<Edge> out;
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (!segments[i].after_edge) continue;
    const Segment& a = segments[i - 1];
    const Segment& b = segments[i];
    const std::size_t from = std::max(a.first, a.end - std::min(a.end, kLevelSamples));
    out.push_back({i, level(signal, from, a.end),
                   level(signal, b.first, std::min(b.end, b.first + kLevelSamples))});
  }
  return out;
}

class Fit {
 public:
  Fit(const Signal& signal, const std::vector<Segment>& segments, const std::vector<Edge>& edges,
      double usual, const Units& units)
      : signal_(signal), segments_(segments), units_(units), edges_(std::ssize(edges)) {
    const double tolerance = kTolerance * usual;
    for (const Edge& e : edges) {
      const bool up = explains(e.before, e.after, tolerance);
      if (!up && !explains(e.after, e.before, tolerance)) continue;
      ++(up ? up_ : down_);
      if (up) {
        other_.push_back(segments[e.segment]);
      } else if (segments[e.segment - 1].first != last_other()) {
        other_.push_back(segments[e.segment - 1]);
      }
    }
    for (const Segment& s : other_) samples_ += static_cast<std::int64_t>(s.end - s.first);
  }

  [[nodiscard]] std::int64_t fitted() const { return up_ + down_; }

  [[nodiscard]] bool holds() const {
    if (fitted() == 0 || 2 * fitted() < edges_) return false;
    const bool both_ways = up_ > 0 && down_ > 0;
    const std::int64_t rest = std::ssize(signal_.x) - samples_;
    const bool one_way =
        edges_ == 1 && units_.scale != 1 && std::min(samples_, rest) >= kOneWaySamples;
    return (both_ways || one_way) && changes_agree();
  }

  [[nodiscard]] UnitJump result() const {
    return {units_.names,
            units_.scale,
            units_.offset,
            samples_,
            edges_,
            fitted(),
            signal_.t[other_.front().first]};
  }

 private:
  [[nodiscard]] std::size_t last_other() const {
    return other_.empty() ? SIZE_MAX : other_.back().first;
  }

  [[nodiscard]] bool explains(double value, double other, double tolerance) const {
    const double back = (other - units_.offset) / units_.scale;
    return std::abs(back - value) <= tolerance &&
           std::abs(other - value) >= kResolved * tolerance * units_.scale;
  }

  [[nodiscard]] bool changes_agree() const {
    if (samples_ < kChangeSamples) return true;
    std::vector<Segment> base;
    for (const Segment& s : segments_) {
      const bool is_other = std::ranges::find(other_, s.first, &Segment::first) != other_.end();
      if (!is_other) base.push_back(s);
    }
    const double of_other = lower_quartile_change(signal_, other_);
    const double of_base = lower_quartile_change(signal_, base) * units_.scale;
    return of_other >= kLeastRatio * of_base && of_other <= kLargestRatio * of_base;
  }

  const Signal& signal_;
  const std::vector<Segment>& segments_;
  const Units& units_;
  std::int64_t edges_, up_ = 0, down_ = 0, samples_ = 0;
  std::vector<Segment> other_;  ///< in the other unit, ascending
};

}  // namespace

std::optional<UnitJump> find_unit_jump(const Signal& signal, double quantum) {
  const double usual =
      std::max(kUsualOfQuartile * lower_quartile_change(signal, whole_runs(signal)), quantum);
  if (!(usual > 0)) return {};
  const std::vector<Segment> segments = segments_of(signal, kEdge * usual);
  const std::vector<Edge> edges = edges_of(signal, segments);
  std::optional<UnitJump> best;
  for (const Units& units : kUnits) {
    const Fit fit(signal, segments, edges, usual, units);
    if (fit.holds() && (!best || fit.fitted() > best->fitted)) best = fit.result();
  }
  return best;
}

}  // namespace flyball::survey
