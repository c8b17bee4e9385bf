#pragma once
// What one solve leaves: run, candidates, recommendation, and later outcomes. Never deleted.
#include <optional>
#include <string>
#include <vector>

#include "advise/states.h"
#include "core/time.h"
#include "optimise/result.h"

namespace flyball::advise {

struct AdviceRun {
  std::string id, binding_id;
  std::int64_t binding_revision = 0;
  std::string profile_id;
  std::int64_t profile_version = 0;
  std::string line_id, problem_ir_hash;
  Json context, problem;
  RunStatus status = RunStatus::running;
  Json result;  ///< SolveResult without its candidates
  std::string code, reason;
  std::optional<double> independent_cost;
  TimeUs started_at = 0;
  std::optional<TimeUs> finished_at;
  static constexpr auto fields() {
    using R = AdviceRun;
    return FieldList{
        field("id", &R::id, "or-..."),
        field("bindingId", &R::binding_id, "binding"),
        field("bindingRevision", &R::binding_revision, "of it, when the question was asked"),
        field("profileId", &R::profile_id, "profile"),
        field("profileVersion", &R::profile_version, "version"),
        field("lineId", &R::line_id, "line"),
        field("problemIrHash", &R::problem_ir_hash, "sha256 of the problem"),
        field("contextSnapshot", &R::context, "the plant when the question was asked"),
        field("problemIr", &R::problem, "all that the answer was computed from"),
        field("status", &R::status, "running, then how it ended"),
        field("result", &R::result, "diagnostics, what was relaxed, what cannot hold"),
        field("code", &R::code, "of the reason why there is no advice"),
        field("reason", &R::reason, "in words"),
        field("independentCost", &R::independent_cost, "J of the advice, computed again"),
        field("startedAt", &R::started_at, "when").unit("us"),
        field("finishedAt", &R::finished_at, "when").unit("us")};
  }
};

/// How far the plant is from where the model was trained, now and along what is advised: per
/// variable in train deviations, and Mahalanobis of all together; absent: not known.
struct InputDistances {
  std::optional<double> now, along, mahalanobis_now, mahalanobis_along, mahalanobis_limit;
  double limit = 3;
  static constexpr auto fields() {
    using D = InputDistances;
    return FieldList{
        field("now", &D::now, "largest of the variables, train deviations"),
        field("along", &D::along, "largest of any step ahead"),
        field("limit", &D::limit, "of both"),
        field("mahalanobisNow", &D::mahalanobis_now, "of all variables together"),
        field("mahalanobisAlong", &D::mahalanobis_along, "largest of any step ahead"),
        field("mahalanobisLimit", &D::mahalanobis_limit, "99.5 % of the train rows lie within it")};
  }
};

/// What the second path found; `candidate` of the row holds its numbers, never the solver's.
struct VerifyReport {
  bool verified = false;
  std::vector<Words> failures;
  double cost_solver = 0, cost = 0, largest_difference = 0, improvement = 0;
  InputDistances distances;
  static constexpr auto fields() {
    using V = VerifyReport;
    return FieldList{
        field("verified", &V::verified, "every rule holds"),
        field("failures", &V::failures, "rules that do not"),
        field("costSolver", &V::cost_solver, "J as the solver says"),
        field("cost", &V::cost, "J from the stored model"),
        field("largestDifference", &V::largest_difference, "of predictions, in train deviations"),
        field("improvement", &V::improvement, "share of the cost of holding that it saves"),
        field("distances", &V::distances, "from where the model was trained")};
  }
};

struct CandidateRow {
  std::string id, run_id, model_id;
  optimise::Candidate candidate;
  bool verified = false;
  VerifyReport report;
  static constexpr auto fields() {
    using C = CandidateRow;
    return FieldList{field("id", &C::id, "oc-<run>-<seq>"),
                     field("runId", &C::run_id, "run"),
                     field("modelId", &C::model_id, "model that it was computed again with"),
                     field("candidate", &C::candidate, "as computed again"),
                     field("verified", &C::verified, "it stood"),
                     field("verifyReport", &C::report, "what was found")};
  }
};

struct Recommendation {
  std::string id, run_id, candidate_id, binding_id, line_id, problem_ir_hash, model_artifact_hash;
  plant::EvidenceSource evidence = plant::EvidenceSource::unassessed;
  Json uq;  ///< snapshot of the evidence; null: none
  bool no_change = false;
  RecommendationStatus status = RecommendationStatus::unverified;
  std::string status_label;
  std::vector<Words> unverified_because;
  TimeUs valid_until = 0, created_at = 0;
  std::string decided_by, reason, applied_by;
  std::optional<TimeUs> decided_at, applied_at, expired_at;
  std::optional<ExpiryCause> expiry_cause;
  static constexpr auto fields() {
    using R = Recommendation;
    return FieldList{
        field("id", &R::id, "rec-..."),
        field("runId", &R::run_id, "run"),
        field("candidateId", &R::candidate_id, "candidate that is advised"),
        field("bindingId", &R::binding_id, "binding"),
        field("lineId", &R::line_id, "line"),
        field("problemIrHash", &R::problem_ir_hash, "sha256 of the problem"),
        field("modelArtifactHash", &R::model_artifact_hash, "of the model"),
        field("evidenceSource", &R::evidence, "where the plant's data come from"),
        field("uqEvidence", &R::uq, "evidence of uncertainty when it was made"),
        field("noChange", &R::no_change, "the advice is to hold everything"),
        field("status", &R::status, "where it is"),
        field("statusLabel", &R::status_label, "the status as people read it"),
        field("unverifiedBecause", &R::unverified_because, "rules of verified that do not hold"),
        field("validUntil", &R::valid_until, "when").unit("us"),
        field("createdAt", &R::created_at, "when").unit("us"),
        field("decidedBy", &R::decided_by, "who accepted or rejected it"),
        field("reason", &R::reason, "why"),
        field("appliedBy", &R::applied_by, "who says so"),
        field("decidedAt", &R::decided_at, "when").unit("us"),
        field("appliedAt", &R::applied_at, "when").unit("us"),
        field("expiredAt", &R::expired_at, "when").unit("us"),
        field("expiryCause", &R::expiry_cause, "why it ended by itself")};
  }
};

/// One CV (or MV) before and after.
struct ObservedChange {
  std::string var_id;
  double before = 0, after = 0;
  double delta = 0, low = 0, high = 0;
  double predicted = 0;
  double loss_change = 0;
  std::int64_t samples_before = 0, samples_after = 0;
  static constexpr auto fields() {
    using O = ObservedChange;
    return FieldList{
        field("varId", &O::var_id, "tag"),
        field("before", &O::before, "mean of the baseline window"),
        field("after", &O::after, "mean of the settle window"),
        field("delta", &O::delta, "after - before"),
        field("low", &O::low, "95 % interval of delta"),
        field("high", &O::high, "95 % interval"),
        field("predicted", &O::predicted, "what the advice said delta would be"),
        field("lossChange", &O::loss_change,
              "change of its distance from what the profile wants, in train deviations"),
        field("samplesBefore", &O::samples_before, "grid values"),
        field("samplesAfter", &O::samples_after, "grid values")};
  }
};

struct AdviceOutcome {
  std::string id, recommendation_id;
  std::optional<TimeUs> applied_at;
  std::vector<ObservedChange> observed;
  double loss_change = 0, half_width = 0, predicted_loss_change = 0;
  Verdict verdict = Verdict::inconclusive;
  std::vector<Words> reasons;
  TimeUs baseline_from = 0, settle_from = 0, settle_to = 0, created_at = 0;
  static constexpr auto fields() {
    using O = AdviceOutcome;
    return FieldList{
        field("id", &O::id, "out-..."),
        field("recommendationId", &O::recommendation_id, "advice"),
        field("appliedAt", &O::applied_at, "when").unit("us"),
        field("observed", &O::observed, "per CV"),
        field("lossChange", &O::loss_change, "weighted over CVs; below 0 is better"),
        field("halfWidth", &O::half_width, "of its 95 % interval"),
        field("predictedLossChange", &O::predicted_loss_change, "what the advice said"),
        field("verdict", &O::verdict, "improved, neutral, worse or inconclusive"),
        field("reasons", &O::reasons, "why it cannot be told"),
        field("baselineFrom", &O::baseline_from, "baseline window, up to appliedAt").unit("us"),
        field("settleFrom", &O::settle_from, "settle window").unit("us"),
        field("settleTo", &O::settle_to, "settle window").unit("us"),
        field("createdAt", &O::created_at, "when").unit("us")};
  }
};

}  // namespace flyball::advise
