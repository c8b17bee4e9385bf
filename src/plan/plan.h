#pragma once
// Planning of a step test: what to move, how far and how long, before the plant is touched.
//
// Every MV follows binary noise around its present value, switching on average every quarter of
// the slowest settling time; the seed of least cross-correlation is taken. Amplitudes are as large
// as the limits allow for the worst sequence that such moves could form: a CV of first-order lags
// never leaves now ± Σ |K| a. The precision is that of the gains of a fit of those lags (dead
// times and time constants unknown too), from the information matrix under white noise.
//
// A level (an integrating CV) would run away under such noise: an MV that moves one does so in
// pairs of opposite moves (plan/level.h) of at most L steps, which hold it inside now ± Σ |r| a L.
// L is a quarter of the slowest settling time; a level counts as settled after four times what the
// MV takes to move it by its room, or by 30 standard deviations of its noise when that is less.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "math/types.h"

namespace flyball::plan {

/// K e^{−θ s}/(τ s + 1), engineering units, seconds; integrating: K e^{−θ s}/s, K in units of the
/// CV per unit of the MV and second, without a time constant.
struct Pair {
  std::string mv, cv;
  double gain = 0, time_constant = 0, dead_time = 0;
  bool integrating = false;
};

struct Mv {
  std::string name;
  double now = 0, low = 0, high = 0;
  std::optional<double> max_move = {};  ///< of one move
};

struct Cv {
  std::string name;
  double now = 0, low = 0, high = 0;
  double noise = 0;  ///< standard deviation
};

struct Request {
  std::vector<Pair> pairs;
  std::vector<Mv> mvs;
  std::vector<Cv> cvs;
  double beat = 1;                  ///< seconds
  double precision = 0.05;          ///< standard error of every gain over the gain
  std::optional<Index> steps = {};  ///< given: the precision is what comes out
  /// Without `steps`, no shorter test: a study of it has to keep 500 steps (gate G4) once history,
  /// horizon and the cuts between train, val and test are taken off.
  Index least_steps = 700;
  std::uint32_t seed = 1;
};

struct Precision {
  std::string mv, cv;
  double gain = 0, std_error = 0;
};

/// Of the simulated answer, without noise; the worst sequence could reach `bound` from now.
struct Excursion {
  std::string cv;
  double lowest = 0, highest = 0, bound = 0;
};

struct Plan {
  Matrix moves;      ///< steps × MVs, set values
  Matrix predicted;  ///< steps × CVs, without noise
  std::vector<double> amplitudes;
  std::vector<Excursion> excursions;
  std::vector<Precision> precisions;
  Index switch_steps = 0;  ///< mean time between moves; longest move of an MV of a level
  Index settling_steps = 0;
  double correlation = 0;  ///< largest |cross-correlation| of two MVs within a settling time
  bool reached = false;    ///< the precision asked for
  bool shortest = false;   ///< by the shortest test there is, whose precision is better
};

/// Throws PLAN_NAME_UNKNOWN (a pair names an MV or CV that is not listed), PLAN_NO_PAIR (an MV or a
/// CV without a pair), PLAN_NO_ROOM (the present value leaves no room inside the limits),
/// PLAN_TOO_LONG (more than 50 000 steps), PLAN_NOT_POSITIVE for a time constant, beat or noise
/// that is not positive. Deterministic.
Plan plan(const Request& request);

/// time (seconds from the start), then a column per MV: one row per step.
std::string to_csv(const Request& request, const Plan& plan);

}  // namespace flyball::plan
