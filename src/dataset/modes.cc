#include "dataset/modes.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace flyball::dataset {
namespace {

std::vector<double> codes_of(const Variable& v, const plant::Tag& tag, const std::string& at) {
  std::vector<double> out;
  for (const std::string& mode : v.modes) {
    const auto state = std::ranges::find(tag.states, mode);
    if (state == tag.states.end()) {
      const std::vector<std::string_view> known(tag.states.begin(), tag.states.end());
      throw Error("MODE_UNKNOWN",
                  {{"mode", mode}, {"tag", tag.name}, {"suggestion", nearest(mode, known)}},
                  at + "/modes");
    }
    out.push_back(static_cast<double>(state - tag.states.begin()));
  }
  return out;
}

}  // namespace

KeptModes kept_modes(const Spec& spec, std::span<const plant::Tag> tags) {
  KeptModes out(spec.variables.size());
  for (std::size_t i = 0; i < spec.variables.size(); ++i) {
    const Variable& v = spec.variables[i];
    if (v.mode_tag.empty()) continue;
    const std::string at = "/variables/" + std::to_string(i);
    const auto tag = std::ranges::find(tags, v.mode_tag, &plant::Tag::name);
    if (tag == tags.end() || tag->kind != plant::TagKind::digital) {
      throw Error("MODE_TAG_INVALID", {{"tag", v.mode_tag}, {"line", spec.line_id}},
                  at + "/modeTag");
    }
    out[i] = codes_of(v, *tag, at);
  }
  return out;
}

ModeIntervals intervals_in_mode(std::span<const historian::Sample> samples,
                                std::span<const double> kept) {
  ModeIntervals out;
  bool inside = false;
  for (const historian::Sample& s : samples) {
    const bool keep = !s.quality.bad() && std::ranges::find(kept, s.value) != kept.end();
    if (keep && !inside) out.push_back({s.at, std::numeric_limits<TimeUs>::max()});
    if (!keep && inside) out.back().to = s.at;
    inside = keep;
  }
  return out;
}

}  // namespace flyball::dataset
