#include "app/advice_verify.h"

#include "model/artifact.h"
#include "optimise/resimulate.h"

namespace flyball::app {
namespace {

/// Nothing of what was claimed but the controls, which are what is advised.
optimise::Candidate again(const optimise::Candidate& claimed, optimise::Resimulated&& made) {
  optimise::Candidate out;
  out.seq = claimed.seq;
  out.label = claimed.label;
  out.controls = claimed.controls;
  out.predicted = std::move(made.predicted);
  out.cost = made.cost;
  out.constraints = std::move(made.constraints);
  out.feasible = made.feasible;
  return out;
}

}  // namespace

std::vector<advise::CandidateRow> computed_again(const optimise::ProblemIr& problem,
                                                 const registry::ModelRow& model,
                                                 const std::string& bytes,
                                                 const std::vector<optimise::Candidate>& claimed,
                                                 const std::string& run_id) {
  const model::LinearStateSpace plant = model::unpack(model::read_artifact(bytes));
  std::vector<advise::CandidateRow> out;
  for (const optimise::Candidate& c : claimed) {
    if (!advise::has_shape(problem, c)) continue;
    optimise::Resimulated made = optimise::resimulate(problem, plant, c.controls);
    const double hold = made.cost_hold;
    advise::CandidateRow row;
    row.id = "oc-" + run_id + "-" + std::to_string(c.seq);
    row.run_id = run_id;
    row.model_id = model.id;
    row.candidate = again(c, std::move(made));
    row.report = advise::verify(problem, c, row.candidate, hold);
    row.verified = row.report.verified;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace flyball::app
