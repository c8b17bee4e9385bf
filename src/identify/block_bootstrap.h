#pragma once
// Parameters of an ARX fit over moving blocks of its rows drawn again (Künsch 1989): uncertainty
// that needs neither white nor even residuals.
#include "identify/arx.h"

namespace flyball::identify {

/// Blocks of ℓ rows, ℓ = max(2·(longest lag + 1), N^{1/3}), that start every ℓ/2 rows; each draw
/// takes as many as fill N rows and solves the normal equations that their Gram matrices add up to.
/// draws × parameters; empty below 20 blocks. Same data, same bits. Cost: one pass over the rows
/// and draws·(blocks·p² + p³/3).
inline constexpr Index kDraws = 200;
Matrix draw_parameters(const Regression& r, const Structure& structure, double lambda,
                       Index draws = kDraws);

/// The 2.5 and 97.5 % quantiles of each column over the rows: 2 × columns. Empty without a row.
Matrix quantiles_95(const Matrix& draws);

}  // namespace flyball::identify
