#pragma once
// What a plain state space x⁺ = A x + B u, y = C x says over a horizon, for condensing.
#include "optimise/condense.h"

namespace flyball::optimise {

/// answers P × (ny·nu): Σ_{l<k} C A^l B at k = 1..P; free P·ny × nx: C A^k, row j·P + (k−1).
/// Cost P·ny·nx·(nx + nu).
struct StateResponse {
  Matrix answers, free;
};
StateResponse state_response(const ConstMatrixRef& a, const ConstMatrixRef& b,
                             const ConstMatrixRef& c, Index horizon);

}  // namespace flyball::optimise
