#include "survey/repeats.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace flyball::survey {
namespace {

constexpr std::int64_t kFewChanges = 20, kMostHold = 100'000;
constexpr double kRegularShare = 0.9, kJitterShare = 0.2;
constexpr double kSmoothReversals = 0.1, kOneQuantum = 1.5, kMostlyOneQuantum = 0.8;
constexpr double kSteppedStay = 3, kIrregularStay = 5, kLargeMove = 0.2, kManyQuanta = 3;
constexpr std::int64_t kFrozenSamples = 20;
constexpr double kTimesUsual = 10, kUsualShare = 0.75;

using Histogram = std::map<std::int64_t, std::int64_t>;  ///< length → how many

/// Calls f(run, first, end) for every row of equal values.
template <class F>
void for_each_stay(const Signal& signal, F&& f) {
  for (const Signal::Run& run : signal.runs) {
    std::size_t first = run.first;
    for (std::size_t i = run.first + 1; i <= run.end; ++i) {
      if (i < run.end && signal.x[i] == signal.x[first]) continue;
      f(run, first, i);
      first = i;
    }
  }
}

/// The length that this share of all items does not exceed; `weight` counts an item.
template <class W>
std::int64_t length_at(const Histogram& h, double share, W&& weight) {
  double all = 0, sum = 0;
  for (const auto& [length, count] : h) all += weight(length, count);
  for (const auto& [length, count] : h) {
    sum += weight(length, count);
    if (sum >= share * all) return length;
  }
  return 0;
}

Histogram stays_of(const Signal& signal) {
  Histogram out;
  for_each_stay(signal, [&](const Signal::Run&, std::size_t first, std::size_t end) {
    ++out[static_cast<std::int64_t>(end - first)];
  });
  return out;
}

/// The largest k ≥ 2 of which 90 % of the times between changes are multiples, whether or not a
/// change comes after k itself. Nine in ten are at least k, which bounds the search: lengths tried
/// times kinds of lengths are no more than the samples.
std::optional<std::int64_t> regular_hold(const Histogram& between) {
  std::int64_t all = 0;
  for (const auto& [steps, count] : between) all += count;
  if (all < kFewChanges) return {};
  const auto few = static_cast<double>(all) * (1 - kRegularShare);
  std::int64_t largest = 0;
  double shorter = 0;
  for (const auto& [steps, count] : between) {
    largest = steps;
    shorter += static_cast<double>(count);
    if (shorter > few) break;
  }
  for (std::int64_t k = std::min(largest, kMostHold); k >= 2; --k) {
    double odd = 0;
    for (auto g = between.begin(); g != between.end() && odd <= few; ++g) {
      if (g->first % k != 0) odd += static_cast<double>(g->second);
    }
    if (odd <= few) return k;
  }
  return {};
}

struct Changes {
  std::vector<double> sizes;  ///< absolute
  std::int64_t reversals = 0;
  Histogram between;  ///< steps of the clock from one change to the next of the same run
};

Changes changes_of(const Signal& signal, DurationUs step) {
  Changes out;
  for (const Signal::Run& run : signal.runs) {
    double last = 0;
    TimeUs changed_at = 0;
    for (std::size_t i = run.first + 1; i < run.end; ++i) {
      const double change = signal.x[i] - signal.x[i - 1];
      if (change == 0) continue;
      out.sizes.push_back(std::abs(change));
      if (last != 0) {
        if ((change > 0) != (last > 0)) ++out.reversals;
        ++out.between[(signal.t[i] - changed_at + step / 2) / step];
      }
      last = change;
      changed_at = signal.t[i];
    }
  }
  return out;
}

/// A slow signal with a coarse resolution changes by one quantum at a time in one direction.
bool is_quantised_slope(const Changes& changes, const Shape& shape) {
  const auto small = std::ranges::count_if(
      changes.sizes, [&](double size) { return size <= kOneQuantum * shape.smallest_change; });
  return shape.reversal_share < kSmoothReversals &&
         static_cast<double>(small) >= kMostlyOneQuantum * static_cast<double>(shape.changes);
}

bool is_stepped(const Shape& shape, const ValueFacts& values) {
  const auto stay = static_cast<double>(shape.median_stay);
  if (shape.changes == 0 || stay < kSteppedStay) return false;
  if (values.distinct <= 2) return true;
  if (shape.median_change >= kLargeMove * (*values.p95 - *values.p05)) return true;
  return !shape.hold_steps && stay >= kIrregularStay &&
         shape.median_change >= kManyQuanta * shape.smallest_change;
}

/// The shortest stay that is far longer than usual; the largest number there is when none is.
std::int64_t frozen_length(Histogram stays) {
  std::int64_t shortest = INT64_MAX;
  while (!stays.empty()) {
    const auto last = std::prev(stays.end());
    const std::int64_t length = last->first;
    // The longest is judged by all others, also by those as long as it is.
    const bool alone = last->second == 1;
    Histogram others = stays;
    if (alone) {
      others.erase(length);
    } else {
      --others[length];
    }
    const std::int64_t usual = length_at(others, kUsualShare, [](auto n, auto count) {
      return static_cast<double>(n) * static_cast<double>(count);
    });
    if (length < kFrozenSamples ||
        static_cast<double>(length) < kTimesUsual * static_cast<double>(usual))
      break;
    shortest = length;
    stays.erase(length);
  }
  return shortest;
}

void keep_longest(std::vector<Stretch>& list, Stretch s) {
  const auto at = std::ranges::upper_bound(list, s.samples, std::greater{}, &Stretch::samples);
  list.insert(at, std::move(s));
  if (list.size() > kMostStretches) list.pop_back();
}

}  // namespace

