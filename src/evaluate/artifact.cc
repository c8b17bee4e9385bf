#include "evaluate/artifact.h"

namespace flyball::evaluate {

ArtifactInspection inspect_artifact(std::string_view kind, std::string_view bytes,
                                    const IoSpec* io) {
  static_cast<void>(io);
  ArtifactInspection out;
  if (kind != "linear_state_space@1") {
    out.problem = Message{"G5_KIND", {{"kind", kind}}};
    return out;
  }
  try {
    parse_json(bytes, "model.json");
  } catch (const Error& e) {
    out.problem = Message{"G5_UNREADABLE", {{"kind", kind}, {"detail", e.what()}}};
  }
  return out;
}

}  // namespace flyball::evaluate
