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

/// What is stored of a tag at the times of `samples`, before the transaction that is open.
std::vector<Sample> stored_beside(const Historian& stored, const std::string& node_id,
                                  const std::vector<Sample>& samples, const Filter& filter = {}) {
  PageRequest request;
  request.node_id = node_id;
  request.filter = filter;
  request.from = samples.front().at;
  request.to = samples.back().at + 1;
  std::vector<Sample> out = read_all(stored, request);
  auto at = samples.begin();
  std::erase_if(out, [&](const Sample& old) {
    while (at != samples.end() && at->at < old.at) ++at;
    return at == samples.end() || at->at != old.at;
  });
  return out;
}

/// The samples without those that are stored just so: these stay with the run that has them.
std::vector<Sample> without_equal(const std::vector<Sample>& samples,
                                  const std::vector<Sample>& stored) {
  std::vector<Sample> out;
  out.reserve(samples.size());
  auto old = stored.begin();
  for (const Sample& s : samples) {
    while (old != stored.end() && old->at < s.at) ++old;
    if (old == stored.end() || old->at != s.at || !same(s, *old)) out.push_back(s);
  }
  return out;
}

/// Another run that owns a stored sample at one of the times; "" when there is none.
std::string owner_of(const Historian& stored, const plant::Run& run, const std::string& node_id,
                     const std::vector<Sample>& samples) {
  for (const plant::Run& other : stored.runs({.line_id = run.line_id})) {
    const bool apart = other.started_at > samples.back().at ||
                       (other.ended_at && *other.ended_at <= samples.front().at);
    if (other.id == run.id || apart) continue;
    const Filter filter{other.line_id, other.product_id, other.recipe_id, other.id};
    if (!stored_beside(stored, node_id, samples, filter).empty()) return other.id;
  }
  return "";
}

/// Appends all series; how many rows replaced rows that were stored before: of a row of several
/// tags, when any of its samples did.
class Storing {
 public:
  /// whole_rows: samples that are stored just so go to the run too.
  Storing(const PreparedImport& import, const Historian& stored, Writer& writer, bool whole_rows,
          const ProgressFn& progress, const std::stop_token& stop)
      : import_(import),
        stored_(stored),
        writer_(writer),
        progress_(progress),
        stop_(stop),
        whole_rows_(whole_rows) {
    for (const PlannedRun& planned : import.plan.runs) {
      for (const Series& series : planned.series) all_ += series.tags.size();
    }
  }

  [[nodiscard]] std::int64_t conflicts() const { return conflicts_; }
  /// Samples at times that the store had not.
  [[nodiscard]] std::int64_t stored_new() const { return stored_new_; }
  /// Another run that samples were taken from; "" when there is none.
  [[nodiscard]] const std::string& taken_from() const { return taken_from_; }
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
      const std::vector<Sample> old = stored_beside(stored_, node_id, samples);
      replaced = std::max(replaced, std::ssize(old));
      stored_new_ += std::ssize(samples) - std::ssize(old);
      if (old.empty()) {
        writer_.append(run, node_id, samples);
        continue;
      }
      const std::vector<Sample> changes = without_equal(samples, old);
      if (!changes.empty()) note_conflicts(stored_beside(stored_, node_id, changes), conflicts);
      // Rows that were asked for go whole to their run; else what is stored just so stays.
      const std::vector<Sample>& moving = whole_rows_ ? samples : changes;
      if (moving.empty()) continue;
      if (taken_from_.empty()) taken_from_ = owner_of(stored_, run, node_id, moving);
      writer_.append(run, node_id, moving);
    }
    conflicts_ += conflicts;
    return replaced;
  }

  void note_conflicts(const std::vector<Sample>& changed, std::int64_t& conflicts) {
    if (changed.empty()) return;
    conflicts = std::max(conflicts, std::ssize(changed));
    first_conflict_ = std::min(first_conflict_.value_or(changed.front().at), changed.front().at);
  }

  const PreparedImport& import_;
  const Historian& stored_;
  Writer& writer_;
  const ProgressFn& progress_;
  const std::stop_token& stop_;
  std::size_t done_ = 0, all_ = 0;
  bool whole_rows_;
  std::int64_t conflicts_ = 0, stored_new_ = 0;
  std::string taken_from_;
  std::optional<TimeUs> first_conflict_;
};

/// What would change what is stored in a way that nobody asked for.
void check_runs(const PreparedImport& import, const ImportOptions& options,
                const std::string& taken_from, std::int64_t stored_new, ImportResult& result) {
  const std::string& run = import.plan.runs.front().run.id;
  if (import.again && !options.run && stored_new > 0) {
    throw Error("IMPORT_AGAIN_DIFFERS",
                {{"run", run}, {"new", stored_new}, {"line", options.line}});
  }
  if (taken_from.empty()) return;
  if (!options.on_duplicate)
    throw Error("IMPORT_TAKES", {{"run", run}, {"from", taken_from}, {"line", options.line}});
  result.notes.push_back({"IMPORT_TOOK", {{"run", run}, {"from", taken_from}}});
}

/// A file that would put other values in the place of many that are stored is most likely other
/// data under the same names: that has to be asked for.
void check_replacing(const PreparedImport& import, const ImportOptions& options,
                     std::int64_t conflicts, std::optional<TimeUs> first) {
  if (conflicts == 0) return;
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
  Storing storing(import, historian, *writer, options.on_duplicate.has_value(), progress, stop);
  const std::int64_t replaced = storing.store();
  check_replacing(import, options, storing.conflicts(), storing.first_conflict());
  check_runs(import, options, storing.taken_from(), storing.stored_new(), import.result);
  ImportResult& result = import.result;
  result.conflicts += storing.conflicts();
  if (storing.conflicts() > 0)
    result.notes.push_back({"IMPORT_REPLACED", {{"count", storing.conflicts()}}});
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
