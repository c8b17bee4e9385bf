#pragma once
// Statistics of the columns of a dataset over all its runs, in passes over the runs.
#include <map>
#include <optional>

#include "dataset/change_scale.h"
#include "dataset/order_statistics.h"
#include "dataset/report.h"

namespace flyball::dataset {

/// Of the cells with a value of one column, whatever their block.
class ColumnStats {
 public:
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double quantum() const { return quantum_.quantum(); }
  /// How often the observed signal stayed how many steps; of each run the last stay counts.
  [[nodiscard]] const std::map<Index, std::int64_t>& stays() const { return stays_; }
  /// Count, moments and quantiles.
  [[nodiscard]] NodeSummary summary() const;

 private:
  friend std::vector<ColumnStats> column_stats(const RunSource& runs, std::size_t columns);
  void first_pass(const double* x, const std::uint8_t* mask, Index steps);
  void end_first_pass();
  void later_pass(const double* x, const std::uint8_t* mask, Index steps, bool squares);

  std::int64_t count_ = 0;
  double first_ = 0, sum_ = 0, mean_ = 0, squares_ = 0, min_ = 0, max_ = 0;
  QuantumFinder quantum_;
  std::map<Index, std::int64_t> stays_;
  std::optional<OrderStatistics> order_;
};

std::vector<ColumnStats> column_stats(const RunSource& runs, std::size_t columns);

}  // namespace flyball::dataset
