#include "historian/import.h"

#include <algorithm>

#include "core/checks.h"
#include "historian/prepared_import.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kRejectsInAccount = 100;

/// Appends all series; how many rows replaced rows that were stored before: of a row of several
/// tags, when any of its samples did.
class Storing {
 public:
  Storing(const PreparedImport& import, Writer& writer, const ProgressFn& progress,
          const std::stop_token& stop)
      : import_(import), writer_(writer), progress_(progress), stop_(stop) {
    for (const PlannedRun& planned : import.plan.runs) {
      for (const Series& series : planned.series) all_ += series.tags.size();
    }
  }

  std::int64_t store() {
    for (const TableTag& tag : import_.tags) writer_.put_tag(tag.tag);
    std::int64_t replaced = 0;
    for (const PlannedRun& planned : import_.plan.runs) {
      for (const Series& series : planned.series) replaced += store(planned.run, series);
    }
    return replaced;
  }

 private:
  std::int64_t store(const plant::Run& run, const Series& series) {
    std::int64_t replaced = 0;
    for (const std::size_t tag : series.tags) {
      check_stop(stop_);
      if (progress_) {
        const double share = static_cast<double>(done_++) / static_cast<double>(all_);
        progress_({"import", 0.9 + 0.1 * share, "storing"});
      }
      const std::vector<Sample> samples = samples_of(import_, tag, series);
      const auto appended = writer_.append(run, import_.tags[tag].tag.node_id(), samples);
      replaced = std::max(replaced, appended.merged);
    }
    return replaced;
  }

  const PreparedImport& import_;
  Writer& writer_;
  const ProgressFn& progress_;
  const std::stop_token& stop_;
  std::size_t done_ = 0, all_ = 0;
};

}  // namespace

ImportResult import_text(std::string_view bytes, const ImportOptions& options, Historian& historian,
                         const ProgressFn& progress, const std::stop_token& stop,
                         const ImportSource& source) {
  PreparedImport import = prepare_import(bytes, options, historian, progress, stop);
  check_stop(stop);
  const auto writer = historian.begin();
  const std::int64_t replaced = Storing(import, *writer, progress, stop).store();
  ImportResult& result = import.result;
  result.merged += replaced;
  result.stored -= replaced;
  writer->put_import({source.name, source.sha256, options.line, source.at,
                      canonical(to_json_value(account_of(result)))});
  check_stop(stop);
  writer->commit();
  if (progress) progress({"import", 1.0, "done"});
  return std::move(result);
}

ImportAccount account_of(const ImportResult& r) {
  ImportAccount out{r.rows_in, r.stored, r.rejected, r.merged, r.conflicts, r.tags,
                    r.runs,    {},       {},         r.step,   {},          {}};
  if (r.times) {
    out.from = format_time(r.times->from);
    out.to = format_time(r.times->to - 1);
  }
  const std::size_t shown = std::min(r.rejected_rows.size(), kRejectsInAccount);
  for (std::size_t i = 0; i < shown; ++i)
    out.rejected_rows.push_back(words(r.rejected_rows[i].reason));
  for (const Message& note : r.notes) out.notes.push_back(words(note));
  return out;
}

}  // namespace flyball::historian
