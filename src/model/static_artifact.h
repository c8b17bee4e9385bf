#pragma once
// model.json of static_response@1. As model/artifact.h: strict, no clock, path or random id,
// artifactHash the sha256 of the canonical JSON without itself.
#include <string>
#include <string_view>
#include <vector>

#include "model/artifact.h"
#include "model/static_response.h"

namespace flyball::model {

inline constexpr std::string_view kStaticResponse = "static_response@1";

struct StaticSurface {
  std::string cv, basis;
  double lambda = 0, h_max = 0;
  std::vector<Term> terms;
  std::vector<double> coefficients, std_errors;
  Rows information;
  static constexpr auto fields() {
    using S = StaticSurface;
    return FieldList{
        field("cv", &S::cv, "controlled variable").required(),
        field("basis", &S::basis, "linear, interactions or quadratic").required(),
        field("lambda", &S::lambda, "ridge on N*var").range(0, 1e6),
        field("hMax", &S::h_max, "largest leverage at which it holds").required(),
        field("terms", &S::terms, "products of normalised inputs").required(),
        field("coefficients", &S::coefficients, "per term, model units of the CV").required(),
        field("stdErrors", &S::std_errors, "per term, model units of the CV"),
        field("information", &S::information, "p*p: leverage = phi' G phi").required()};
  }
};

struct StaticArtifact {
  std::int64_t schema_version = 1;
  std::string artifact_kind{kStaticResponse};
  std::string model_interface = "static_response";
  std::string spec_ref, dataset_sha256;
  double beat_ms = 0;
  std::int64_t horizon_steps = 1;
  std::string points = "segments";
  std::int64_t point_count = 0;             ///< train points
  std::vector<ArtifactVariable> variables;  ///< MVs, DVs, CVs; mean, std and box of train points
  std::vector<StaticSurface> surfaces;      ///< in the order of the CVs
  Json rule;                                ///< how operating points were found
  std::int64_t seed = 0;
  std::string trainer_version;

  static constexpr auto fields() {
    using M = StaticArtifact;
    return FieldList{
        field("schemaVersion", &M::schema_version, "version of this record").range(1, 1).required(),
        field("artifactKind", &M::artifact_kind, "static_response@1").required(),
        field("modelInterface", &M::model_interface, "static_response").required(),
        field("specRef", &M::spec_ref, "sha256 of the dataset's spec"),
        field("datasetSha256", &M::dataset_sha256, "dataset it was trained on").required(),
        field("beatMs", &M::beat_ms, "length of a step")
            .range(0.001, 86'400'000)
            .unit("ms")
            .required(),
        field("horizonSteps", &M::horizon_steps, "always 1").range(1, 1),
        field("points", &M::points, "segments, runs or rows: what a point is the mean of")
            .required(),
        field("pointCount", &M::point_count, "train points").range(1, 1e9).required(),
        field("variables", &M::variables, "MVs, DVs, CVs").max_length(64).required(),
        field("surfaces", &M::surfaces, "per CV").max_length(64).required(),
        field("rule", &M::rule, "how operating points were found"),
        field("seed", &M::seed, "seed"),
        field("trainerVersion", &M::trainer_version, "how it was trained")};
  }

  [[nodiscard]] std::vector<std::string> ids(std::string_view role) const;
};

/// Puts box, scaling and surfaces into a record whose variables and surface names are filled.
void pack(const StaticResponse& model, StaticArtifact& artifact);

/// Throws ARTIFACT_INVALID when shapes do not fit or a number is not finite.
StaticResponse unpack(const StaticArtifact& artifact);

std::string artifact_hash(const StaticArtifact& artifact);
/// Canonical JSON with artifactHash.
std::string write_artifact(const StaticArtifact& artifact);
/// Strict; throws ARTIFACT_UNREADABLE with every problem, ARTIFACT_INVALID for the rest.
StaticArtifact read_static_artifact(std::string_view bytes);

}  // namespace flyball::model
