#pragma once
// Candidates as the registered model gives them: never the numbers of who solved.
#include "advise/verify.h"
#include "registry/registry.h"

namespace flyball::app {

/// The problem as the moves were planned for it, and its resting point confirmed by another path
/// (optimise/rest_again.h); failures: what of it did not stand.
struct AskedAgain {
  optimise::ProblemIr problem;
  std::optional<optimise::SteadyState> rest;
  std::vector<Words> failures;
};
AskedAgain asked_again(const optimise::ProblemIr& problem, const std::string& bytes,
                       const std::optional<optimise::SteadyState>& claimed);

/// Every candidate that has the problem's shape, computed again from the bytes of model.json by
/// optimise/resimulate.h or static_again.h and compared with what was claimed.
std::vector<advise::CandidateRow> computed_again(const optimise::ProblemIr& problem,
                                                 const registry::ModelRow& model,
                                                 const std::string& bytes,
                                                 const std::vector<optimise::Candidate>& claimed,
                                                 const std::string& run_id);

}  // namespace flyball::app
