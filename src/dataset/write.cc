#include "dataset/write.h"

#include "store/file_writer.h"

namespace flyball::dataset {
namespace {

/// Writes one file; its digest.
std::string write_file(const std::string& name, const Emit& emit,
                       const store::StagedFolder& staged) {
  Sha256 hash;
  store::FileWriter file(staged.path() / name);
  emit([&](std::string_view bytes) {
    hash.update(bytes);
    file.append(bytes);
  });
  file.finish();
  return hash.hex();
}

}  // namespace

void write_files(const std::vector<FileSource>& files, ReportFile report,
                 store::StagedFolder& staged) {
  for (const FileSource& file : files) {
    if (!report.files.contains(file.path))
      report.files[file.path] = write_file(file.path, file.emit, staged);
  }
  staged.write(kReportFile, report_text(std::move(report)));
}

void write_series(const Series& series, const SeriesFiles& names, store::StagedFolder& staged,
                  Digests& written) {
  const auto write = [&](const std::string& name, SeriesFile file) {
    written[name] = write_file(
        name, [&](const Sink& sink) { emit_series(series, file, sink); }, staged);
  };
  write(names.values, SeriesFile::values);
  write(names.mask, SeriesFile::mask);
  write(names.t, SeriesFile::t);
}

Series read_series(const Folder& folder, const SeriesFiles& files, std::size_t columns) {
  const auto steps = static_cast<std::size_t>(files.steps);
  const auto sized = [&](const std::string& name, std::size_t size, const auto& f) {
    return folder.with(name, [&](std::string_view bytes) {
      if (bytes.size() != size) folder.corrupt(name, "its size does not fit the manifest");
      return f(bytes);
    });
  };
  return sized(files.values, steps * columns * sizeof(double), [&](std::string_view values) {
    return sized(files.mask, steps * columns, [&](std::string_view mask) {
      return sized(files.t, steps * sizeof(TimeUs), [&](std::string_view t) {
        return from_bytes(files.run_id, files.steps, static_cast<Index>(columns), values, mask, t);
      });
    });
  });
}

void check_limits(const Manifest& manifest, const Limits& limits) {
  if (!manifest.shapes) return;
  const Window& w = manifest.spec.window;
  check_windows(manifest.window_count, w.history_steps, w.horizon_steps, limits);
}

}  // namespace flyball::dataset
