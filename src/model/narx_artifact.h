#pragma once
// model.json of polynomial_narx@1. As for linear_state_space@1: artifactHash is the sha256 of the
// canonical JSON without itself, and there is no clock, path or random id in it.
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "model/artifact.h"
#include "model/polynomial_narx.h"

namespace flyball::model {

inline constexpr std::string_view kPolynomialNarx = "polynomial_narx@1";

struct NarxArtifactFactor {
  std::string variable;
  std::int64_t lag = 0;
  static constexpr auto fields() {
    using F = NarxArtifactFactor;
    return FieldList{field("variable", &F::variable, "input or CV").required(),
                      field("lag", &F::lag, "steps back; a CV has at least 1")
                          .range(0, 100'000)
                          .unit("steps")
                          .required()};
  }
};

struct NarxArtifactTerm {
  std::vector<NarxArtifactFactor> factors;
  double coefficient = 0, std_error = 0, err = 0;
  static constexpr auto fields() {
    using T = NarxArtifactTerm;
    return FieldList{
        field("factors", &T::factors, "of the product; none: the constant").max_length(3),
        field("coefficient", &T::coefficient, "of normalised deviations").required(),
        field("stdError", &T::std_error, "of the coefficient"),
        field("err", &T::err, "share of the CV's variance that it took away when it was chosen")};
  }
};

struct NarxArtifactOutput {
  std::string cv;
  std::vector<NarxArtifactTerm> terms;
  double low = 0, high = 0;
  static constexpr auto fields() {
    using O = NarxArtifactOutput;
    return FieldList{
        field("cv", &O::cv, "controlled variable").required(),
        field("terms", &O::terms, "of the sum").max_length(512).required(),
        field("low", &O::low, "predictions are held above, model units").required(),
        field("high", &O::high, "predictions are held below, model units").required()};
  }
};

struct NarxArtifact {
  std::int64_t schema_version = 1;
  std::string artifact_kind{kPolynomialNarx};
  std::string model_interface = "polynomial_narx";
  std::string spec_ref, dataset_sha256;
  double beat_ms = 0;
  std::int64_t history_steps = 0, horizon_steps = 0;
  std::vector<ArtifactVariable> variables;  ///< MVs, DVs, CVs; mean and std are centre and scale
  std::vector<NarxArtifactOutput> outputs;  ///< CVs in order
  std::int64_t seed = 0;
  std::string trainer_version;
  static constexpr auto fields() {
    using M = NarxArtifact;
    return FieldList{
        field("schemaVersion", &M::schema_version, "version of this record").range(1, 1).required(),
        field("artifactKind", &M::artifact_kind, "polynomial_narx@1").required(),
        field("modelInterface", &M::model_interface, "polynomial_narx").required(),
        field("specRef", &M::spec_ref, "sha256 of the dataset's spec"),
        field("datasetSha256", &M::dataset_sha256, "dataset it was trained on").required(),
        field("beatMs", &M::beat_ms, "length of a step")
            .range(0.001, 86'400'000)
            .unit("ms")
            .required(),
        field("historySteps", &M::history_steps, "H").range(1, 100'000).unit("steps").required(),
        field("horizonSteps", &M::horizon_steps, "P, steps it was judged at")
            .range(1, 512)
            .unit("steps")
            .required(),
        field("variables", &M::variables, "MVs, DVs, CVs; deviations are from mean over std")
            .max_length(64)
            .required(),
        field("outputs", &M::outputs, "per CV").max_length(64).required(),
        field("seed", &M::seed, "seed"),
        field("trainerVersion", &M::trainer_version, "how it was trained")};
  }
};

/// Puts centre, scale, terms and bounds into the record, whose variables are set. Standard errors
/// and ERR stay as they are where the terms stand already.
void pack(const PolynomialNarx& model, NarxArtifact& artifact);

/// Throws ARTIFACT_INVALID when variables, terms and bounds do not make a model.
PolynomialNarx unpack(const NarxArtifact& artifact);

std::string artifact_hash(const NarxArtifact& artifact);
std::string write_artifact(const NarxArtifact& artifact);

/// Strict; throws ARTIFACT_INVALID or ARTIFACT_UNREADABLE as read_artifact of linear models.
NarxArtifact read_narx_artifact(std::string_view bytes);

}  // namespace flyball::model
