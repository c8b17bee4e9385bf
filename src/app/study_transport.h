#pragma once
// --transport-delay of a study: which input comes through a pipe, and what carries it.
#include "app/requests.h"
#include "dataset/spec.h"

namespace flyball::app {

/// An input that reaches the CVs in plug flow.
struct DeclaredTransport {
  std::string input;
  math::TransportDelay delay;
};

/// "MV=FLOWTAG,DELAY,FLOW" of the request's `inputs`; what cannot be read is a problem.
std::vector<DeclaredTransport> read_transports(const StudyRequest& request,
                                               const std::vector<std::string>& inputs,
                                               std::vector<Problem>& problems);

/// Writes them to the variables of the spec.
void declare(const std::vector<DeclaredTransport>& transports, dataset::Spec& spec);

}  // namespace flyball::app
