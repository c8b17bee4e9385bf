#pragma once
// The writing connection of the embedded store, and what it remembers from one transaction to the
// next.
#include <filesystem>
#include <semaphore>
#include <string>
#include <unordered_map>

#include "historian/embedded_catalog.h"
#include "historian/embedded_chunks.h"
#include "historian/embedded_historian.h"
#include "historian/embedded_hot.h"

namespace flyball::historian {

struct TagState {
  TagRow row;
  DurationUs longest_stored = 0;     ///< row.longest as the table has it
  std::optional<TimeUs> newest;      ///< no stored sample is later
  std::size_t hot = 0;               ///< hot rows
  std::optional<std::int64_t> slab;  ///< one that is listed for the tag, if known
};

class EmbeddedStore {
 public:
  /// Creates the database where it is missing.
  EmbeddedStore(const std::filesystem::path& file, const EmbeddedOptions& options);

  EmbeddedOptions options;
  store::Database db;
  Catalog catalog;
  HotTable hot;
  ChunkTable chunks;
  std::binary_semaphore free{1};  ///< taken by the one writer

  // What follows is called inside a transaction.

  /// Forgets everything when another connection has written since the last call.
  void refresh();
  void forget();
  /// The state of a tag, which is created where there is none.
  TagState& tag(const std::string& node_id);
  /// Throws RUN_MISMATCH.
  void check_run(const plant::Run& run);
  /// The id of a run, which is created, or replaced where it differs.
  std::int64_t put_run(const plant::Run& run);
  /// Removes the rows of a run and of its samples; how many samples. O(chunks).
  std::int64_t remove_run(std::int64_t id);

 private:
  TagState load(const std::string& node_id);
  RunRow* find_run(const plant::Run& run);

  store::Statement version_;
  std::int64_t seen_version_ = -1;
  std::unordered_map<std::string, TagState> tags_;
  std::unordered_map<std::string, RunRow> runs_;  ///< by LINE/RUN
};

}  // namespace flyball::historian
