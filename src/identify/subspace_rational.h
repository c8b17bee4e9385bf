#pragma once
// One CV of a subspace model as a rational model: the start of the refinements.
#include "identify/output_error.h"
#include "identify/subspace.h"

namespace flyball::identify {

/// The equation A y = Σ B u + k + C e that the innovation form of one output obeys: A its
/// characteristic polynomial (Faddeev and Leverrier), B and C its Markov parameters times A. Same
/// answers and predictions as the form. na = n, nb = n, or n + 1 with a direct input. n ≤ 20.
Rational rational_of(const InnovationForm& form, const SubspaceSpec& spec);

}  // namespace flyball::identify
