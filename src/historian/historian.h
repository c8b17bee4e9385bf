#pragma once
// The port to stored time series. Every implementation runs tests/contract/historian_contract.h.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "historian/quality.h"
#include "plant/records.h"

namespace flyball::historian {

struct Sample {
  TimeUs at = 0;
  double value = 0;  ///< NaN when the quality is bad and no number is known
  Quality quality;
};

/// stored + merged = samples given.
struct AppendResult {
  std::int64_t stored = 0;  ///< new (tag, time)
  std::int64_t merged = 0;  ///< samples at a (tag, time) that had one already
};

/// Empty texts do not filter.
struct Filter {
  std::string line_id = {}, product_id = {}, recipe_id = {}, run_id = {};
  [[nodiscard]] bool passes(const plant::Run& run) const;
};

struct PageRequest {
  std::string node_id;
  Filter filter;
  TimeUs from = INT64_MIN;      ///< inclusive
  TimeUs to = INT64_MAX;        ///< exclusive
  std::optional<TimeUs> after;  ///< cursor: the last time of the page before, exclusive
  std::int64_t limit = 20'000;  ///< per page; there is no limit on the total
};

struct Page {
  std::vector<Sample> samples;  ///< ascending in time
  std::optional<TimeUs> next;   ///< cursor of the next page; absent when done
};

/// Buckets of one tag; `from` and `to` are needed, the last bucket ends at `to`.
struct AggregateRequest {
  std::string node_id;
  Filter filter;
  TimeUs from = 0;  ///< inclusive; the first bucket begins here
  TimeUs to = 0;    ///< exclusive
  DurationUs bucket = 0;
  bool stepped = false;  ///< held between samples; else a straight line from one to the next
};

/// One bucket. Good means here: a number whose quality is not bad. The signal is held (stepped)
/// from each good sample to the next of the same run, good or not, or runs straight (sloped) from
/// each good sample to the next when that is good; it ends at the last sample of a run. Samples
/// before `from` and after `to` count: what is held or sloped into a bucket belongs to it.
struct Aggregate {
  TimeUs from = 0;
  std::int64_t count = 0;          ///< samples inside the bucket, whatever their quality
  std::optional<double> mean;      ///< over the time that has a signal, weighted by time; over the
                                   ///< good samples where none of them has a duration
  std::optional<double> min, max;  ///< of the signal inside the bucket
  double good_share = 0;           ///< time with a signal (of any run) / length of the bucket
};

/// The account of one import, kept with the samples that it stored.
struct ImportRecord {
  std::string source;  ///< file name or "-"
  std::string sha256;  ///< of its bytes
  std::string line_id;
  TimeUs at = 0;             ///< when
  std::string account_json;  ///< ImportResult
};

/// One transaction. Nothing is visible to readers before commit(); an object that is destroyed
/// without it has changed nothing. At most one exists per store; a second one waits, then throws
/// DATABASE_BUSY.
class Writer {
 public:
  virtual ~Writer() = default;

  /// Creates or replaces what is known of a tag; its samples stay.
  virtual void put_tag(const plant::Tag& tag) = 0;

  /// Creates or replaces a run, with or without samples (RUN_MISMATCH for another product or
  /// recipe).
  virtual void put_run(const plant::Run& run) = 0;

  /// Stores samples of one tag that belong to `run`. They need not be sorted; of several at one
  /// (tag, time) the last written wins and is counted as merged. The run's line must be the tag's
  /// (NODE_LINE_MISMATCH); a run that is known keeps its product and recipe (RUN_MISMATCH), its
  /// other fields are those of the last append. A replaced sample belongs to the run that was
  /// written last. A tag that is not known is created as a number without unit.
  virtual AppendResult append(const plant::Run& run, const std::string& node_id,
                              std::span<const Sample> samples) = 0;

  virtual void put_import(const ImportRecord& record) = 0;

  /// Removes a run with the samples that it owns; how many. Throws RUN_MISSING.
  virtual std::int64_t remove_run(const std::string& line_id, const std::string& run_id) = 0;

  /// Durable when it returns. Once only.
  virtual void commit() = 0;
};

class Historian {
 public:
  virtual ~Historian() = default;

  virtual std::unique_ptr<Writer> begin() = 0;

  /// One transaction of one Writer::append.
  AppendResult append(const plant::Run& run, const std::string& node_id,
                      std::span<const Sample> samples);

  /// Samples of one tag, oldest first, filtered by the run that owns them, never by time alone. An
  /// unknown tag gives an empty page. Throws FIELD_RANGE for a limit below 1.
  [[nodiscard]] virtual Page page(const PageRequest& request) const = 0;

  /// The newest sample of a tag that passes the filter and lies before `before`, if any.
  [[nodiscard]] virtual std::optional<Sample> latest(const std::string& node_id,
                                                     const Filter& filter = {},
                                                     TimeUs before = INT64_MAX) const = 0;

  /// Runs that pass the filter, by start, then id; with_samples: only those that own some.
  [[nodiscard]] virtual std::vector<plant::Run> runs(const Filter& filter,
                                                     bool with_samples = true) const = 0;

  /// Tags of a line (all lines when empty), in the order of their creation.
  [[nodiscard]] virtual std::vector<plant::Tag> tags(const std::string& line_id) const = 0;

  /// The newest `limit` import records of a line (all lines when empty), newest first.
  [[nodiscard]] virtual std::vector<ImportRecord> imports(const std::string& line_id,
                                                          std::int64_t limit) const = 0;

  /// Node ids of tags(line_id).
  [[nodiscard]] std::vector<std::string> nodes(const std::string& line_id) const;

  /// Every bucket of [from, to), also empty ones. Reads by page, run by run: one pass over the
  /// samples, memory of one page and the answer. Throws FIELD_RANGE for to <= from, a bucket below
  /// 1 us or more than 1 000 000 buckets.
  [[nodiscard]] std::vector<Aggregate> aggregate(const AggregateRequest& request) const;
};

/// The line of a node id LINE/TAG: what stands before the first '/'.
std::string_view line_of(std::string_view node_id);

/// All samples of a tag that pass the filter, after the cursor if there is one, in one page.
std::vector<Sample> read_all(const Historian& historian, PageRequest request);

}  // namespace flyball::historian
