#pragma once
// One reading connection of the embedded store. For one thread at a time.
#include <filesystem>
#include <memory>
#include <vector>

#include "historian/embedded_catalog.h"
#include "historian/embedded_chunks.h"
#include "historian/embedded_hot.h"

namespace flyball::historian {

/// Every answer is of one state of the store, that of its beginning.
class EmbeddedReader {
 public:
  explicit EmbeddedReader(const std::filesystem::path& file);

  Page page(const PageRequest& request);
  std::optional<Sample> latest(const std::string& node_id, const Filter& filter, TimeUs before);
  std::vector<plant::Run> runs(const Filter& filter, bool with_samples);
  std::vector<plant::Tag> tags(const std::string& line_id);
  std::vector<ImportRecord> imports(const std::string& line_id, std::int64_t limit);
  std::vector<DamagedChunk> verify();

 private:
  struct Range;  ///< what one page reads

  /// Makes room for what is to come.
  void reserve(const Range& range, std::int64_t limit, std::vector<Sample>& out);
  /// Merges the hot rows before `to`, which were not yet taken, into `out`.
  void take_hot(const RunSet& runs, TimeUs to, std::vector<Sample>& out);
  void take_chunk(const Range& range, const ChunkRow& row, std::vector<Sample>& out);

  std::unique_ptr<store::Database> db_;
  Catalog catalog_;
  HotTable hot_;
  ChunkTable chunks_;
  std::vector<HotSample> hot_rows_;
  std::size_t hot_taken_ = 0;
  std::vector<Sample> part_;
};

}  // namespace flyball::historian
