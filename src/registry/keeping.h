#pragma once
// What is no longer needed: experiments that made no model, files of retired models, datasets that
// nobody cites. Each removal asks once more, in its own statement, whether it still may.
#include <string>
#include <vector>

#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::registry {

/// `group`: among which "the newest" are counted.
struct Forgettable {
  std::string id, line_id, group;
  TimeUs at = 0;  ///< since when
};

class Keeping {
 public:
  explicit Keeping(store::Database& db) : db_(db) {}

  /// Each list newest first. Those that made no model; group: the dataset.
  [[nodiscard]] std::vector<Forgettable> experiments();
  /// Retired, with their files, that no lease and no training plan holds at `now`; since they were
  /// retired; group: the recipe.
  [[nodiscard]] std::vector<Forgettable> models(TimeUs now);
  /// Candidates that a training plan made and that nothing uses: neither its newest model nor
  /// leased nor evaluated nor ever moved between stages; group: the plan.
  [[nodiscard]] std::vector<Forgettable> plan_candidates(TimeUs now);
  /// That no experiment, model or lease names; group: the line.
  [[nodiscard]] std::vector<Forgettable> datasets(TimeUs now);

  /// False when it may not be forgotten any more; nothing is changed then. A dataset keeps the
  /// count of the experiments that were forgotten: its budget is spent.
  bool forget_experiment(const std::string& id);
  bool forget_dataset(const std::string& id, TimeUs now);
  /// A candidate of a plan with its experiment: the row goes, its files may.
  bool forget_candidate(const std::string& id, TimeUs now);
  /// The row stays, its files may go.
  bool prune_model(const std::string& id, TimeUs now);

 private:
  store::Database& db_;
};

}  // namespace flyball::registry
