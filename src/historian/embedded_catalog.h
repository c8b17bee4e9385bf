#pragma once
// Tags, runs and import records of the embedded store.
#include <optional>
#include <string>
#include <vector>

#include "historian/historian.h"
#include "store/sqlite.h"

namespace flyball::historian {

struct TagRow {
  std::int64_t id = 0;
  std::string node_id;
  DurationUs longest = 0;  ///< no chunk of the tag is longer than this from first to last
};

struct RunRow {
  std::int64_t id = 0;
  plant::Run run;
};

/// The runs that pass a filter.
class RunSet {
 public:
  RunSet() : all_(true) {}
  explicit RunSet(std::vector<std::int64_t> ascending) : all_(false), ids_(std::move(ascending)) {}
  [[nodiscard]] bool has(std::int64_t run) const;
  [[nodiscard]] bool empty() const { return !all_ && ids_.empty(); }
  /// The run, when it is one.
  [[nodiscard]] std::optional<std::int64_t> only() const {
    return ids_.size() == 1 ? std::optional(ids_[0]) : std::nullopt;
  }

 private:
  bool all_;
  std::vector<std::int64_t> ids_;
};

class Catalog {
 public:
  explicit Catalog(store::Database& db);

  std::optional<TagRow> find_tag(const std::string& node_id);
  /// Creates or replaces; its id.
  std::int64_t put_tag(const plant::Tag& tag);
  void set_longest(std::int64_t tag, DurationUs longest);
  std::vector<plant::Tag> tags(const std::string& line_id);
  /// The node id of a row that exists.
  std::string node_of(std::int64_t tag);

  std::optional<RunRow> find_run(const std::string& line_id, const std::string& name);
  /// Creates or replaces; its id.
  std::int64_t put_run(const plant::Run& run);
  void add_samples(std::int64_t run, std::int64_t change);
  std::vector<plant::Run> runs(const Filter& filter, bool with_samples);
  RunSet passing(const Filter& filter);

  void put_import(const ImportRecord& record);
  std::vector<ImportRecord> imports(const std::string& line_id, std::int64_t limit);

 private:
  store::Database& db_;
  store::Statement find_tag_, find_run_, passing_, passing_named_;
};

}  // namespace flyball::historian
