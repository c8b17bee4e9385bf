#pragma once
// How the rows of train lie together: what an input distance along single columns cannot see.
//
//   z = (x − mean)/std of the columns [MVs; DVs; CVs],  R = correlation of z,  n columns
//   R_γ = (1 − γ) R + γ I,  γ = max(0.01, n/rows)     few rows say little about n(n−1)/2 pairs
//   d(x) = sqrt(zᵀ R_γ⁻¹ z);  limit: the 99.5 % quantile of d over the rows of train
//
// Mahalanobis (1936); shrinkage towards the diagonal keeps R_γ invertible where columns are
// collinear. Source: field-notes.md 3.3 (inputDistance), decisions.md §3.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.h"
#include "dataset/dataset.h"
#include "dataset/steady.h"
#include "math/types.h"

namespace flyball::uq {

struct Spread {
  std::vector<std::string> variables;
  std::vector<double> mean, std;
  std::vector<std::vector<double>> inverse;  ///< R_γ⁻¹
  double limit = 0;
  std::int64_t rows = 0;
  static constexpr auto fields() {
    using S = Spread;
    return FieldList{
        field("variables", &S::variables, "MVs, DVs, CVs").max_length(128).required(),
        field("mean", &S::mean, "of train").max_length(128).required(),
        field("std", &S::std, "of train").max_length(128).required(),
        field("inverse", &S::inverse, "of the shrunk correlation").max_length(128).required(),
        field("limit", &S::limit, "99.5 % of the rows of train lie within it").required(),
        field("rows", &S::rows, "that it stands on")};
  }
};

/// Of the complete rows (rows × n, model units; rows with a missing value do not count). None with
/// fewer than n + 2 of them, or where a column does not vary. Cost rows·n² + n³.
std::optional<Spread> spread_of(const Matrix& rows, const std::vector<std::string>& variables);

/// The train rows of the inputs and CVs of a dataset, in the order of the model: MVs, DVs, CVs.
std::optional<Spread> train_spread(const dataset::Dataset& data,
                                   const std::vector<std::string>& variables);

/// The same of the train operating points: what a static model was trained on.
std::optional<Spread> point_spread(const dataset::Dataset& data,
                                   const dataset::OperatingPoints& points,
                                   const std::vector<std::string>& variables);

/// d of a point in the order of `variables`; none where a value is not finite.
std::optional<double> mahalanobis(const Spread& spread, std::span<const double> x);

}  // namespace flyball::uq
