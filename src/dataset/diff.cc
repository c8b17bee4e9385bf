#include "dataset/diff.h"

#include <algorithm>
#include <set>

#include "dataset/store.h"

namespace flyball::dataset {
namespace {

using Map = std::map<std::string, std::string>;

struct Side {
  Built built;
  ReportFile file;
};

Side read(const store::fs::path& folder) {
  Side out{load_summary(folder), {}};
  out.file = read_report(Folder(folder));
  return out;
}

/// Variables by id, so that one more or fewer does not shift the others.
Json spec_json(const Spec& spec) {
  Json out = to_json_value(spec);
  Json variables = Json::object();
  for (const Variable& v : spec.variables) variables[v.id] = to_json_value(v);
  out["variables"] = std::move(variables);
  return out;
}

Json norm_json(const Dataset& d) {
  Json out = Json::object();
  for (std::size_t c = 0; c < d.spec.variables.size(); ++c) {
    out[d.spec.variables[c].node_id] = {{"mean", number_or_null(d.norm.mean[c])},
                                        {"std", number_or_null(d.norm.std[c])},
                                        {"min", number_or_null(d.norm.min[c])},
                                        {"max", number_or_null(d.norm.max[c])}};
  }
  return out;
}

Json counts_json(const Report& r) {
  return {{"rowCount", r.row_count},
          {"rows", to_json_value(r.rows)},
          {"windows", to_json_value(r.windows)},
          {"cleaning", to_json_value(r.cleaning)}};
}

/// The runs that both used: shape and dropped samples.
Json runs_json(const Report& r, const std::set<std::string>& shared) {
  Json out = Json::object();
  for (const RunShape& shape : r.run_shapes) {
    if (!shared.contains(shape.run_id)) continue;
    out[shape.run_id] = to_json_value(shape);
    if (const auto it = r.run_cleaning.find(shape.run_id); it != r.run_cleaning.end())
      out[shape.run_id]["cleaning"] = to_json_value(it->second);
  }
  return out;
}

std::vector<std::string> without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> out;
  for (const std::string& id : all) {
    if (std::ranges::find(others, id) == others.end()) out.push_back(id);
  }
  return out;
}

std::vector<FileDiff> file_diffs(const Map& a, const Map& b) {
  std::map<std::string, FileDiff> out;
  for (const auto& [path, hash] : a) out[path] = {path, hash, ""};
  for (const auto& [path, hash] : b) {
    out[path].path = path;
    out[path].b = hash;
  }
  std::vector<FileDiff> list;
  for (auto& [path, d] : out) {
    if (d.a != d.b) list.push_back(std::move(d));
  }
  return list;
}

}  // namespace

std::vector<ValueDiff> diff_json(const Json& a, const Json& b, const std::string& at) {
  std::vector<ValueDiff> out;
  const auto append = [&](const Json& x, const Json& y, const std::string& where) {
    auto inner = diff_json(x, y, where);
    std::ranges::move(inner, std::back_inserter(out));
  };
  if (a == b) return out;
  if (a.is_object() && b.is_object()) {
    std::set<std::string> keys;
    for (const auto& [key, value] : a.items()) keys.insert(key);
    for (const auto& [key, value] : b.items()) keys.insert(key);
    for (const std::string& key : keys) {
      append(a.value(key, Json()), b.value(key, Json()),
             at + "/" + record_detail::escape_pointer(key));
    }
  } else if (a.is_array() && b.is_array()) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      append(i < a.size() ? a[i] : Json(), i < b.size() ? b[i] : Json(),
             at + "/" + std::to_string(i));
    }
  } else {
    out.push_back({at, a, b});
  }
  return out;
}

DatasetDiff diff(const store::fs::path& folder_a, const store::fs::path& folder_b) {
  const Side a = read(folder_a), b = read(folder_b);
  const Report &ra = a.file.report, &rb = b.file.report;
  DatasetDiff out;
  out.a = a.file.sha256;
  out.b = b.file.sha256;
  out.same = out.a == out.b;
  out.spec = diff_json(spec_json(a.built.dataset.spec), spec_json(b.built.dataset.spec));
  out.runs_only_a = without(ra.runs_used, rb.runs_used);
  out.runs_only_b = without(rb.runs_used, ra.runs_used);
  const std::set<std::string> shared(ra.runs_used.begin(), ra.runs_used.end());
  const std::set<std::string> other(rb.runs_used.begin(), rb.runs_used.end());
  out.runs = diff_json(runs_json(ra, other), runs_json(rb, shared));
  out.counts = diff_json(counts_json(ra), counts_json(rb));
  out.norms = diff_json(norm_json(a.built.dataset), norm_json(b.built.dataset));
  out.lineage = diff_json(to_json_value(ra.provenance), to_json_value(rb.provenance));
  out.files = file_diffs(a.file.files, b.file.files);
  return out;
}

}  // namespace flyball::dataset
