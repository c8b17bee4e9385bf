#pragma once
// What the stored samples of one tag look like, before any cleaning.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/record.h"
#include "core/time.h"

namespace flyball::survey {

/// good + uncertain + bad = total. Usable: good or uncertain, and finite.
struct SampleCounts {
  std::int64_t total = 0, good = 0, uncertain = 0, bad = 0, not_finite = 0;
  std::map<std::string, std::int64_t> bad_by_reason;  ///< by OPC UA status code
  [[nodiscard]] std::int64_t usable() const { return good + uncertain - not_finite; }
  static constexpr auto fields() {
    using S = SampleCounts;
    return FieldList{field("total", &S::total, "samples stored"),
                      field("good", &S::good, "of good quality"),
                      field("uncertain", &S::uncertain, "of uncertain quality; they are used"),
                      field("bad", &S::bad, "of bad quality"),
                      field("notFinite", &S::not_finite, "not bad, but no finite number"),
                      field("badByReason", &S::bad_by_reason, "by OPC UA status code")};
  }
};

struct Stretch {
  std::string run_id;
  TimeUs from = 0, to = 0;  ///< first to last sample
  std::int64_t samples = 0;
  std::optional<double> value;
  static constexpr auto fields() {
    using S = Stretch;
    return FieldList{field("runId", &S::run_id, "run"),
                      field("from", &S::from, "first sample").unit("us"),
                      field("to", &S::to, "last sample").unit("us"),
                      field("samples", &S::samples, "samples in it"),
                      field("value", &S::value, "what was repeated")};
  }
};

/// The clock of the usable samples. Steps are times from one to the next of the same run.
struct Sampling {
  std::int64_t runs = 0;           ///< with usable samples
  DurationUs covered = 0;          ///< first to last sample, over the runs, without the gaps
  std::optional<DurationUs> step;  ///< median; absent below two samples in a run
  DurationUs jitter = 0;           ///< median |step − median|
  bool regular = false;            ///< 90 % of the steps within a quarter of the median
  std::int64_t gaps = 0;           ///< steps > 1.5 medians; irregular: > 3 times their p95
  std::optional<Stretch> longest_gap;
  double clock_slip = 0;       ///< steps by which the clock moved against the median step
  double phase = 0;            ///< mean of (time mod step), in steps, 0..1
  double phase_agreement = 0;  ///< length of the mean direction: 1 all alike, 0 all over
  static constexpr auto fields() {
    using S = Sampling;
    return FieldList{
        field("runs", &S::runs, "runs with usable samples"),
        field("covered", &S::covered, "time from first to last, without the gaps").unit("us"),
        field("step", &S::step, "median time from sample to sample").unit("us"),
        field("jitter", &S::jitter, "median distance of a step from the median").unit("us"),
        field("regular", &S::regular, "90 % of the steps within a quarter of the median"),
        field("gaps", &S::gaps, "longer steps: 1.5 medians; irregular: 3 times the 95 % quantile"),
        field("longestGap", &S::longest_gap, "where the longest one is"),
        field("clockSlip", &S::clock_slip, "drift of the clock over the record").unit("steps"),
        field("phase", &S::phase, "mean place of the samples between two multiples of the step")
            .unit("steps"),
        field("phaseAgreement", &S::phase_agreement, "1: all at the same place; 0: anywhere")};
  }
};

/// Of the usable samples without bad values; quantiles interpolated linearly.
struct ValueFacts {
  std::int64_t count = 0;
  std::optional<double> mean, std, min, max, p05, p50, p95;
  double quantum = 0;         ///< smallest change that occurs at least 10 times; 0: none found
  std::int64_t distinct = 0;  ///< up to kMostDistinct
  bool constant = false;      ///< max − min ≤ 1e-9·max|x|
  static constexpr auto fields() {
    using V = ValueFacts;
    return FieldList{
        field("count", &V::count, "samples"),
        field("mean", &V::mean, "mean"),
        field("std", &V::std, "sample standard deviation (n-1)"),
        field("min", &V::min, "least"),
        field("max", &V::max, "largest"),
        field("p05", &V::p05, "5 % quantile"),
        field("p50", &V::p50, "median"),
        field("p95", &V::p95, "95 % quantile"),
        field("quantum", &V::quantum, "resolution: smallest change seen at least 10 times"),
        field("distinct", &V::distinct, "different values; counting ends at 10000"),
        field("constant", &V::constant, "range within 1e-9 of the largest value")};
  }
};

/// A number that stands for "no value".
struct BadValue {
  double value = 0;
  std::int64_t count = 0;
  double nearest = 0;   ///< of the other values
  double distance = 0;  ///< |value − nearest| over the widest hole among the values next to it
  static constexpr auto fields() {
    using B = BadValue;
    return FieldList{
        field("value", &B::value, "exactly repeated, outside all others"),
        field("count", &B::count, "samples"), field("nearest", &B::nearest, "nearest other value"),
        field("distance", &B::distance, "to it, over the widest hole among its neighbours")};
  }
};

/// How the values change. A stay is a row of equal values.
struct Shape {
  std::int64_t changes = 0;
  double unchanged_share = 0;  ///< samples equal to the one before
  std::int64_t median_stay = 0, longest_stay = 0;
  double reversal_share = 0;  ///< changes against the direction of the one before
  double median_change = 0, smallest_change = 0;  ///< of those that are not 0
  bool looks_stepped = false;                     ///< guess
  std::optional<std::int64_t> hold_steps;         ///< changes come only every k-th step
  static constexpr auto fields() {
    using S = Shape;
    return FieldList{
        field("changes", &S::changes, "samples that differ from the one before"),
        field("unchangedShare", &S::unchanged_share, "samples equal to the one before"),
        field("medianStay", &S::median_stay, "of the rows of equal values").unit("samples"),
        field("longestStay", &S::longest_stay, "of the rows of equal values").unit("samples"),
        field("reversalShare", &S::reversal_share, "changes against the one before"),
        field("medianChange", &S::median_change, "absolute, of those that are not 0"),
        field("smallestChange", &S::smallest_change, "absolute, of those that are not 0"),
        field("looksStepped", &S::looks_stepped, "guess: held between moves, not a sloped signal"),
        field("holdSteps", &S::hold_steps, "values change only every k-th step").unit("steps")};
  }
};

/// The signal runs in straight lines between bends.
struct StraightLines {
  std::int64_t lines = 0, median_steps = 0;
  double share = 0;
  static constexpr auto fields() {
    using S = StraightLines;
    return FieldList{field("lines", &S::lines, "of at least 5 samples"),
                      field("medianSteps", &S::median_steps, "length of a line").unit("steps"),
                      field("share", &S::share, "of the samples, on lines")};
  }
};

/// A part of the samples is in another unit.
struct UnitJump {
  std::string units;             ///< "degC and degF"
  double scale = 1, offset = 0;  ///< other = value·scale + offset
  std::int64_t samples = 0;      ///< in the other unit
  std::int64_t edges = 0, fitted = 0;
  TimeUs at = 0;  ///< first of them
  static constexpr auto fields() {
    using U = UnitJump;
    return FieldList{field("units", &U::units, "the two units that fit"),
                      field("scale", &U::scale, "other = value * scale + offset"),
                      field("offset", &U::offset, "see scale"),
                      field("samples", &U::samples, "in the other unit"),
                      field("edges", &U::edges, "sudden changes of the level"),
                      field("fitted", &U::fitted, "of them, explained by the units"),
                      field("at", &U::at, "the first").unit("us")};
  }
};

struct TagFacts {
  std::string tag, unit;
  SampleCounts samples;
  Sampling sampling;
  std::vector<BadValue> bad_values;
  ValueFacts values;
  Shape shape;
  std::vector<Stretch> frozen;  ///< the longest first, at most kMostStretches
  std::int64_t frozen_count = 0, frozen_samples = 0;
  std::vector<Stretch> at_limit;   ///< the same at the least or largest value
  std::int64_t spikes = 0;         ///< by the cleaning's rule; not of MVs and stepped tags
  std::int64_t outside_range = 0;  ///< of the usable, bad values left out
  std::optional<UnitJump> unit_jump;
  std::optional<StraightLines> straight;  ///< an archive may have interpolated
  static constexpr auto fields() {
    using T = TagFacts;
    return FieldList{
        field("tag", &T::tag, "name"),
        field("unit", &T::unit, "declared"),
        field("samples", &T::samples, "counts by quality"),
        field("sampling", &T::sampling, "the clock"),
        field("badValues", &T::bad_values, "numbers that stand for \"no value\""),
        field("values", &T::values, "distribution without the bad values"),
        field("shape", &T::shape, "how the values change"),
        field("frozen", &T::frozen, "exact repeats far longer than usual, the longest first"),
        field("frozenCount", &T::frozen_count, "all of them"),
        field("frozenSamples", &T::frozen_samples, "samples in all of them"),
        field("atLimit", &T::at_limit, "such repeats at the least or largest value"),
        field("spikes", &T::spikes, "by the rule of the cleaning"),
        field("outsideRange", &T::outside_range, "outside the declared range"),
        field("unitJump", &T::unit_jump, "a part looks like another unit"),
        field("straight", &T::straight, "straight lines between bends: interpolated")};
  }
};

inline constexpr std::int64_t kMostDistinct = 10'000;
inline constexpr std::size_t kMostStretches = 10;

}  // namespace flyball::survey