Shape shape_of(const Signal& signal, const ValueFacts& values, DurationUs step) {
  Shape out;
  Changes changes = changes_of(signal, std::max<DurationUs>(step, 1));
  out.changes = std::ssize(changes.sizes);
  const Histogram stays = stays_of(signal);
  if (stays.empty()) return out;
  out.longest_stay = stays.rbegin()->first;
  out.median_stay =
      length_at(stays, 0.5, [](auto, auto count) { return static_cast<double>(count); });
  std::int64_t rows = 0;
  for (const auto& [length, count] : stays) rows += count;
  const std::int64_t pairs = values.count - std::ssize(signal.runs);
  if (pairs > 0) {
    out.unchanged_share = static_cast<double>(values.count - rows) / static_cast<double>(pairs);
  }
  if (out.changes == 0) return out;
  out.reversal_share = static_cast<double>(changes.reversals) /
                       static_cast<double>(std::max<std::int64_t>(out.changes - 1, 1));
  out.smallest_change = *std::ranges::min_element(changes.sizes);
  constexpr double kMiddle[] = {0.5};
  out.median_change = quantiles(changes.sizes, kMiddle)[0];
  if (!is_quantised_slope(changes, out)) out.hold_steps = regular_hold(changes.between);
  out.looks_stepped = is_stepped(out, values);
  return out;
}

void find_frozen(const Signal& signal, TagFacts& facts) {
  const Shape& shape = facts.shape;
  if (shape.changes < kFewChanges || shape.reversal_share < kJitterShare || shape.looks_stepped) {
    return;
  }
  const auto shortest = static_cast<std::size_t>(frozen_length(stays_of(signal)));
  for_each_stay(signal, [&](const Signal::Run& run, std::size_t first, std::size_t end) {
    if (end - first < shortest) return;
    const double value = signal.x[first];
    const auto samples = static_cast<std::int64_t>(end - first);
    Stretch s{run.id, signal.t[first], signal.t[end - 1], samples, value};
    if (value == *facts.values.min || value == *facts.values.max) {
      keep_longest(facts.at_limit, std::move(s));
      return;
    }
    ++facts.frozen_count;
    facts.frozen_samples += samples;
    keep_longest(facts.frozen, std::move(s));
  });
}

}  // namespace flyball::survey
