#pragma once
// The historian on disk: `historian.db` in a data folder. docs/formats/historian.md has the tables
// and bytes.
//
// A few samples at a time go to hot rows; what comes in dozens, and a tag's hot rows once there are
// about a thousand, go to compressed chunks. Each sample stands in one place only, so a late or
// repeated one costs reading, and where it replaces one writing, of the chunk around it.
//
// Safe for several threads: readers use connections of their own, each answer is of one state, and
// readers and the writer do not wait for each other. Beside the errors of the port, everything may
// throw those of store/sqlite.h. A chunk whose bytes changed gives CHUNK_CORRUPT, naming tag and
// interval, to whoever reads into that interval (also to an append); all else stays readable.
#include <chrono>
#include <filesystem>
#include <mutex>

#include "historian/chunk.h"
#include "historian/historian.h"

namespace flyball::historian {

class EmbeddedReader;
class EmbeddedStore;

/// Tests make the sizes small, to meet every case with few samples.
struct EmbeddedOptions {
  bool read_only = false;
  std::chrono::milliseconds patience{5000};   ///< of a writer that waits for another
  std::size_t chunk_samples = kChunkSamples;  ///< about; also the hot rows of a tag that seal it
  std::size_t direct_samples = 32;            ///< an append of so many makes chunks at once
};

/// A chunk that cannot be read.
struct DamagedChunk {
  std::string node_id;
  TimeUs from = 0, to = 0;  ///< its first and last sample
  std::string reason;
};

class EmbeddedHistorian final : public Historian {
 public:
  using Options = EmbeddedOptions;

  /// Opens; the database is created where it is missing (the folder is not) unless read_only.
  /// Throws FILE_NOT_FOUND (read_only), DATABASE_TOO_NEW, FOLDER_NOT_WRITABLE. Its time does not
  /// depend on what is stored.
  explicit EmbeddedHistorian(const std::filesystem::path& data_folder, const Options& options = {});
  ~EmbeddedHistorian() override;

  /// Whether the folder has a database.
  static bool exists(const std::filesystem::path& data_folder);

  /// Throws FOLDER_NOT_WRITABLE when it was opened read_only, DATABASE_BUSY. commit() throws
  /// DISK_FULL; nothing of the transaction is kept then.
  std::unique_ptr<Writer> begin() override;
  [[nodiscard]] Page page(const PageRequest& request) const override;
  [[nodiscard]] std::optional<Sample> latest(const std::string& node_id, const Filter& filter = {},
                                             TimeUs before = INT64_MAX) const override;
  [[nodiscard]] std::vector<plant::Run> runs(const Filter& filter,
                                             bool with_samples = true) const override;
  [[nodiscard]] std::vector<plant::Tag> tags(const std::string& line_id) const override;
  [[nodiscard]] std::vector<ImportRecord> imports(const std::string& line_id,
                                                  std::int64_t limit) const override;

  /// Reads the whole file: throws DATABASE_CORRUPT when its structure is damaged, else every chunk
  /// that cannot be read, in the order of writing.
  [[nodiscard]] std::vector<DamagedChunk> verify() const;

 private:
  class Lease;

  std::filesystem::path file_;
  Options options_;
  std::unique_ptr<EmbeddedStore> store_;  ///< none when read_only
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<EmbeddedReader>> idle_;  ///< guarded by mutex_
};

}  // namespace flyball::historian
