#pragma once
// Candidates as the registered model gives them: never the numbers of who solved.
#include "advise/verify.h"
#include "registry/registry.h"

namespace flyball::app {

/// Every candidate that has the problem's shape, computed again from the bytes of model.json by
/// optimise/resimulate.h and compared with what was claimed.
std::vector<advise::CandidateRow> computed_again(const optimise::ProblemIr& problem,
                                                 const registry::ModelRow& model,
                                                 const std::string& bytes,
                                                 const std::vector<optimise::Candidate>& claimed,
                                                 const std::string& run_id);

}  // namespace flyball::app
