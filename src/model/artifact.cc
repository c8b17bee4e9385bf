#include "model/artifact.h"

#include <algorithm>

#include "core/digest.h"

namespace flyball::model {
namespace {

Rows to_rows(const Matrix& m) {
  Rows rows(static_cast<std::size_t>(m.rows()));
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) rows[static_cast<std::size_t>(i)].push_back(m(i, j));
  }
  return rows;
}

std::vector<double> to_list(const Vector& v) { return {v.begin(), v.end()}; }

Vector from_list(const std::vector<double>& v) {
  return Eigen::Map<const Vector>(v.data(), static_cast<Index>(v.size()));
}

[[noreturn]] void refuse(const std::string& detail) { throw Error("ARTIFACT_INVALID", {{"detail", detail}}); }

/// rows×cols; a matrix without columns is written as rows of empty lists.
Matrix from_rows(const Rows& rows, const char* name, std::size_t n_rows, std::size_t n_cols) {
  bool fits = rows.size() == n_rows;
  for (const auto& row : rows) fits = fits && row.size() == n_cols;
  if (!fits) refuse(std::string(name) + " is not " + std::to_string(n_rows) + "×" + std::to_string(n_cols));
  Matrix m(static_cast<Index>(n_rows), static_cast<Index>(n_cols));
  for (std::size_t i = 0; i < n_rows; ++i) {
    for (std::size_t j = 0; j < n_cols; ++j) m(static_cast<Index>(i), static_cast<Index>(j)) = rows[i][j];
  }
  return m;
}

void check_length(const std::vector<double>& v, const char* name, std::size_t n) {
  if (v.size() != n) refuse(std::string(name) + " has " + std::to_string(v.size()) + " values, not " + std::to_string(n));
}

}  // namespace

std::vector<std::string> Artifact::ids(std::string_view role) const {
  std::vector<std::string> out;
  for (const auto& v : variables) {
    if (v.role == role) out.push_back(v.id);
  }
  return out;
}

void pack(const LinearStateSpace& model, Artifact& a) {
  a.A = to_rows(model.A);
  a.B = to_rows(model.B);
  a.C = to_rows(model.C);
  a.D = to_rows(model.D);
  a.K = to_rows(model.K);
  a.S = to_rows(model.S);
  a.f = to_list(model.f);
  a.g = to_list(model.g);
  a.u0 = to_list(model.u0);
  a.channels = model.channels;
  a.integrators = model.integrators;
  a.disturbance_states = model.disturbance_states;
}

LinearStateSpace unpack(const Artifact& a) {
  const std::size_t n = a.A.size(), ny = a.ids("cv").size(), n_mv = a.ids("mv").size();
  const std::size_t nu = n_mv + a.ids("dv").size(), nc = a.channels.size();
  if (nu + ny != a.variables.size()) refuse("a variable's role is not mv, dv or cv");
  LinearStateSpace m;
  m.A = from_rows(a.A, "A", n, n);
  m.B = from_rows(a.B, "B", n, nc);
  m.C = from_rows(a.C, "C", ny, n);
  m.D = from_rows(a.D, "D", ny, nc);
  m.K = from_rows(a.K, "K", n, ny);
  m.S = from_rows(a.S, "S", ny, ny);
  check_length(a.f, "f", n);
  check_length(a.g, "g", ny);
  check_length(a.u0, "u0", nu);
  m.f = from_list(a.f);
  m.g = from_list(a.g);
  m.u0 = from_list(a.u0);
  m.channels = a.channels;
  m.n_mv = static_cast<Index>(n_mv);
  m.integrators = a.integrators;
  m.disturbance_states = a.disturbance_states;
  try {
    check(m);
  } catch (const Error& e) {
    refuse(e.what());
  }
  return m;
}

std::string artifact_hash(const Artifact& artifact) { return sha256(canonical(to_json_value(artifact))); }

std::string write_artifact(const Artifact& artifact) {
  Json j = to_json_value(artifact);
  j["artifactHash"] = artifact_hash(artifact);
  return canonical(j) + "\n";
}

Artifact read_artifact(std::string_view bytes) {
  Json j = parse_json(bytes, "model.json");
  if (!j.is_object() || !j.contains("artifactHash") || !j["artifactHash"].is_string()) refuse("it has no artifactHash");
  const auto given = j["artifactHash"].get<std::string>();
  j.erase("artifactHash");
  std::vector<Problem> problems;
  Artifact artifact = read_record<Artifact>(j, "", problems);
  if (!problems.empty()) throw Error::of("ARTIFACT_UNREADABLE", std::move(problems));
  if (artifact.artifact_kind != kLinearStateSpace) refuse("its kind is " + artifact.artifact_kind);
  if (artifact_hash(artifact) != given) refuse("its artifactHash is not that of its content");
  (void)unpack(artifact);
  return artifact;
}

}  // namespace flyball::model
