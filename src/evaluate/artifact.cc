#include "evaluate/artifact.h"

#include <limits>

#include "model/artifact.h"

namespace flyball::evaluate {
namespace {

/// From rows at the train means, F steps with the inputs kept there.
bool predicts(const model::Artifact& artifact, const model::LinearStateSpace& m) {
  const auto history = static_cast<Index>(artifact.history_steps);
  const auto steps = static_cast<Index>(artifact.horizon_steps);
  model::Record record{Matrix(history + steps, m.inputs()), Matrix(history + steps, m.outputs())};
  Index input = 0, output = 0;
  for (const std::string_view role : {"mv", "dv", "cv"}) {
    for (const model::ArtifactVariable& v : artifact.variables) {
      if (v.role != role) continue;
      if (role == "cv") {
        record.y.col(output).head(history).setConstant(v.mean);
        record.y.col(output++).tail(steps).setConstant(std::numeric_limits<double>::quiet_NaN());
      } else {
        record.u.col(input++).setConstant(v.mean);
      }
    }
  }
  Matrix out = Matrix::Constant(steps, m.outputs(), std::numeric_limits<double>::quiet_NaN());
  predict_with(m)(record, history, steps, out);
  return out.allFinite();
}

}  // namespace

ArtifactInspection inspect_artifact(std::string_view kind, std::string_view bytes,
                                    const IoSpec* io) {
  ArtifactInspection out;
  if (kind != model::kLinearStateSpace) {
    out.problem = Message{"G5_KIND", {{"kind", kind}}};
    return out;
  }
  try {
    const model::Artifact artifact = model::read_artifact(bytes);
    const model::LinearStateSpace m = model::unpack(artifact);
    out.spectral_radius = model::spectral_radius(m);
    out.dataset_sha256 = artifact.dataset_sha256;
    out.artifact_hash = model::artifact_hash(artifact);
    if (io != nullptr && (artifact.ids("mv") != io->mvs || artifact.ids("dv") != io->dvs ||
                          artifact.ids("cv") != io->cvs)) {
      out.problem = Message{"G5_SHAPE",
                            {{"inputs", m.inputs()},
                             {"outputs", m.outputs()},
                             {"dataInputs", io->mvs.size() + io->dvs.size()},
                             {"dataOutputs", io->cvs.size()}}};
    } else if (!predicts(artifact, m)) {
      out.problem = Message{"G5_TRIAL", {}};
    }
  } catch (const Error& e) {
    out.problem = Message{"G5_UNREADABLE", {{"kind", kind}, {"detail", e.what()}}};
  }
  return out;
}

}  // namespace flyball::evaluate
