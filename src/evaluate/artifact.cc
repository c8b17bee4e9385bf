#include "evaluate/artifact.h"

#include <limits>

#include "evaluate/load_model.h"

namespace flyball::evaluate {
namespace {

/// From rows at the train means, F steps with the inputs kept there.
bool predicts(const LoadedModel& m) {
  // The centre of a ring of points lies outside the region: the surface itself is tried.
  if (m.surfaces) return model::surface_values(*m.surfaces, m.surfaces->mean).allFinite();
  const auto nu = static_cast<Index>(m.ids("mv").size() + m.ids("dv").size());
  const Index ny = static_cast<Index>(m.variables.size()) - nu;
  model::Record record{Matrix(m.history + m.horizon, nu), Matrix(m.history + m.horizon, ny)};
  for (Index v = 0; v < nu + ny; ++v) {
    const double mean = m.variables[static_cast<std::size_t>(v)].mean;
    if (v < nu) {
      record.u.col(v).setConstant(mean);
    } else {
      record.y.col(v - nu).head(m.history).setConstant(mean);
      record.y.col(v - nu).tail(m.horizon).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
  Matrix out = Matrix::Constant(m.horizon, ny, std::numeric_limits<double>::quiet_NaN());
  m.predict(record, m.history, m.horizon, out);
  return out.allFinite();
}

}  // namespace

ArtifactInspection inspect_artifact(std::string_view kind, std::string_view bytes,
                                    const IoSpec* io) {
  ArtifactInspection out;
  if (!is_known_kind(kind)) {
    out.problem = Message{"G5_KIND", {{"kind", kind}}};
    return out;
  }
  try {
    const LoadedModel m = load_model(kind, bytes);
    out.spectral_radius = m.spectral_radius;
    out.dataset_sha256 = m.dataset_sha256;
    out.artifact_hash = m.artifact_hash;
    if (io != nullptr &&
        (m.ids("mv") != io->mvs || m.ids("dv") != io->dvs || m.ids("cv") != io->cvs)) {
      out.problem = Message{"G5_SHAPE",
                            {{"inputs", m.ids("mv").size() + m.ids("dv").size()},
                             {"outputs", m.ids("cv").size()},
                             {"dataInputs", io->mvs.size() + io->dvs.size()},
                             {"dataOutputs", io->cvs.size()}}};
    } else if (!predicts(m)) {
      out.problem = Message{"G5_TRIAL", {}};
    }
  } catch (const Error& e) {
    out.problem = Message{"G5_UNREADABLE", {{"kind", kind}, {"detail", e.what()}}};
  }
  return out;
}

}  // namespace flyball::evaluate
