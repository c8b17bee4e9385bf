#pragma once
// Model values as people read them: a value with the offset of its unit, a difference without.
#include <cmath>

#include "optimise/problem.h"

namespace flyball::optimise {

/// A value in engineering units.
template <class Term>
Param in_units(const char* name, double model, const Term& term) {
  return {name, (model - term.unit_offset) / term.unit_scale, term.unit};
}

/// A difference in engineering units; it keeps its sign.
template <class Term>
Param difference_in_units(const char* name, double model, const Term& term) {
  return {name, model / std::abs(term.unit_scale), term.unit};
}

}  // namespace flyball::optimise
