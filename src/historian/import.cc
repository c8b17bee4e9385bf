#include "historian/import.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "historian/prepared_import.h"
#include "historian/repeated_times.h"

namespace flyball::historian {
namespace {

constexpr std::size_t kRejectsInAccount = 100;

bool same(const Sample& a, const Sample& b) {
  return a.quality == b.quality &&
         (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value)));
}

/// Samples that stood in the store with another value or quality. `stored` shows what was there
/// before the transaction that is open.
std::int64_t changed_samples(const Historian& stored, const std::string& node_id,
                             std::span<const Sample> samples, std::optional<TimeUs>& first) {
  PageRequest request;
  request.node_id = node_id;
  request.from = samples.front().at;
  request.to = samples.back().at + 1;
  std::int64_t changed = 0;
  auto at = samples.begin();
  for (const Sample& old : read_all(stored, request)) {
    while (at != samples.end() && at->at < old.at) ++at;
    if (at == samples.end()) break;
    if (at->at != old.at || same(*at, old)) continue;
    ++changed;
    first = std::min(first.value_or(old.at), old.at);
  }
  return changed;
}

/// Appends all series; how many rows replaced rows that were stored before: of a row of several
/// tags, when any of its samples did.
class Storing {
 public:
  Storing(const PreparedImport& import, const Historian& stored, Writer& writer,
          const ProgressFn& progress, const std::stop_token& stop)
      : import_(import), stored_(stored), writer_(writer), progress_(progress), stop_(stop) {
    for (const PlannedRun& planned : import.plan.runs) {
      for (const Series& series : planned.series) all_ += series.tags.size();
    }
  }

  [[nodiscard]] std::int64_t conflicts() const { return conflicts_; }
  [[nodiscard]] std::optional<TimeUs> first_conflict() const { return first_conflict_; }

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
    std::int64_t replaced = 0, conflicts = 0;
    for (const std::size_t tag : series.tags) {
      check_stop(stop_);
      if (progress_) {
        const double share = static_cast<double>(done_++) / static_cast<double>(all_);
        progress_({"import", 0.9 + 0.1 * share, "storing"});
      }
      const std::vector<Sample> samples = samples_of(import_, tag, series);
      const std::string node_id = import_.tags[tag].tag.node_id();
      const auto appended = writer_.append(run, node_id, samples);
      replaced = std::max(replaced, appended.merged);
      if (appended.merged > 0)
        conflicts =
            std::max(conflicts, changed_samples(stored_, node_id, samples, first_conflict_));
    }
    conflicts_ += conflicts;
    return replaced;
  }

  const PreparedImport& import_;
  const Historian& stored_;
  Writer& writer_;
  const ProgressFn& progress_;
  const std::stop_token& stop_;
  std::size_t done_ = 0, all_ = 0;
  std::int64_t conflicts_ = 0;
  std::optional<TimeUs> first_conflict_;
};

/// A file that would put other values in the place of many that are stored is most likely other
/// data under the same names: that has to be asked for.
void check_replacing(const PreparedImport& import, const ImportOptions& options,
                     std::int64_t conflicts, std::optional<TimeUs> first) {
  if (conflicts == 0 || import.again) return;
  const auto rows = static_cast<std::int64_t>(import.table.rows());
  const bool refused = options.on_duplicate == OnDuplicate::refuse;
  if (refused || (!options.on_duplicate && many_conflicts(conflicts, rows))) {
    throw Error("IMPORT_REPLACES", {{"conflicts", conflicts},
                                    {"rows", rows},
                                    {"line", options.line},
                                    {"time", format_time(*first)}});
  }
}

}  // namespace

ImportResult import_text(std::string_view bytes, const ImportOptions& options, Historian& historian,
                         const ProgressFn& progress, const std::stop_token& stop,
                         const ImportSource& source) {
  PreparedImport import = prepare_import(bytes, options, historian, progress, stop, source);
  check_stop(stop);
  const auto writer = historian.begin();
  Storing storing(import, historian, *writer, progress, stop);
  const std::int64_t replaced = storing.store();
  check_replacing(import, options, storing.conflicts(), storing.first_conflict());
  ImportResult& result = import.result;
  result.conflicts += storing.conflicts();
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
