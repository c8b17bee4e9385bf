#include "dataset/collect.h"
#include "dataset/store.h"
#include "dataset/write.h"

namespace flyball::dataset {
namespace {

/// Series in the files of a staged folder; the one used last stays in memory.
class StagedSeries {
 public:
  StagedSeries(const store::fs::path& data_folder, const Spec& spec, const Limits& limits)
      : staged_(data_folder / "datasets" / "building"),
        folder_(staged_.path()),
        columns_(spec.variables.size()),
        limits_(limits),
        used_(limits.quota_bytes ? used_bytes(data_folder, staged_.path()) : 0) {}

  void keep(Series&& series) {
    last_ = std::move(series);
    at_ = files_.size();
    files_.push_back(series_files(last_.run_id, last_.values.rows()));
    bytes_ += last_.values.rows() * static_cast<std::int64_t>(9 * columns_ + 8);
    check_quota(used_, bytes_, limits_);
    write_series(last_, files_.back(), staged_, written_);
  }

  const Series& at(std::size_t i) {
    if (i != at_) {
      last_ = {};  // first let go of it
      last_ = read_series(folder_, files_[i], columns_);
      at_ = i;
    }
    return last_;
  }

  void emit(std::size_t run, SeriesFile file, const Sink& sink) const {
    const SeriesFiles& f = files_[run];
    const std::string& name = file == SeriesFile::values ? f.values
                              : file == SeriesFile::mask ? f.mask
                                                         : f.t;
    folder_.with(name, [&](std::string_view bytes) { sink(bytes); });
  }

  [[nodiscard]] RunSource source() {
    RunSource out;
    for (const SeriesFiles& f : files_) out.ids.push_back(f.run_id);
    out.at = [this](std::size_t i) -> const Series& { return at(i); };
    return out;
  }

  /// Writes what is missing and puts the folder in its place; an equal dataset that is there stays.
  Saved finish(const Contents& contents, const Report& report, const store::fs::path& data_folder) {
    check_limits(contents.manifest, limits_);
    check_quota(used_, array_bytes(contents.manifest), limits_);
    const std::string hash = hash_of(contents.files);
    Saved out{dataset_id(hash), hash, {}, false};
    out.folder = data_folder / "datasets" / out.id;
    write_files(contents.files, {hash, std::move(written_), report, false, {}}, staged_);
    out.existed = !staged_.commit_as(out.folder);
    if (out.existed) load_summary(out.folder, hash);
    return out;
  }

 private:
  store::StagedFolder staged_;
  Folder folder_;
  std::size_t columns_;
  const Limits& limits_;
  std::int64_t used_, bytes_ = 0;
  std::vector<SeriesFiles> files_;
  Digests written_;
  Series last_;
  std::size_t at_ = SIZE_MAX;
};

}  // namespace

BuiltFolder build_to_folder(const historian::Historian& historian, const Spec& spec,
                            const LineageInput& lineage, const store::fs::path& data_folder,
                            const Limits& limits, const ProgressFn& progress,
                            std::stop_token stop) {
  validate(spec);
  check_nodes(historian, spec);
  BuiltFolder out;
  Built& built = out.built;
  built.dataset.spec = canonical_order(spec);
  StagedSeries series(data_folder, spec, limits);
  collect(
      historian, lineage, built, [&](Series&& run) { series.keep(std::move(run)); }, progress,
      stop);
  const RunSource runs = series.source();
  finish(built, runs, stop);
  const EmitSeries emit = [&](std::size_t run, SeriesFile file, const Sink& sink) {
    series.emit(run, file, sink);
  };
  out.saved = series.finish(contents_of(built, runs, emit), built.report, data_folder);
  if (progress) progress({"dataset", 1, ""});
  return out;
}

}  // namespace flyball::dataset
