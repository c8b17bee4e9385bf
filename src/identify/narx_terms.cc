#include "identify/narx_terms.h"

#include <algorithm>

namespace flyball::identify {
namespace {

/// Products of `degree` factors of the first `count` variables, in order, repeated ones too.
std::vector<NarxProduct> products_of(const std::vector<model::NarxFactor>& variables,
                                     std::size_t count, const NarxLags& lags, Index degree,
                                     Index nu) {
  std::vector<NarxProduct> out;
  std::vector<std::size_t> at(static_cast<std::size_t>(degree), 0);
  while (count > 0) {
    NarxProduct product;
    Index of_inputs = 0;
    for (const std::size_t i : at) {
      product.push_back(variables[i]);
      of_inputs += variables[i].signal < nu ? 1 : 0;
    }
    if (!lags.even || of_inputs % 2 == 0) out.push_back(std::move(product));
    std::size_t k = at.size();
    while (k > 0 && at[k - 1] + 1 == count) --k;
    if (k == 0) break;
    const std::size_t next = at[k - 1] + 1;
    std::fill(at.begin() + static_cast<std::ptrdiff_t>(k) - 1, at.end(), next);
  }
  return out;
}

}  // namespace

Index NarxLags::max_lag() const {
  Index longest = na;
  for (const Structure::Input& i : inputs) longest = std::max(longest, i.first_lag + nb - 1);
  return longest;
}

std::vector<NarxProduct> narx_pool(const NarxLags& lags, Index nu, Index limit) {
  std::vector<model::NarxFactor> variables;
  for (Index l = 0; l < std::max(lags.na, lags.nb); ++l) {
    if (l < lags.na) variables.push_back({nu, l + 1});
    for (const Structure::Input& i : lags.inputs) {
      if (l < lags.nb) variables.push_back({i.input, i.first_lag + l});
    }
  }
  std::vector<NarxProduct> pool{{}};
  for (Index l = 1; l <= lags.na; ++l) pool.push_back({{nu, l}});
  for (const model::NarxFactor& v : variables) {
    if (v.signal < nu && !lags.even) pool.push_back({v});
  }
  for (Index degree = 2; degree <= lags.degree; ++degree) {
    const Index left = limit - static_cast<Index>(pool.size());
    const auto room = static_cast<std::size_t>(degree < lags.degree ? left / 2 : left);
    std::size_t count = variables.size();
    std::vector<NarxProduct> products = products_of(variables, count, lags, degree, nu);
    while (products.size() > room) products = products_of(variables, --count, lags, degree, nu);
    pool.insert(pool.end(), products.begin(), products.end());
  }
  return pool;
}

}  // namespace flyball::identify
