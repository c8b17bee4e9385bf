#pragma once
// Rows of the embedded store that are not yet in a chunk: one a sample.
#include <optional>
#include <vector>

#include "historian/embedded_catalog.h"
#include "historian/historian.h"
#include "store/sqlite.h"

namespace flyball::historian {

struct HotSample {
  Sample sample;
  std::int64_t run = 0;
};

class HotTable {
 public:
  explicit HotTable(store::Database& db);

  /// Replaces `out` by the rows of a tag in [from, to], both inclusive, by time.
  void between(std::int64_t tag, TimeUs from, TimeUs to, std::vector<HotSample>& out);
  /// The newest row of a tag at or before `to` that a run of the set owns.
  std::optional<Sample> newest(std::int64_t tag, const RunSet& runs, TimeUs to);

  /// Ascending samples at times that have no row. `slab`: one that is listed for the tag, if known;
  /// afterwards that of the last sample.
  void insert(std::int64_t tag, std::int64_t run, std::span<const Sample> samples,
              std::optional<std::int64_t>& slab);
  void erase(std::int64_t tag, TimeUs at);
  void erase_all(std::int64_t tag);

 private:
  store::Statement slabs_, slabs_down_, rows_, rows_down_;
  store::Statement list_, insert_, erase_, erase_slab_, unlist_;
};

}  // namespace flyball::historian
