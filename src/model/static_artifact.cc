#include "model/static_artifact.h"

#include <algorithm>

#include "core/digest.h"

namespace flyball::model {
namespace {

[[noreturn]] void refuse(const std::string& detail) {
  throw Error("ARTIFACT_INVALID", {{"detail", detail}});
}

Vector vector_of(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size()));
}

}  // namespace

std::vector<std::string> StaticArtifact::ids(std::string_view role) const {
  std::vector<std::string> out;
  for (const auto& v : variables) {
    if (v.role == role) out.push_back(v.id);
  }
  return out;
}

void pack(const StaticResponse& model, StaticArtifact& a) {
  for (Index i = 0; i < model.inputs(); ++i) {
    ArtifactVariable& v = a.variables[static_cast<std::size_t>(i)];
    v.mean = model.mean(i);
    v.std = model.scale(i);
    v.min = model.low(i);
    v.max = model.high(i);
  }
  for (std::size_t j = 0; j < model.surfaces.size(); ++j) {
    const Surface& s = model.surfaces[j];
    StaticSurface& out = a.surfaces[j];
    out.terms = s.terms;
    out.coefficients.assign(s.coefficients.begin(), s.coefficients.end());
    out.h_max = s.h_max;
    out.information.clear();
    for (Index r = 0; r < s.information.rows(); ++r) {
      const Vector row = s.information.row(r);
      out.information.emplace_back(row.begin(), row.end());
    }
  }
}

StaticResponse unpack(const StaticArtifact& a) {
  const auto cvs = a.ids("cv");
  const auto n = static_cast<Index>(a.ids("mv").size() + a.ids("dv").size());
  if (static_cast<std::size_t>(n) + cvs.size() != a.variables.size())
    refuse("a variable's role is not mv, dv or cv");
  if (cvs.size() != a.surfaces.size()) refuse("there is not one surface per CV");
  StaticResponse m;
  m.mean.resize(n);
  m.scale.resize(n);
  m.low.resize(n);
  m.high.resize(n);
  for (Index i = 0; i < n; ++i) {
    const ArtifactVariable& v = a.variables[static_cast<std::size_t>(i)];
    if (v.role == "cv") refuse("the CVs do not stand after the inputs");
    m.mean(i) = v.mean;
    m.scale(i) = v.std;
    m.low(i) = v.min;
    m.high(i) = v.max;
  }
  for (std::size_t j = 0; j < a.surfaces.size(); ++j) {
    const StaticSurface& s = a.surfaces[j];
    if (s.cv != cvs[j]) refuse("surface " + s.cv + " does not stand in the order of the CVs");
    const std::size_t p = s.terms.size();
    const bool square =
        s.information.size() == p &&
        std::ranges::all_of(s.information, [&](const auto& row) { return row.size() == p; });
    if (!square) refuse("information is not " + std::to_string(p) + "×" + std::to_string(p));
    Surface& out = m.surfaces.emplace_back();
    out.terms = s.terms;
    out.coefficients = vector_of(s.coefficients);
    out.h_max = s.h_max;
    out.information.resize(static_cast<Index>(p), static_cast<Index>(p));
    for (std::size_t r = 0; r < p; ++r)
      out.information.row(static_cast<Index>(r)) = vector_of(s.information[r]).transpose();
  }
  try {
    check(m);
  } catch (const Error& e) {
    refuse(e.what());
  }
  return m;
}

std::string artifact_hash(const StaticArtifact& artifact) {
  return sha256(canonical(to_json_value(artifact)));
}

std::string write_artifact(const StaticArtifact& artifact) {
  Json j = to_json_value(artifact);
  j["artifactHash"] = artifact_hash(artifact);
  return canonical(j) + "\n";
}

StaticArtifact read_static_artifact(std::string_view bytes) {
  Json j = parse_json(bytes, "model.json");
  if (!j.is_object() || !j.contains("artifactHash") || !j["artifactHash"].is_string())
    refuse("it has no artifactHash");
  const auto given = j["artifactHash"].get<std::string>();
  j.erase("artifactHash");
  std::vector<Problem> problems;
  StaticArtifact artifact = read_record<StaticArtifact>(j, "", problems);
  if (!problems.empty()) throw Error::of("ARTIFACT_UNREADABLE", std::move(problems));
  if (artifact.artifact_kind != kStaticResponse) refuse("its kind is " + artifact.artifact_kind);
  if (artifact_hash(artifact) != given) refuse("its artifactHash is not that of its content");
  (void)unpack(artifact);
  return artifact;
}

}  // namespace flyball::model
