#pragma once
// Transport delay in plug flow: what enters a pipe of volume V leaves it when V more has followed,
//   ∫ q over [t − θ(t), t] = V,
// on a grid where u and q are held within a step: exact, causal, and what goes in comes out.
#include <cstdint>
#include <string>

#include "core/record.h"
#include "math/types.h"

namespace flyball::math {

/// Declared: the dead time at a stated flow, V = delay · flow.
struct TransportDelay {
  std::string flow;
  double delay_ms = 0, at_flow = 0;
  static constexpr auto fields() {
    using T = TransportDelay;
    return FieldList{
        field("flow", &T::flow, "MV or DV that carries it, by id").required(),
        field("delayMs", &T::delay_ms, "dead time at that flow")
            .range(0.001, 8.64e10)
            .unit("ms")
            .required(),
        field("atFlow", &T::at_flow, "flow at which the delay holds, model units; above 0")
            .required()};
  }
  /// In units of the flow times steps.
  [[nodiscard]] double volume(double beat_ms) const { return delay_ms / beat_ms * at_flow; }
  bool operator==(const TransportDelay&) const = default;
};

struct PlugFlow {
  Vector out;    ///< u as it leaves, the mean over what leaves in the step; NaN where unknown
  Vector delay;  ///< age in steps of the middle of what leaves; NaN where unknown
};

/// Unknown are: a step without flow (q ≤ 0 or NaN), steps whose contents entered before the first
/// step or before a flow that is NaN or negative, and what entered as NaN. volume ≥ 0. Cost: rows.
PlugFlow plug_flow(const ConstVectorRef& u, const ConstVectorRef& q, double volume);

}  // namespace flyball::math
