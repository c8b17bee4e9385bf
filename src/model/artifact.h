#pragma once
// model.json of linear_state_space@1: the model, what it was trained on and where it holds.
// artifactHash is the sha256 of the canonical JSON without itself; there is no clock, path or
// random id in it, so that the same data, spec, seed and version give the same bytes.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.h"
#include "math/plug_flow.h"
#include "model/linear_state_space.h"

namespace flyball::model {

inline constexpr std::string_view kLinearStateSpace = "linear_state_space@1";

/// An input or output with the box that train covered: the model is not trusted outside.
struct ArtifactVariable {
  std::string id, role, unit;
  double mean = 0, std = 1, min = 0, max = 0;  ///< of the train rows, model units
  std::optional<math::TransportDelay> transport = {};  ///< the model takes what leaves the pipe
  static constexpr auto fields() {
    using V = ArtifactVariable;
    return FieldList{field("id", &V::id, "short tag name").required(), field("role", &V::role, "mv, dv or cv").required(),
                      field("unit", &V::unit, "model unit"), field("mean", &V::mean, "train").required(), field("std", &V::std, "train, n-1").required(),
                      field("min", &V::min, "train").required(), field("max", &V::max, "train").required(),
                      field("transport", &V::transport, "plug flow: the model takes the input as it leaves the pipe")};
  }
};

struct ArtifactDeadTime {
  std::string input, cv;
  std::int64_t steps = 0, low = 0, high = 0;
  static constexpr auto fields() {
    using D = ArtifactDeadTime;
    return FieldList{field("input", &D::input, "MV or DV").required(), field("cv", &D::cv, "controlled variable").required(),
                      field("steps", &D::steps, "first lag that answers").unit("steps").required(),
                      field("low", &D::low, "95 % range").unit("steps"), field("high", &D::high, "95 % range").unit("steps")};
  }
};

/// How one CV was fitted.
struct ArtifactFit {
  std::string cv;
  std::int64_t na = 0, nb = 0;
  double lambda = 0;
  bool differenced = false, integrating = false;
  std::vector<std::string> parameter_names;
  std::vector<double> parameter_values, parameter_std_errors;
  static constexpr auto fields() {
    using F = ArtifactFit;
    return FieldList{field("cv", &F::cv, "controlled variable").required(), field("na", &F::na, "lags of the CV"),
                      field("nb", &F::nb, "lags of each input"), field("lambda", &F::lambda, "ridge on N*var"),
                      field("differenced", &F::differenced, "integrated disturbance"), field("integrating", &F::integrating, "declared a level"),
                      field("parameterNames", &F::parameter_names, "in the order of the values"),
                      field("parameterValues", &F::parameter_values, "model units"), field("parameterStdErrors", &F::parameter_std_errors, "model units")};
  }
};

using Rows = std::vector<std::vector<double>>;

struct Artifact {
  std::int64_t schema_version = 1;
  std::string artifact_kind{kLinearStateSpace};
  std::string model_interface = "linear_state_space";
  std::string spec_ref, dataset_sha256;
  double beat_ms = 0;
  std::int64_t history_steps = 0, horizon_steps = 0;
  std::vector<ArtifactVariable> variables;  ///< MVs, DVs, CVs
  std::vector<ArtifactDeadTime> dead_times;
  std::vector<ArtifactFit> fits;
  Rows A, B, C, D, K, S;
  std::vector<double> f, g, u0;
  std::vector<Channel> channels;
  std::int64_t integrators = 0, disturbance_states = 0;
  std::int64_t seed = 0;
  std::string trainer_version;

  static constexpr auto fields() {
    using M = Artifact;
    return FieldList{
        field("schemaVersion", &M::schema_version, "version of this record").range(1, 1).required(),
        field("artifactKind", &M::artifact_kind, "linear_state_space@1").required(),
        field("modelInterface", &M::model_interface, "linear_state_space").required(),
        field("specRef", &M::spec_ref, "sha256 of the dataset's spec"),
        field("datasetSha256", &M::dataset_sha256, "dataset it was trained on").required(),
        field("beatMs", &M::beat_ms, "length of a step").range(0.001, 86'400'000).unit("ms").required(),
        field("historySteps", &M::history_steps, "H").range(1, 100'000).unit("steps").required(),
        field("horizonSteps", &M::horizon_steps, "P, steps it was judged at").range(1, 512).unit("steps").required(),
        field("variables", &M::variables, "MVs, DVs, CVs").max_length(64).required(),
        field("deadTimes", &M::dead_times, "per input and CV"), field("fits", &M::fits, "per CV"),
        field("A", &M::A, "n*n").required(), field("B", &M::B, "n*channels").required(), field("C", &M::C, "ny*n").required(),
        field("D", &M::D, "ny*channels").required(), field("K", &M::K, "n*ny predictor gain").required(),
        field("S", &M::S, "ny*ny innovation covariance").required(), field("f", &M::f, "n").required(),
        field("g", &M::g, "ny").required(), field("u0", &M::u0, "inputs").required(),
        field("channels", &M::channels, "input and delay of each column of B and D").required(),
        field("integrators", &M::integrators, "declared integrators").range(0, 64),
        field("disturbanceStates", &M::disturbance_states, "integrated disturbances, the last states").range(0, 64),
        field("seed", &M::seed, "seed"), field("trainerVersion", &M::trainer_version, "how it was trained")};
  }

  [[nodiscard]] std::vector<std::string> ids(std::string_view role) const;
};

/// Puts the matrices of a model into the record.
void pack(const LinearStateSpace& model, Artifact& artifact);

/// The model of a record; throws ARTIFACT_INVALID when shapes do not fit or a number is not finite.
LinearStateSpace unpack(const Artifact& artifact);

/// sha256 of the canonical JSON of the record.
std::string artifact_hash(const Artifact& artifact);

/// Canonical JSON with artifactHash.
std::string write_artifact(const Artifact& artifact);

/// Strict; throws ARTIFACT_INVALID with every problem, and when artifactHash is not that of the rest.
Artifact read_artifact(std::string_view bytes);

}  // namespace flyball::model
