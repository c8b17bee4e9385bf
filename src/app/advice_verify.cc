#include "app/advice_verify.h"

#include "model/artifact.h"
#include "optimise/resimulate.h"
#include "optimise/rest_again.h"
#include "optimise/static_again.h"
#include "optimise/steady_state.h"

namespace flyball::app {
namespace {

constexpr double kBeyond = 1e-6;  ///< of a train deviation, over the horizon

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

advise::InputDistances distances_of(const optimise::ProblemIr& problem,
                                    const optimise::Resimulated& made) {
  advise::InputDistances out;
  out.now = made.box_now;
  out.along = made.box_along;
  out.mahalanobis_now = made.mahalanobis_now;
  out.mahalanobis_along = made.mahalanobis_along;
  if (problem.spread) out.mahalanobis_limit = problem.spread->limit;
  return out;
}

/// The stored artifact of either kind, and what computes with it again.
class SecondPath {
 public:
  SecondPath(const std::string& kind, const std::string& bytes) {
    if (kind == model::kStaticResponse) {
      surfaces_ = model::read_static_artifact(bytes);
    } else {
      plant_ = model::unpack(model::read_artifact(bytes));
    }
  }
  [[nodiscard]] optimise::Resimulated simulate(
      const optimise::ProblemIr& problem, const std::vector<std::vector<double>>& controls) const {
    return surfaces_ ? optimise::static_again(problem, *surfaces_, controls)
                     : optimise::resimulate(problem, *plant_, controls);
  }
  /// On surfaces an optimum is the best near it.
  void check_best(const optimise::ProblemIr& problem,
                  const std::vector<std::vector<double>>& controls,
                  advise::VerifyReport& report) const {
    if (!surfaces_ || !report.verified) return;
    const double saving = optimise::better_nearby(problem, *surfaces_, controls);
    if (saving <= optimise::kBetterNearby) return;
    report.failures.push_back(
        words({"VERIFY_LOCAL", {{"saving", saving}, {"limit", optimise::kBetterNearby}}}));
    report.verified = false;
  }

 private:
  std::optional<model::StaticArtifact> surfaces_;
  std::optional<model::LinearStateSpace> plant_;
};

}  // namespace

AskedAgain asked_again(const optimise::ProblemIr& problem, const std::string& bytes,
                       const std::optional<optimise::SteadyState>& claimed) {
  AskedAgain out{problem, claimed, {}};
  if (problem.problem_template != optimise::kLinearMpc) {
    out.rest.reset();
    return out;
  }
  if (!claimed) {
    if (optimise::asks_for_rest(problem)) out.failures.push_back(words({"REST_SHAPE", {}}));
    return out;
  }
  const model::LinearStateSpace plant = model::unpack(model::read_artifact(bytes));
  const optimise::RestAgain made = optimise::rest_again(problem, plant, *claimed);
  out.failures = made.failures;
  if (!out.failures.empty()) return out;
  out.rest = optimise::confirmed(*claimed, made);
  out.problem = optimise::with_targets(problem, *out.rest);
  return out;
}

std::vector<advise::CandidateRow> computed_again(const optimise::ProblemIr& problem,
                                                 const registry::ModelRow& model,
                                                 const std::string& bytes,
                                                 const std::vector<optimise::Candidate>& claimed,
                                                 const std::string& run_id) {
  const SecondPath path(model.artifact_kind, bytes);
  std::vector<advise::CandidateRow> out;
  for (const optimise::Candidate& c : claimed) {
    if (!advise::has_shape(problem, c)) continue;
    optimise::Resimulated made = path.simulate(problem, c.controls);
    const double hold = made.cost_hold;
    const double beyond = made.beyond - made.beyond_hold;
    const bool as_safe = made.hold_is_as_safe;
    const advise::InputDistances distances = distances_of(problem, made);
    advise::CandidateRow row;
    row.id = "oc-" + run_id + "-" + std::to_string(c.seq);
    row.run_id = run_id;
    row.model_id = model.id;
    row.candidate = again(c, std::move(made));
    row.report = advise::verify(problem, c, row.candidate, hold, as_safe);
    if (c.label == "optimum" && beyond > kBeyond) {
      row.report.failures.push_back(words({"VERIFY_BEYOND", {{"amount", beyond}}}));
      row.report.verified = false;
    }
    row.report.distances = distances;
    if (c.label == "optimum") path.check_best(problem, c.controls, row.report);
    row.verified = row.report.verified;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace flyball::app
