#include "evaluate/load_model.h"

#include <algorithm>
#include <array>

namespace flyball::evaluate {
namespace {

/// The fields that the records of all kinds share.
template <class Artifact>
LoadedModel common(const Artifact& artifact) {
  LoadedModel out;
  out.variables = artifact.variables;
  out.beat_ms = artifact.beat_ms;
  out.history = static_cast<Index>(artifact.history_steps);
  out.horizon = static_cast<Index>(artifact.horizon_steps);
  out.dataset_sha256 = artifact.dataset_sha256;
  out.artifact_hash = artifact_hash(artifact);
  return out;
}

LoadedModel load_linear(std::string_view bytes) {
  const model::Artifact artifact = model::read_artifact(bytes);
  const model::LinearStateSpace m = model::unpack(artifact);
  LoadedModel out = common(artifact);
  out.spectral_radius = model::spectral_radius(m);
  out.predict = predict_with(m);
  return out;
}

/// No history: every row is an answer of its own, NaN where the surface does not hold.
LoadedModel load_static(std::string_view bytes) {
  const model::StaticArtifact artifact = model::read_static_artifact(bytes);
  LoadedModel out;
  out.variables = artifact.variables;
  out.beat_ms = artifact.beat_ms;
  out.history = 0;
  out.horizon = 1;
  out.dataset_sha256 = artifact.dataset_sha256;
  out.artifact_hash = artifact_hash(artifact);
  out.surfaces = model::unpack(artifact);
  out.predict = predict_with(*out.surfaces);
  return out;
}

struct Reader {
  std::string_view kind;
  LoadedModel (*load)(std::string_view bytes);
};

constexpr std::array kReaders{Reader{model::kLinearStateSpace, load_linear},
                              Reader{model::kStaticResponse, load_static}};

}  // namespace

std::vector<std::string> LoadedModel::ids(std::string_view role) const {
  std::vector<std::string> out;
  for (const auto& v : variables) {
    if (v.role == role) out.push_back(v.id);
  }
  return out;
}

bool is_known_kind(std::string_view kind) {
  return std::ranges::find(kReaders, kind, &Reader::kind) != kReaders.end();
}

LoadedModel load_model(std::string_view kind, std::string_view bytes) {
  const auto reader = std::ranges::find(kReaders, kind, &Reader::kind);
  if (reader == kReaders.end()) throw Error("MODEL_KIND", {{"kind", kind}});
  return reader->load(bytes);
}

}  // namespace flyball::evaluate
