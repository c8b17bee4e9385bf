#pragma once
// What a process that computes advice does: one problem and its model in, an answer out.
#include "core/json.h"
#include "optimise/solve.h"

namespace flyball::app {

/// {problem, kind, model}: `model` is the text of model.json.
Json solver_payload(const optimise::ProblemIr& problem, const std::string& kind,
                    const std::string& model);

/// The SolveResult of a payload; the solver keeps set-ups for the next. Throws what reading and solving throw; ARTIFACT_INVALID when the
/// model is not the one that the problem names.
Json solve_payload(optimise::Solver& solver, const Json& payload, const std::stop_token& stop);

/// The hidden command solver-worker.
int run_solver_worker();

}  // namespace flyball::app
