#pragma once
// A historian that keeps everything in memory: for one study, and for tests. Safe for several
// threads.
#include <chrono>
#include <map>
#include <semaphore>
#include <shared_mutex>

#include "historian/historian.h"

namespace flyball::historian {

class MemoryHistorian final : public Historian {
 public:
  /// `patience`: how long a writer waits for another.
  explicit MemoryHistorian(std::chrono::milliseconds patience = std::chrono::seconds(5))
      : patience_(patience) {}

  /// Works on a copy of the tags that it touches, O(stored); an append costs O(n) when the samples
  /// come after those stored, else O(n log n + stored).
  std::unique_ptr<Writer> begin() override;
  [[nodiscard]] Page page(const PageRequest& request) const override;
  [[nodiscard]] std::optional<Sample> latest(const std::string& node_id, const Filter& filter = {},
                                             TimeUs before = INT64_MAX) const override;
  [[nodiscard]] std::vector<plant::Run> runs(const Filter& filter,
                                             bool with_samples = true) const override;
  [[nodiscard]] std::vector<plant::Tag> tags(const std::string& line_id) const override;
  [[nodiscard]] std::vector<ImportRecord> imports(const std::string& line_id,
                                                  std::int64_t limit) const override;

 private:
  friend class MemoryWriter;
  struct Row {
    TimeUs at;
    double value;
    Quality quality;
    std::uint32_t run;  ///< index into runs
  };
  struct OwnedRun {
    plant::Run run;
    std::int64_t samples;  ///< that it owns now
  };
  struct Content {
    std::vector<OwnedRun> runs;
    std::vector<plant::Tag> tags;  ///< in the order of their creation
    std::vector<ImportRecord> imports;
  };
  using Series = std::map<std::string, std::vector<Row>, std::less<>>;  ///< by node id

  [[nodiscard]] std::vector<char> passing_runs(const Filter& filter) const;

  std::chrono::milliseconds patience_;
  std::binary_semaphore free_{1};    ///< taken by the one writer
  mutable std::shared_mutex mutex_;  ///< of what follows
  Content content_;
  Series rows_;
};

}  // namespace flyball::historian
