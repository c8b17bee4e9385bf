#pragma once
// The port to stored time series. Every implementation runs tests/contract/historian_contract.h.
#include <cstdint>
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

class Historian {
 public:
  virtual ~Historian() = default;

  /// Stores samples of one tag that belong to `run`, in one transaction. Samples need not be
  /// sorted; of several at one (tag, time) the last written wins and is counted as merged. The
  /// run's line must be the tag's (NODE_LINE_MISMATCH); a run that is known keeps its product and
  /// recipe (RUN_MISMATCH), its other fields are those of the last append. A replaced sample
  /// belongs to the run that was written last.
  virtual AppendResult append(const plant::Run& run, const std::string& node_id,
                              std::span<const Sample> samples) = 0;

  /// Samples of one tag, oldest first, filtered by the run that owns them, never by time alone. An
  /// unknown tag gives an empty page. Throws FIELD_RANGE for a limit below 1.
  [[nodiscard]] virtual Page page(const PageRequest& request) const = 0;

  /// The newest sample of a tag, if any.
  [[nodiscard]] virtual std::optional<Sample> latest(const std::string& node_id) const = 0;

  /// Runs that own samples and pass the filter, by start, then id.
  [[nodiscard]] virtual std::vector<plant::Run> runs(const Filter& filter) const = 0;

  /// Node ids of a line, in the order of their first append.
  [[nodiscard]] virtual std::vector<std::string> nodes(const std::string& line_id) const = 0;
};

/// The line of a node id LINE/TAG: what stands before the first '/'.
std::string_view line_of(std::string_view node_id);

/// All samples of a tag that pass the filter, page by page.
std::vector<Sample> read_all(const Historian& historian, PageRequest request);

}  // namespace flyball::historian
