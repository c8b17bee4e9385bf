#pragma once
// A historian that keeps everything in memory: for one study, and for tests. Safe for several
// threads, readers beside one writer.
#include <map>
#include <shared_mutex>

#include "historian/historian.h"

namespace flyball::historian {

class MemoryHistorian final : public Historian {
 public:
  /// O(n) when the samples come after those stored, else O(n log n + stored).
  AppendResult append(const plant::Run& run, const std::string& node_id,
                      std::span<const Sample> samples) override;
  [[nodiscard]] Page page(const PageRequest& request) const override;
  [[nodiscard]] std::optional<Sample> latest(const std::string& node_id) const override;
  [[nodiscard]] std::vector<plant::Run> runs(const Filter& filter) const override;
  [[nodiscard]] std::vector<std::string> nodes(const std::string& line_id) const override;

 private:
  struct Row {
    TimeUs at;
    double value;
    Quality quality;
    std::uint32_t run;  ///< index into runs_
  };
  struct OwnedRun {
    plant::Run run;
    std::int64_t samples;  ///< that it owns now
  };

  std::uint32_t put_run(const plant::Run& run);
  std::vector<Row>& series(const std::string& node_id);
  void merge(std::vector<Row>& rows, std::vector<Row> added);

  mutable std::shared_mutex mutex_;
  std::vector<OwnedRun> runs_;
  std::vector<std::string> order_;  ///< node ids by first append
  std::map<std::string, std::vector<Row>, std::less<>> rows_;
};

}  // namespace flyball::historian
