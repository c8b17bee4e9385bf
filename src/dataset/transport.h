#pragma once
// Variables that reach the CVs through a pipe: their column is replaced by what leaves it
// (math/plug_flow.h), from their past and the past of the flow alone, so that serving can do it
// too.
#include <map>
#include <string>

#include "dataset/dataset.h"

namespace flyball::dataset {

/// Of one delayed variable over the runs used.
struct TransportSummary {
  std::string flow;
  double least = 0, mean = 0, most = 0;
  std::int64_t steps = 0, unknown = 0;
  static constexpr auto fields() {
    using T = TransportSummary;
    return FieldList{
        field("flow", &T::flow, "variable that carries it"),
        field("least", &T::least, "shortest delay").unit("steps"),
        field("mean", &T::mean, "mean delay").unit("steps"),
        field("most", &T::most, "longest delay").unit("steps"),
        field("steps", &T::steps, "steps with a delay"),
        field("unknown", &T::unknown,
              "steps left out: no flow, or what leaves entered before the run or a gap")};
  }
  void add(const TransportSummary& other);
};

/// Replaces the columns of the spec's delayed variables; a step that is not known becomes missing.
/// By column. Steps that were missing before are not counted as unknown.
std::map<Index, TransportSummary> apply_transport(const Spec& spec, Series& series);

/// Problems of the declared delays: a flow that is no MV or DV of the spec, or is delayed itself; a
/// CV that is delayed; a flow that is not above 0.
void check_transport(const Spec& spec, std::vector<Problem>& problems);

}  // namespace flyball::dataset
