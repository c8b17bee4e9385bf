#pragma once
// What is removed because nobody needs it any more. A thing goes when it is older than the days of
// its rule and not among the newest that the rule keeps. Never: what is in production or shadow,
// leased, cited by what stays, or used by a job that has not ended.
//
// Rows go first, all in one transaction, then folders: a process that is killed in between leaves
// folders without a row, which the inventory finds and `entities prune` removes.
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/record.h"
#include "core/time.h"
#include "store/sqlite.h"

namespace flyball::custody {

/// `days` and `kept` of one kind of thing.
struct KeepRule {
  double days = 0;
  std::int64_t kept = 0;
};

struct RetentionRules {
  KeepRule jobs;         ///< ended, without a model; the newest of all
  KeepRule logs;         ///< run.log of ended jobs; the newest of all
  KeepRule experiments;  ///< without a model, of no job that is kept; the newest of a dataset
  KeepRule models;       ///< files of retired models; the newest of a recipe
  KeepRule plans;        ///< candidates of training plans; the newest of a plan
  KeepRule datasets;     ///< that nothing cites; the newest of a line
};

struct Removal {
  std::string what, id, line_id, rule;
  TimeUs since = 0;
  std::int64_t bytes = 0;
  static constexpr auto fields() {
    using R = Removal;
    return FieldList{field("what", &R::what, "jobs, logs, experiments, models or datasets"),
                     field("id", &R::id, "which"),
                     field("lineId", &R::line_id, "of which line"),
                     field("rule", &R::rule, "why it goes"),
                     field("since", &R::since, "not needed since").unit("us"),
                     field("bytes", &R::bytes, "of its files").unit("bytes")};
  }
};

struct RetentionRun {
  std::vector<Removal> removed;
  std::int64_t bytes = 0;
  bool dry_run = false;
  static constexpr auto fields() {
    using R = RetentionRun;
    return FieldList{field("removed", &R::removed, "what is gone, or would be"),
                     field("bytes", &R::bytes, "of their files").unit("bytes"),
                     field("dryRun", &R::dry_run, "nothing was removed")};
  }
};

/// Does it, or says what it would do: a dry run takes the same steps and undoes them. A stop ends
/// between two folders; the next run of `entities prune` removes the rest.
RetentionRun retain(store::Database& db, const std::filesystem::path& data,
                    const RetentionRules& rules, TimeUs now, bool dry_run,
                    const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace flyball::custody
