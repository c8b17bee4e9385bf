#include "dataset/manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/digest.h"

namespace flyball::dataset {
namespace {

constexpr std::size_t kLongestName = 120;
constexpr std::size_t kHashDigits = 16;
constexpr const char* kTaken = "timestamps";  // .f64 is a file of the windows form

std::vector<std::string> nodes(const Spec& spec, std::optional<Role> role) {
  std::vector<std::string> out;
  for (const Variable& v : spec.variables) {
    if (!role || v.role == *role) out.push_back(v.node_id);
  }
  return out;
}

Norm pick(const Norm& norm, const std::vector<Index>& columns) {
  Norm out;
  for (const Index c : columns) {
    const auto i = static_cast<std::size_t>(c);
    out.mean.push_back(norm.mean[i]);
    out.std.push_back(norm.std[i]);
    out.min.push_back(norm.min[i]);
    out.max.push_back(norm.max[i]);
  }
  return out;
}

std::optional<double> to_ms(std::optional<TimeUs> t) {
  return t ? std::optional(static_cast<double>(*t) / 1000) : std::nullopt;
}

std::vector<std::string> run_ids(const Dataset& dataset, Part part) {
  std::vector<std::string> out;
  for (const Block* block : dataset.part(part)) {
    if (std::ranges::find(out, block->run_id) == out.end()) out.push_back(block->run_id);
  }
  return out;
}

SplitRecord split_of(const Built& built) {
  const PartCounts& windows = built.report.windows;
  return {windows.train,
          windows.val,
          windows.test,
          run_ids(built.dataset, Part::train),
          run_ids(built.dataset, Part::val),
          run_ids(built.dataset, Part::test),
          built.dataset.blocks};
}

void add_windows(Manifest& m) {
  const auto size = [](const std::vector<std::string>& nodes) {
    return static_cast<std::int64_t>(nodes.size());
  };
  const std::int64_t n = m.window_count;
  const Window& w = m.spec.window;
  m.shapes = Shapes{{n, w.history_steps, size(m.all_nodes)},
                    {n, w.horizon_steps, size(m.control_nodes)},
                    {n, w.horizon_steps, size(m.target_nodes)}};
  m.artifacts.x = "arrays/x.f32";
  m.artifacts.u = "arrays/u.f32";
  m.artifacts.y = "arrays/y.f32";
  m.artifacts.timestamps = "arrays/timestamps.f64";
  m.artifacts.mask = "arrays/mask.f32";
}

ProvenanceRecord provenance_of(const Built& built) {
  const Spec& spec = built.dataset.spec;
  const Provenance& p = built.report.provenance;
  ProvenanceRecord out;
  out.line_id = spec.line_id;
  out.product_id = spec.product_id;
  out.recipe_id = spec.recipe_id;
  out.run_ids = built.report.runs_used;
  out.evidence_source = p.evidence;
  out.availability_watermark = to_ms(p.availability_watermark);
  out.captured_at = to_ms(p.captured_at);
  out.recipe_version = p.recipe_version;
  out.recipe_content_hash = p.recipe_content_hash;
  out.run_lineage = p.lineage;
  out.lineage_verified = p.lineage.complete() ? 1 : 0;
  out.runs_dropped = built.report.runs_dropped;
  return out;
}

}  // namespace

std::string file_name_of(const std::string& run_id) {
  std::string out;
  for (const char c : run_id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  if (out == kTaken) return "%74imestamps";
  if (out.size() <= kLongestName) return out;
  return out.substr(0, kLongestName) + "%" + sha256(run_id).substr(0, kHashDigits);
}

SeriesFiles series_files(const std::string& run_id, std::int64_t steps) {
  const std::string base = "arrays/" + file_name_of(run_id);
  return {run_id, steps, base + ".f64", base + ".mask.u8", base + ".t.i64"};
}

Manifest manifest_of(const Built& built, std::string spec_hash) {
  const Dataset& d = built.dataset;
  Manifest m;
  m.spec = d.spec;
  m.materialize = d.spec.materialize;
  m.spec_hash = std::move(spec_hash);
  m.all_nodes = nodes(d.spec, {});
  m.control_nodes = nodes(d.spec, Role::mv);
  m.target_nodes = nodes(d.spec, Role::cv);
  m.feature_nodes = nodes(d.spec, Role::dv);
  for (const Variable& v : d.spec.variables) {
    m.variables.push_back({v.id, v.node_id, v.role, v.unit,
                           v.model_unit.empty() ? v.unit : v.model_unit, v.scale.value(),
                           v.offset.value(), v.delay_ms});
  }
  m.split = split_of(built);
  m.norm = {d.norm, pick(d.norm, d.columns(Role::mv)), pick(d.norm, d.columns(Role::cv))};
  m.beat_ms = d.spec.beat_ms;
  m.row_count = built.report.row_count;
  m.window_count = built.report.window_count;
  m.cleaning.spike_radius = d.spec.cleaning.hampel_k;
  m.cleaning.max_drop_ratio = d.spec.cleaning.max_drop_ratio;
  m.cleaning.max_gap_ms = d.spec.cleaning.max_gap_ms;
  for (const Variable& v : d.spec.variables) {
    if (!v.mode_tag.empty()) m.cleaning.modes[v.id] = v.modes;
  }
  if (d.spec.materialize == Materialize::windows) add_windows(m);
  m.artifacts.sidecar = "arrays/sidecar.json";
  for (const RunShape& run : built.report.run_shapes)
    m.artifacts.series.push_back(series_files(run.run_id, run.steps));
  m.provenance = provenance_of(built);
  return m;
}

Sidecar sidecar_of(const Manifest& m, const Built& built) {
  Sidecar s;
  s.condition_id = built.report.provenance.condition_id;
  for (const UnitContract& v : m.variables) {
    s.delays[v.id] = v.delay_ms;
    s.variable_order.push_back(v.id);
  }
  s.units = m.variables;
  s.recipe_content_hash = m.provenance.recipe_content_hash;
  s.evidence_source = m.provenance.evidence_source;
  s.availability_watermark = m.provenance.availability_watermark;
  s.split_run_ids = {{"train", m.split.train_run_ids},
                     {"val", m.split.val_run_ids},
                     {"test", m.split.test_run_ids}};
  return s;
}

}  // namespace flyball::dataset
