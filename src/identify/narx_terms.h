#pragma once
// Candidate terms of a polynomial NARX of one CV: products of lagged inputs and of its own lags.
#include <vector>

#include "identify/arx.h"
#include "model/polynomial_narx.h"

namespace flyball::identify {

/// Factors of a product, sorted: inputs 0..nu−1, then nu for the CV itself. Empty: the constant.
using NarxProduct = std::vector<model::NarxFactor>;

struct NarxLags {
  Index na = 1, nb = 1;  ///< lags of the CV and of each input
  Index degree = 2;      ///< of the products, 1..3
  bool even = false;     ///< only products that keep their value when every input changes its sign
  std::vector<Structure::Input> inputs;  ///< first lag of each
  [[nodiscard]] Index max_lag() const;
};

/// The constant, the lags of the CV (the start of every fit), then all other products by degree.
/// At most `limit` products: products of degree 3, then of degree 2, are formed of fewer of the
/// variables, which stand lag by lag, nearest first.
std::vector<NarxProduct> narx_pool(const NarxLags& lags, Index nu, Index limit);

}  // namespace flyball::identify
