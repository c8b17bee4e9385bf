#include "survey/bad_values.h"

#include <algorithm>
#include <cmath>

namespace flyball::survey {
namespace {

constexpr std::size_t kMostValues = 4, kFewestSpacings = 3, kMostSpacings = 10;
constexpr std::size_t kLevels = kMostValues + kMostSpacings + 1;
constexpr std::int64_t kFewestRepeats = 3;
constexpr double kWideHole = 50, kHole = 10, kTimesUsual = 3;

struct Level {
  double value;  ///< times the sign
  std::int64_t count;
};

/// The least different values of sign·x with their counts, ascending.
std::vector<Level> lowest_levels(std::span<const double> x, double sign) {
  std::vector<Level> out;
  out.reserve(kLevels + 1);
  for (const double raw : x) {
    const double v = sign * raw;
    if (out.size() == kLevels && v > out.back().value) continue;
    const auto at = std::ranges::lower_bound(out, v, {}, &Level::value);
    if (at != out.end() && at->value == v) {
      ++at->count;
    } else {
      out.insert(at, {v, 1});
      if (out.size() > kLevels) out.pop_back();
    }
  }
  return out;
}

std::int64_t usual_count(std::span<const Level> levels) {
  std::vector<std::int64_t> counts;
  for (const Level& l : levels) counts.push_back(l.count);
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  return *middle;
}

/// Width of the hole after the first j levels over the widest among those that follow; 0 when the
/// rule does not hold.
double hole_after(std::span<const Level> levels, std::size_t j) {
  const std::size_t spacings = std::min(levels.size() - j - 1, kMostSpacings);
  if (levels.size() < j + 1 + kFewestSpacings) return 0;
  double widest = 0;
  for (std::size_t i = j; i < j + spacings; ++i) {
    widest = std::max(widest, levels[i + 1].value - levels[i].value);
  }
  const auto candidates = levels.first(j);
  const std::int64_t rarest = std::ranges::min_element(candidates, {}, &Level::count)->count;
  const double width = (levels[j].value - levels[j - 1].value) / widest;
  const auto usual = static_cast<double>(usual_count(levels.subspan(j, spacings + 1)));
  const bool often = static_cast<double>(rarest) >= kTimesUsual * usual;
  return rarest >= kFewestRepeats && (width >= kWideHole || (often && width >= kHole)) ? width : 0;
}

/// True when values at or below `last` (times the sign) stand between others in some run.
bool comes_and_goes(const Signal& signal, double sign, double last) {
  for (const Signal::Run& run : signal.runs) {
    bool entered = false, before = false;
    for (const double raw : signal.values(run)) {
      const bool candidate = sign * raw <= last;
      if (!candidate && entered) return true;
      entered = entered || (candidate && before);
      before = before || !candidate;
    }
  }
  return false;
}

void search_end(const Signal& signal, double sign, std::vector<BadValue>& out) {
  const std::vector<Level> levels = lowest_levels(signal.x, sign);
  for (std::size_t j = std::min(kMostValues, levels.size()); j >= 1; --j) {
    const double width = hole_after(levels, j);
    if (width == 0 || !comes_and_goes(signal, sign, levels[j - 1].value)) continue;
    for (std::size_t i = 0; i < j; ++i) {
      out.push_back({sign * levels[i].value, levels[i].count, sign * levels[j].value, width});
    }
    return;
  }
}

}  // namespace

std::vector<BadValue> find_bad_values(const Signal& signal) {
  std::vector<BadValue> out;
  search_end(signal, 1, out);
  search_end(signal, -1, out);
  return out;
}

}  // namespace flyball::survey
