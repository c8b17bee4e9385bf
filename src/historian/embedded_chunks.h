#pragma once
// The chunk rows of the embedded store. Chunks of one tag and run do not overlap in time; those of
// several runs may.
#include <optional>
#include <vector>

#include "historian/chunk.h"
#include "historian/embedded_catalog.h"
#include "historian/embedded_historian.h"
#include "store/sqlite.h"

namespace flyball::historian {

struct ChunkRow {
  std::int64_t id = 0;
  TimeUs first = 0, last = 0;  ///< times of its first and last sample
  std::int64_t run = 0;
  std::int64_t samples = 0;
};

class ChunkTable {
 public:
  explicit ChunkTable(store::Database& db);

  /// Finds the chunks of a tag and set of runs that overlap [from, to],
  /// both inclusive; next() gives them by first time. Ended by next() giving none, by finish(), or
  /// by the next find().
  void find(const TagRow& tag, RunSet runs, TimeUs from, TimeUs to);
  std::optional<ChunkRow> next();
  void finish();

  /// The chunk of a run that begins at or last before `at`.
  std::optional<ChunkRow> before(std::int64_t tag, std::int64_t run, TimeUs at);

  /// The newest sample at or before `to` that a run of the set owns.
  std::optional<Sample> newest(const TagRow& tag, const RunSet& runs, TimeUs to);
  /// The newest `last` of all chunks of a tag.
  std::optional<TimeUs> end(const TagRow& tag);

  /// Appends the samples of a chunk. Throws CHUNK_CORRUPT naming tag and interval, and then `out`
  /// is as before.
  void read(const TagRow& tag, const ChunkRow& row, std::vector<Sample>& out);

  void insert(const TagRow& tag, std::int64_t run, std::span<const Sample> samples);
  void erase(std::int64_t id);

  /// Reads every chunk of the file.
  std::vector<DamagedChunk> verify(Catalog& catalog);

 private:
  Sample newest_in(const TagRow& tag, const ChunkRow& row, TimeUs to);
  /// Appends the samples, or says why the row is damaged.
  const char* decode(std::int64_t tag, const ChunkRow& row, std::vector<Sample>& out);

  store::Database& db_;
  store::Statement find_, find_of_run_, before_, newest_, end_, read_, insert_, erase_;
  store::Statement* finding_ = &find_;  ///< answers the last find(), whose arguments follow
  RunSet found_runs_;
  TimeUs found_from_ = 0;
  ChunkEncoder encoder_;
  ChunkDecoder decoder_;
};

}  // namespace flyball::historian
