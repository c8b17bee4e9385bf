// What the solver of quadratic programs says of its inputs.
#include "core/catalogue_tables.h"

namespace flyball {
namespace {

using E = Errc;

// clang-format off
constexpr CatalogueEntry kEntries[] = {
    {"QP_SHAPE", E::invalid_argument, "{what} of the quadratic program has {found}, it must be {expected}, by the size of H"},
    {"QP_NOT_FINITE", E::invalid_argument, "{field} of the quadratic program is not a finite number at row {row}, column {column}; only limits may be infinite, each away from the other"},
    {"QP_NOT_SYMMETRIC", E::invalid_argument, "H of the quadratic program must be symmetric: entry ({row}, {column}) is {value}, its mirror {other}; give (H + Hᵀ)/2"},
    {"QP_NOT_CONVEX", E::invalid_argument, "H of the quadratic program has a negative direction, the limit is positive semidefinite: a minimum found would not be the least; check the signs of the weights"},
    {"QP_SOFT_LIMIT", E::invalid_argument, "soft limit {limit} of rank {rank} and scale {scale}: it must be one of the {count} bounds and rows, counted from 0, each named once, with rank 1 or more and a positive scale"},
};
// clang-format on

}  // namespace

std::span<const CatalogueEntry> catalogue_solver() {
  return kEntries;
}

}  // namespace flyball
