#pragma once
// What import_text() and plan_text() share: all that is known of an import before anything is
// stored.
#include "historian/import.h"
#include "historian/run_plan.h"

namespace flyball::historian {

struct PreparedImport {
  bool again = false;  ///< the same bytes were imported to this line before
  TextTable table;
  std::vector<TableTag> tags;
  RunPlan plan;
  ImportResult result;  ///< nothing of what is stored already counts as merged yet
};

/// Throws what import_text() throws.
PreparedImport prepare_import(std::string_view bytes, const ImportOptions& options,
                              const Historian& historian, const ProgressFn& progress,
                              const std::stop_token& stop, const ImportSource& source);

/// Samples of one tag in one series.
std::vector<Sample> samples_of(const PreparedImport& import, std::size_t tag, const Series& series);

}  // namespace flyball::historian
