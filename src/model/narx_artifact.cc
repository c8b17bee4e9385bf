#include "model/narx_artifact.h"

#include <algorithm>

#include "core/digest.h"

namespace flyball::model {
namespace {

[[noreturn]] void refuse(const std::string& detail) {
  throw Error("ARTIFACT_INVALID", {{"detail", detail}});
}

int rank_of(const std::string& role) {
  const std::array<std::string_view, 3> roles{"mv", "dv", "cv"};
  const auto at = std::ranges::find(roles, role);
  if (at == roles.end()) refuse("a variable's role is not mv, dv or cv");
  return static_cast<int>(at - roles.begin());
}

}  // namespace

void pack(const PolynomialNarx& m, NarxArtifact& a) {
  const auto nu = static_cast<std::size_t>(m.inputs());
  a.outputs.resize(m.outputs.size());
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    a.variables[i].mean = m.centre(static_cast<Index>(i));
    a.variables[i].std = m.scale(static_cast<Index>(i));
  }
  for (std::size_t j = 0; j < m.outputs.size(); ++j) {
    NarxArtifactOutput& out = a.outputs[j];
    out.cv = a.variables[nu + j].id;
    out.low = m.outputs[j].low;
    out.high = m.outputs[j].high;
    out.terms.resize(m.outputs[j].terms.size());
    for (std::size_t i = 0; i < out.terms.size(); ++i) {
      const NarxTerm& term = m.outputs[j].terms[i];
      out.terms[i].coefficient = term.coefficient;
      out.terms[i].factors.clear();
      for (const NarxFactor& f : term.factors)
        out.terms[i].factors.push_back({a.variables[static_cast<std::size_t>(f.signal)].id, f.lag});
    }
  }
}

PolynomialNarx unpack(const NarxArtifact& a) {
  PolynomialNarx m;
  m.centre.resize(static_cast<Index>(a.variables.size()));
  m.scale = m.centre;
  std::size_t n_cv = 0;
  for (std::size_t i = 0; i < a.variables.size(); ++i) {
    const ArtifactVariable& v = a.variables[i];
    const int rank = rank_of(v.role);
    if (i > 0 && rank < rank_of(a.variables[i - 1].role))
      refuse("its variables do not stand MVs, DVs, CVs");
    m.n_mv += rank == 0 ? 1 : 0;
    n_cv += rank == 2 ? 1 : 0;
    m.centre(static_cast<Index>(i)) = v.mean;
    m.scale(static_cast<Index>(i)) = v.std;
  }
  if (a.outputs.size() != n_cv) refuse("its outputs are not its CVs");
  for (std::size_t j = 0; j < n_cv; ++j) {
    const NarxArtifactOutput& from = a.outputs[j];
    if (from.cv != a.variables[a.variables.size() - n_cv + j].id)
      refuse("its outputs are not its CVs in order");
    NarxOutput& to = m.outputs.emplace_back();
    to.low = from.low;
    to.high = from.high;
    for (const NarxArtifactTerm& term : from.terms) {
      NarxTerm& made = to.terms.emplace_back();
      made.coefficient = term.coefficient;
      for (const NarxArtifactFactor& f : term.factors) {
        const auto at = std::ranges::find(a.variables, f.variable, &ArtifactVariable::id);
        if (at == a.variables.end()) refuse("a term names " + f.variable + ", which it has not");
        made.factors.push_back({at - a.variables.begin(), f.lag});
      }
    }
  }
  try {
    check(m);
  } catch (const Error& e) {
    refuse(e.what());
  }
  return m;
}

std::string artifact_hash(const NarxArtifact& artifact) {
  return sha256(canonical(to_json_value(artifact)));
}

std::string write_artifact(const NarxArtifact& artifact) {
  Json j = to_json_value(artifact);
  j["artifactHash"] = artifact_hash(artifact);
  return canonical(j) + "\n";
}

NarxArtifact read_narx_artifact(std::string_view bytes) {
  Json j = parse_json(bytes, "model.json");
  if (!j.is_object() || !j.contains("artifactHash") || !j["artifactHash"].is_string())
    refuse("it has no artifactHash");
  const auto given = j["artifactHash"].get<std::string>();
  j.erase("artifactHash");
  std::vector<Problem> problems;
  NarxArtifact artifact = read_record<NarxArtifact>(j, "", problems);
  if (!problems.empty()) throw Error::of("ARTIFACT_UNREADABLE", std::move(problems));
  if (artifact.artifact_kind != kPolynomialNarx) refuse("its kind is " + artifact.artifact_kind);
  if (artifact_hash(artifact) != given) refuse("its artifactHash is not that of its content");
  (void)unpack(artifact);
  return artifact;
}

}  // namespace flyball::model
