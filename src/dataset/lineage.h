#pragma once
// What is known for certain of the recipe under which a run was made (platform.md §2.3): confirmed
// context segments, compared with what the dataset is meant to hold.
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/record.h"
#include "core/time.h"

namespace flyball::dataset {

enum class ContextStatus { draft, confirmed, rejected };
constexpr auto enum_names(ContextStatus) {
  return std::array<std::string_view, 3>{"draft", "confirmed", "rejected"};
}

/// A context segment of a run. Only a confirmed one counts.
struct RunContext {
  std::string run_id, segment_id;
  std::int64_t recipe_version = 0;
  std::string recipe_content_hash;
  Interval interval{};
  ContextStatus status = ContextStatus::draft;
};

/// The recipe that the dataset is of, and what is known of its runs.
struct LineageInput {
  std::optional<std::int64_t> recipe_version;
  std::string recipe_content_hash, condition_id;
  std::vector<RunContext> confirmed;
};

struct DroppedRun {
  std::string run_id, code, reason;
  static constexpr auto fields() {
    return FieldList{field("runId", &DroppedRun::run_id, "run"),
                      field("code", &DroppedRun::code, "stable code of the reason"),
                      field("reason", &DroppedRun::reason, "why it gave nothing")};
  }
};

struct Lineage {
  std::vector<std::string> verified, unknown;
  std::vector<DroppedRun> excluded;
  static constexpr auto fields() {
    return FieldList{field("verified", &Lineage::verified, "runs whose recipe was confirmed"),
                      field("unknown", &Lineage::unknown, "runs whose recipe was not confirmed"),
                      field("excluded", &Lineage::excluded, "runs whose recipe contradicts")};
  }
  /// Every run's recipe is confirmed and none contradicts.
  [[nodiscard]] bool complete() const {
    return unknown.empty() && excluded.empty() && !verified.empty();
  }
};

enum class LineageClass { verified, unknown, excluded };

struct LineageVerdict {
  LineageClass kind = LineageClass::unknown;
  std::optional<Message> reason;  ///< of excluded
};

/// `used`: the samples of the run that the dataset reads, last one included. excluded: a confirmed
/// segment that overlaps it has another recipe version or content. verified: version and content
/// are given, and confirmed segments with both cover all of it. Else unknown.
LineageVerdict classify_run(const LineageInput& input, const std::string& run_id, Interval used);

}  // namespace flyball::dataset
