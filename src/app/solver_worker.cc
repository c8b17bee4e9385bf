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

void check_hash(const std::string& named, const std::string& found) {
  if (named != found)
    throw Error("ARTIFACT_INVALID", {{"detail", "it is not the model that the problem names"}});
}

optimise::SolveResult solved(const optimise::ProblemIr& problem, const std::string& kind,
                             const std::string& bytes, const std::stop_token& stop) {
  if (kind == model::kStaticResponse) {
    const model::StaticArtifact artifact = model::read_static_artifact(bytes);
    check_hash(problem.model_artifact_hash, model::artifact_hash(artifact));
    return optimise::solve(problem, model::unpack(artifact), stop);
  }
  const model::Artifact artifact = model::read_artifact(bytes);
  check_hash(problem.model_artifact_hash, model::artifact_hash(artifact));
  return optimise::solve(problem, model::unpack(artifact), stop);
}

}  // namespace

Json solver_payload(const optimise::ProblemIr& problem, const std::string& kind,
                    const std::string& model) {
  return {{"problem", to_json_value(problem)}, {"kind", kind}, {"model", model}};
}

Json solve_payload(const Json& payload, const std::stop_token& stop) {
  const auto problem = parse_record<optimise::ProblemIr>(payload.at("problem"), "PROBLEM_INVALID");
  optimise::SolveResult out = solved(problem, payload.at("kind").get<std::string>(),
                                     payload.at("model").get<std::string>(), stop);
  out.diagnostics.worker_pid = ::getpid();
  return to_json_value(out);
}

int run_solver_worker() {
  return jobs::run_worker([](const std::string& op, const Json& payload, std::stop_token stop) {
    if (op != "solve") throw Error("SOLVER_ERROR", {{"code", "op"}, {"detail", op}});
    return solve_payload(payload, stop);
  });
}

}  // namespace flyball::app
