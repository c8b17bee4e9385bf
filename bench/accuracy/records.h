#pragma once
// The public identification records and how each is cut: the first half for training, the second
// for the test, unless the set itself says which rows are which.
#include <string>
#include <utility>
#include <vector>

#include "dataset/dataset.h"

namespace flyball::bench {

struct Record {
  using Columns = std::vector<int>;  ///< 1-based
  std::string name;
  std::string roles;  ///< u MV, y CV, l CV that is a level
  /// Files that stand side by side, below the folder of the shared data; row by row.
  std::vector<std::pair<std::string, Columns>> files;
  std::vector<std::pair<std::string, Columns>> test_files;  ///< a run of its own, when given
  Index train_rows = 0;                                     ///< 0: the first half
  std::vector<double> goal;  ///< published best per CV, orders chosen on the test half
  [[nodiscard]] bool is_level() const { return roles.find('l') != std::string::npos; }
};

const std::vector<Record>& records();

/// Train and test blocks, no val; model units are those of the file. Empty when a file is absent.
/// The test block begins at once behind train; see leave_purge.
dataset::Dataset read(const Record& record);

/// Takes the H + F rows behind the border off the test block, as the platform does (the test block
/// of a run of its own stays whole).
void leave_purge(dataset::Dataset& data, Index purge);

}  // namespace flyball::bench
