#include "dataset/transport.h"

#include <algorithm>
#include <cmath>

namespace flyball::dataset {

void TransportSummary::add(const TransportSummary& other) {
  if (steps == 0) {
    least = other.least;
    most = other.most;
  } else if (other.steps > 0) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
  flow = other.flow;
  const double all = static_cast<double>(steps + other.steps);
  if (all > 0) {
    mean =
        (mean * static_cast<double>(steps) + other.mean * static_cast<double>(other.steps)) / all;
  }
  steps += other.steps;
  unknown += other.unknown;
}

std::map<Index, TransportSummary> apply_transport(const Spec& spec, Series& series) {
  std::map<Index, TransportSummary> out;
  for (std::size_t v = 0; v < spec.variables.size(); ++v) {
    const auto& declared = spec.variables[v].transport;
    if (!declared) continue;
    const auto flow = std::ranges::find(spec.variables, declared->flow, &Variable::id);
    const auto column = static_cast<Index>(v);
    const math::PlugFlow f =
        math::plug_flow(series.values.col(column), series.values.col(flow - spec.variables.begin()),
                        declared->volume(spec.beat_ms));
    TransportSummary& s = out[column];
    s.flow = declared->flow;
    for (Index t = 0; t < f.out.size(); ++t) {
      std::uint8_t& mask = series.mask(t, column);
      const bool known = std::isfinite(f.out(t));
      if (!known && mask != 0) ++s.unknown;
      mask = !known ? 0 : mask == 0 ? 2 : mask;
      if (known) s.add({s.flow, f.delay(t), f.delay(t), f.delay(t), 1, 0});
    }
    series.values.col(column) = f.out;
  }
  return out;
}

void check_transport(const Spec& spec, std::vector<Problem>& problems) {
  for (std::size_t v = 0; v < spec.variables.size(); ++v) {
    const Variable& of = spec.variables[v];
    if (!of.transport) continue;
    const std::string at = "/variables/" + std::to_string(v) + "/transport";
    const auto flow = std::ranges::find(spec.variables, of.transport->flow, &Variable::id);
    const bool carries = flow != spec.variables.end() && flow->role != Role::cv && !flow->transport;
    if (of.role == Role::cv || !carries) {
      problems.push_back(
          {at, {"TRANSPORT_FLOW", {{"variable", of.id}, {"flow", of.transport->flow}}}});
    }
    if (!(of.transport->at_flow > 0) || !std::isfinite(of.transport->at_flow)) {
      problems.push_back(
          {at + "/atFlow",
           {"FIELD_RANGE", {{"value", of.transport->at_flow}, {"limits", "above 0"}}}});
    }
  }
}

}  // namespace flyball::dataset
