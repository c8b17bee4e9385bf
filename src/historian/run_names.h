#pragma once
// Names of the runs that an import makes.
#include <set>
#include <string>
#include <vector>

#include "historian/import_options.h"

namespace flyball::historian {

class RunNames {
 public:
  /// `taken`: runs of the line; `again`: those that the same file went to before, which come before
  /// the next free number.
  RunNames(const ImportOptions& options, std::set<std::string> taken,
           std::vector<std::string> again)
      : options_(options), taken_(std::move(taken)), again_(std::move(again)) {}

  /// One per text of the run column, else one. Throws NAME_INVALID, IMPORT_RUN_NAMES_CLASH.
  std::vector<std::string> of_table(const TextTable& table, std::vector<Message>& notes);

  /// `count` pieces of a run: RUN-1, RUN-2, ... or, of a run that has only a number, the next ones
  /// that are free. Throws IMPORT_RUN_NAMES_CLASH when a piece is called like a run of the table.
  std::vector<std::string> of_pieces(const std::string& run, std::size_t count);

 private:
  std::string next_free();

  const ImportOptions& options_;
  std::set<std::string> taken_;  ///< in the line
  std::set<std::string> given_;  ///< in this import
  std::vector<std::string> again_;
  std::size_t used_again_ = 0;
  bool numbered_ = false;
};

}  // namespace flyball::historian
