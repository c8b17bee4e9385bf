#pragma once
// Moves for levels, and what a level does with them: y(t) = r ∫ u(s − θ) ds never settles, so every
// move is followed by its opposite of the same length and the level comes back.
#include "math/random.h"
#include "math/types.h"

namespace flyball::plan {

/// +1 for d steps, then −1 for d steps, or the reverse, d uniform in ⌈longest/2⌉..longest, one such
/// pair after another; shorter ones fill the end, and the last step stands at 0. The sum over every
/// pair is 0, so the running sum stays inside ±longest. Precondition: longest ≥ 1.
Vector returning_noise(Index steps, Index longest, math::Random& random);

/// ∫ u(s − θ) ds in steps up to each step, u held between steps and 0 before the first, and its
/// derivative by θ: rows × 2. θ ≥ 0 in steps, fractions too.
Matrix level_response(const Eigen::Ref<const Vector>& u, double theta);

}  // namespace flyball::plan
