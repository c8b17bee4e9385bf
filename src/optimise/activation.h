#pragma once
// Before a profile may advise: its loop is simulated with the model as the plant and with plants
// that differ from it as plants do, and its horizon is looked at.
//
//   cases    nominal; all gains ×0.5 and ×2; the gains of each MV ×0.5 and ×2; the dead times of
//   each
//            MV 2 steps longer and (where it has them) shorter
//   loop     at rest at u_prev; references as given; at half time the outputs shift by 0.5 σ
//   refused  a CV or MV that does not come to rest, a hard CV limit broken by more than 1e-3 of the
//            train range once a move can reach it, a step without advice
//   horizon  P ≥ longest dead time + settling to 95 % of the slowest CV that has a steady state
#include <stop_token>

#include "core/progress.h"
#include "optimise/solve.h"

namespace flyball::optimise {

struct ActivationCase {
  std::string name;
  bool passed = true;
  std::string fault;  ///< "", unstable, limit, noAdvice, time
  std::string limit;  ///< which limit, or which variable moves on
  double worst = 0;   ///< largest violation, model units
  std::int64_t step = 0;
  static constexpr auto fields() {
    using C = ActivationCase;
    return FieldList{field("name", &C::name, "what differs from the model"),
                     field("passed", &C::passed, "rests, and keeps its limits"),
                     field("fault", &C::fault,
                           "unstable, limit, noAdvice, or time: it was not simulated to its end"),
                     field("limit", &C::limit, "which limit, or which variable moves on"),
                     field("worst", &C::worst, "largest violation, model units"),
                     field("step", &C::step, "where").unit("steps")};
  }
};

struct Activation {
  bool passed = true;
  std::int64_t dead_time = 0, settling = 0;
  std::vector<ActivationCase> cases;
  std::vector<Words> reasons;
  bool timed_out = false;  ///< not every loop was tried: nothing is known but what failed
  static constexpr auto fields() {
    using A = Activation;
    return FieldList{field("passed", &A::passed, "may advise"),
                     field("deadTime", &A::dead_time, "longest first lag").unit("steps"),
                     field("settling", &A::settling, "to 95 %").unit("steps"),
                     field("cases", &A::cases, "simulated loops"),
                     field("reasons", &A::reasons, "why not"),
                     field("timedOut", &A::timed_out, "not every loop was tried")};
  }
};

/// `problem`: the profile with u_prev, limits and references; its history is not used. Throws as
/// Solver::solve. Cost: cases × steps solves; steps 0: 3·P, at least 60. It ends within `limit`
/// seconds and one solve: whoever is not tried by then has not passed.
Activation check_activation(const ProblemIr& problem, const model::LinearStateSpace& model,
                            std::int64_t steps = 0, const std::stop_token& stop = {},
                            double limit = 1e9, const ProgressFn& progress = {});

}  // namespace flyball::optimise
