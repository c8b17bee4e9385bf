#include "dataset/snapshot.h"

#include <algorithm>
#include <map>

#include "dataset/windows_form.h"

namespace flyball::dataset {
namespace {

constexpr std::size_t kIdDigits = 16;

Emit text(std::string bytes) {
  return [bytes = std::move(bytes)](const Sink& sink) { sink(bytes); };
}

}  // namespace

std::vector<std::string> hashed_paths(const Manifest& manifest) {
  const Artifacts& a = manifest.artifacts;
  std::vector<std::string> out{kManifestFile};
  for (const auto* path : {&a.x, &a.u, &a.y, &a.timestamps, &a.mask}) {
    if (*path) out.push_back(**path);
  }
  out.push_back(a.sidecar);
  std::vector<std::string> series;
  for (const SeriesFiles& s : a.series) series.insert(series.end(), {s.values, s.mask, s.t});
  std::ranges::sort(series);
  out.insert(out.end(), series.begin(), series.end());
  return out;
}

std::string dataset_id(const std::string& sha256) {
  return "ds-" + sha256.substr(0, kIdDigits);
}

Contents contents_of(const Built& built, const RunSource& runs, const EmitSeries& series) {
  const Dataset& d = built.dataset;
  std::string spec = canonical(to_json_value(d.spec));
  Contents out{manifest_of(built, sha256(spec)), {}};
  const Artifacts& a = out.manifest.artifacts;
  std::map<std::string, Emit> files;
  files[kManifestFile] = text(canonical(to_json_value(out.manifest)));
  files[a.sidecar] = text(canonical(to_json_value(sidecar_of(out.manifest, built))));
  const auto add = [&](const std::optional<std::string>& path, WindowArray array) {
    if (!path) return;
    files[*path] = [&d, &runs, array](const Sink& sink) {
      emit_windows(array, d.spec, d.blocks, d.norm, runs, sink);
    };
  };
  add(a.x, WindowArray::x);
  add(a.u, WindowArray::u);
  add(a.y, WindowArray::y);
  add(a.timestamps, WindowArray::timestamps);
  add(a.mask, WindowArray::mask);
  for (std::size_t i = 0; i < a.series.size(); ++i) {
    const auto part = [&series, i](SeriesFile file) {
      return [series, i, file](const Sink& sink) { series(i, file, sink); };
    };
    files[a.series[i].values] = part(SeriesFile::values);
    files[a.series[i].mask] = part(SeriesFile::mask);
    files[a.series[i].t] = part(SeriesFile::t);
  }
  out.files.push_back({kSpecFile, text(std::move(spec))});
  for (const std::string& path : hashed_paths(out.manifest))
    out.files.push_back({path, std::move(files.at(path))});
  return out;
}

Contents contents_of(const Built& built, const RunSource& runs) {
  return contents_of(built, runs, [&runs](std::size_t run, SeriesFile file, const Sink& sink) {
    emit_series(runs.at(run), file, sink);
  });
}

std::string hash_of(const std::vector<FileSource>& files) {
  DatasetHash hash;
  for (const FileSource& file : files) {
    hash.begin(file.path);
    file.emit([&](std::string_view bytes) { hash.add(bytes); });
  }
  return hash.hex();
}

}  // namespace flyball::dataset
