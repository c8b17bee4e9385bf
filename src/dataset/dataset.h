#pragma once
// A dataset in memory, series form: what identify and evaluate read. dataset/store.h writes it to a
// folder and reads it back; windows are index arithmetic on the series and are never stored.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "dataset/spec.h"
#include "math/types.h"

namespace flyball::dataset {

/// One run on the beat grid. Columns in the order of spec.variables, model units, NaN = missing.
struct Series {
  std::string run_id;
  std::vector<TimeUs> t;  ///< start of each step
  Matrix values;          ///< steps × nAll
  Mask mask;              ///< steps × nAll: 0 missing, 1 observed, 2 held or interpolated
};

/// The runs of a dataset, one at a time, in memory or read from files.
struct RunSource {
  std::vector<std::string> ids;
  std::function<const Series&(std::size_t)> at;  ///< the reference is good until the next call
  /// Throws RUN_NOT_IN_DATASET.
  [[nodiscard]] const Series& of(const std::string& id) const;
};
/// `runs` must outlive it.
RunSource in_memory(const std::vector<Series>& runs);

/// A contiguous stretch of one run that belongs to one part. The purge is already taken off:
/// [first, first + steps) are the rows that may be used.
struct Block {
  std::string block_id;  ///< "<run>#<i>"
  std::string run_id;
  Part split = Part::train;
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  std::int64_t purge_before_steps = 0;
  std::int64_t purge_after_steps = 0;
  std::int64_t unique_steps = 0;  ///< usable time steps
  static constexpr auto fields() {
    return FieldList{
        field("blockId", &Block::block_id, "<run>#<i>"),
        field("runId", &Block::run_id, "run"),
        field("split", &Block::split, "part"),
        field("firstStep", &Block::first_step, "first row of the run's series"),
        field("steps", &Block::steps, "rows"),
        field("purgeBeforeSteps", &Block::purge_before_steps, "rows discarded before the block"),
        field("purgeAfterSteps", &Block::purge_after_steps, "rows discarded after it"),
        field("uniqueSteps", &Block::unique_steps, "usable time steps")};
  }
};

/// Mean and sample standard deviation (n−1) per column over the train rows, model units.
struct Norm {
  std::vector<double> mean, std, min, max;
  static constexpr auto fields() {
    return FieldList{
        field("mean", &Norm::mean, "per variable"), field("std", &Norm::std, "per variable"),
        field("min", &Norm::min, "per variable"), field("max", &Norm::max, "per variable")};
  }
};

struct Dataset {
  Spec spec;
  std::vector<Series> runs;
  std::vector<Block> blocks;  ///< ordered train, val, test; inside a part by run, then time
  Norm norm;

  /// Columns of a role in spec order.
  [[nodiscard]] std::vector<Index> columns(Role role) const;
  /// Throws RUN_NOT_IN_DATASET.
  [[nodiscard]] const Series& run(const std::string& id) const;
  [[nodiscard]] std::vector<const Block*> part(Part p) const;
  /// Columns that are constant in train. build() refuses a constant CV; a constant MV or DV stands
  /// here, so that identification leaves it out.
  [[nodiscard]] std::vector<Index> constant_columns() const;
};

/// max − min ≤ 1e-9·max|x|: no absolute floor, all zero is constant, NaN (no values) too.
bool is_constant(double min, double max);

}  // namespace flyball::dataset
