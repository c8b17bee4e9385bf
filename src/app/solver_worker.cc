#include "app/solver_worker.h"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "jobs/worker_loop.h"
#include "model/artifact.h"
#include "model/static_artifact.h"
#include "optimise/solve.h"

namespace flyball::app {
namespace {

optimise::SolveResult solved(optimise::Solver& solver, const optimise::ProblemIr& problem,
                             const std::string& kind, const std::string& bytes,
                             const std::stop_token& stop) {
  const Error other("ARTIFACT_INVALID", {{"detail", "it is not the model that the problem names"}});
  if (kind == model::kStaticResponse) {
    const model::StaticArtifact artifact = model::read_static_artifact(bytes);
    if (model::artifact_hash(artifact) != problem.model_artifact_hash) throw other;
    return optimise::solve(problem, model::unpack(artifact), stop);
  }
  if (kind != model::kLinearStateSpace) throw Error("MODEL_KIND", {{"kind", kind}});
  const model::Artifact artifact = model::read_artifact(bytes);
  if (model::artifact_hash(artifact) != problem.model_artifact_hash) throw other;
  return solver.solve(problem, model::unpack(artifact), stop);
}

}  // namespace

Json solver_payload(const optimise::ProblemIr& problem, const std::string& kind,
                    const std::string& model) {
  return {{"problem", to_json_value(problem)}, {"kind", kind}, {"model", model}};
}

Json solve_payload(optimise::Solver& solver, const Json& payload, const std::stop_token& stop) {
  const auto problem = parse_record<optimise::ProblemIr>(payload.at("problem"), "PROBLEM_INVALID");
  optimise::SolveResult out = solved(solver, problem, payload.at("kind").get<std::string>(),
                                     payload.at("model").get<std::string>(), stop);
  out.diagnostics.worker_pid = ::getpid();
  return to_json_value(out);
}

int run_solver_worker() {
  optimise::Solver solver;
  return jobs::run_worker(
      [&solver](const std::string& op, const Json& payload, std::stop_token stop) {
        if (op != "solve") throw Error("SOLVER_ERROR", {{"code", "op"}, {"detail", op}});
        return solve_payload(solver, payload, stop);
      });
}

}  // namespace flyball::app
