#pragma once
// The use cases. Built in main from the configuration; owns everything; tests build one on a
// temporary folder with a manual clock.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/advice_requests.h"
#include "app/custody_requests.h"
#include "app/dataset_requests.h"
#include "app/govern_requests.h"
#include "app/import_request.h"
#include "app/mark_requests.h"
#include "app/operations.h"
#include "app/plant_requests.h"
#include "app/requests.h"
#include "app/samples_requests.h"
#include "app/stage_requests.h"
#include "app/step_test_requests.h"
#include "app/train_requests.h"
#include "core/time.h"
#include "dataset/limits.h"
#include "historian/embedded_historian.h"
#include "plant/plant_store.h"
#include "plant/process_spec.h"
#include "registry/evaluations.h"
#include "registry/inventory.h"
#include "registry/registry.h"
#include "registry/settings_store.h"
#include "registry/training_plans.h"
#include "report/study_report.h"

namespace flyball::app {

struct FindModelsRequest;
struct NoticeListRequest;
struct NoticesReadRequest;
struct NoticesResponse;

struct Plant;
struct DriftReport;
struct PlanCreateRequest;
struct PlanEvidence;
struct PlanListRequest;
struct PlanResponse;
struct PlanTrainingsRequest;
struct ProcessSpecCreateRequest;
struct ProcessSpecRequest;
struct ProcessSpecResponse;
class JobService;
class ModelCache;

/// Answers the payload of a solve (app/solver_worker.h).
using AdviceSolver = std::function<Json(const Json& payload, std::stop_token stop)>;

/// Where everything is kept, and who said so.
struct DataFolder {
  std::filesystem::path path;
  std::string source;
};

/// --data, else FLYBALL_HOME, else ./flyball-data when it exists or `creates`, else
/// ~/.local/share/flyball.
DataFolder find_data_folder(const std::string& flag, bool creates);

class App {
 public:
  App(DataFolder data, const Clock& clock);
  ~App();

  [[nodiscard]] const DataFolder& data() const { return data_; }
  /// In a service: what asks for work is answered at once, `jobs` does it. It must outlive this.
  void use(JobService& jobs) { jobs_ = &jobs; }
  /// Who solves instead of the worker processes of the job service.
  void use(AdviceSolver solver) { solver_ = std::move(solver); }
  [[nodiscard]] const Clock& clock() const { return clock_; }

  /// Users, sessions, tokens, approvals and the audit trail; creates flyball.db when it `writes`,
  /// else throws DATA_FOLDER_MISSING without it.
  govern::Governance& governance(bool writes = false);

  /// The lines that a request concerns; none: no one line, as of a list. Throws NAME_MISSING where
  /// it names what is not there, LINE_UNKNOWN for an operation that does not say.
  std::vector<std::string> lines_of(const Operation& operation, const Json& request);

  /// Makes folder and databases where they are missing: afterwards every list has an answer.
  void create();

  report::StudyReport study(const StudyRequest& request, const Call& call);
  ImportResponse import(const ImportRequest& request, const Call& call);
  DatasetBuildResponse build_dataset(const DatasetBuildRequest& request, const Call& call);
  ItemsResponse list_datasets(const ListRequest& request, const Call& call);
  DatasetResponse show_dataset(const IdRequest& request, const Call& call);
  DatasetVerifyResponse verify_dataset(const DatasetVerifyRequest& request, const Call& call);
  DatasetStatsResponse dataset_stats(const IdRequest& request, const Call& call);
  dataset::DatasetDiff diff_datasets(const DatasetDiffRequest& request, const Call& call);
  ItemsResponse list_imports(const ImportsRequest& request, const Call& call);
  SamplesResponse list_samples(const SamplesRequest& request, const Call& call);
  AggregateResponse aggregate_samples(const AggregateRequest& request, const Call& call);
  VerifyResponse verify_samples(const Empty& request, const Call& call);
  survey::TagSurvey survey_tags(const TagSurveyRequest& request, const Call& call);
  DeleteResponse delete_dataset(const DeleteRequest& request, const Call& call);
  registry::Inventory list_entities(const Empty& request, const Call& call);
  DeleteResponse prune_entities(const PruneRequest& request, const Call& call);
  ItemsResponse list_experiments(const ListRequest& request, const Call& call);
  registry::ExperimentRow show_experiment(const IdRequest& request, const Call& call);
  ReportResponse experiment_report(const IdRequest& request, const Call& call);
  ItemsResponse list_models(const ListRequest& request, const Call& call);
  ItemsResponse find_models(const FindModelsRequest& request, const Call& call);
  registry::ModelRow show_model(const IdRequest& request, const Call& call);
  VerifyResponse verify_model(const IdRequest& request, const Call& call);
  PredictResponse predict(const PredictRequest& request, const Call& call);
  StepTestResponse plan_step_test(const StepTestRequest& request, const Call& call);
  StageHistory set_stage(const StageRequest& request, const Call& call);
  StageHistory stage_history(const IdRequest& request, const Call& call);
  registry::ShadowEvidence shadow_evidence(const IdRequest& request, const Call& call);
  registry::ShadowEvidence update_shadow(const IdRequest& request, const Call& call);
  govern::Approval request_promotion(const PromotionRequest& request, const Call& call);
  registry::ModelRow production(const ProductionRequest& request, const Call& call);
  JobResponse train(const TrainRequest& request, const Call& call);
  JobResponse build_in_job(const DatasetBuildRequest& request, const Call& call);
  ItemsResponse list_jobs(const JobListRequest& request, const Call& call);
  JobResponse show_job(const IdRequest& request, const Call& call);
  JobResponse cancel_job(const JobCancelRequest& request, const Call& call);
  JobResponse retry_job(const IdRequest& request, const Call& call);
  DeleteResponse delete_job(const DeleteRequest& request, const Call& call);
  NoticesResponse list_notices(const NoticeListRequest& request, const Call& call);
  NoticesResponse read_notices(const NoticesReadRequest& request, const Call& call);
  JobLogResponse job_log(const JobLogRequest& request, const Call& call);
  ItemsResponse list_lines(const ListRequest& request, const Call& call);
  plant::Line add_line(const LineAddRequest& request, const Call& call);
  DeleteResponse delete_line(const DeleteRequest& request, const Call& call);
  ItemsResponse list_products(const LineListRequest& request, const Call& call);
  plant::Product add_product(const ProductAddRequest& request, const Call& call);
  DeleteResponse delete_product(const ProductDeleteRequest& request, const Call& call);
  ItemsResponse list_recipes(const LineListRequest& request, const Call& call);
  RecipeResponse show_recipe(const RecipeRequest& request, const Call& call);
  plant::Recipe add_recipe(const RecipeAddRequest& request, const Call& call);
  plant::Recipe set_recipe(const RecipeSetRequest& request, const Call& call);
  DeleteResponse delete_recipe(const RecipeDeleteRequest& request, const Call& call);
  ItemsResponse list_tags(const LineListRequest& request, const Call& call);
  TagResponse show_tag(const TagRequest& request, const Call& call);
  TagResponse set_tag(const TagSetRequest& request, const Call& call);
  ItemsResponse list_runs(const RunListRequest& request, const Call& call);
  RunResponse show_run(const RunRequest& request, const Call& call);
  RunResponse add_run(const RunAddRequest& request, const Call& call);
  RunResponse end_run(const RunEndRequest& request, const Call& call);
  DeleteResponse delete_run(const RunDeleteRequest& request, const Call& call);
  ItemsResponse list_segments(const SegmentListRequest& request, const Call& call);
  SegmentResponse show_segment(const IdRequest& request, const Call& call);
  plant::ContextSegment confirm_segment(const SegmentConfirmRequest& request, const Call& call);
  plant::ContextSegment reject_segment(const SegmentRejectRequest& request, const Call& call);
  ItemsResponse list_marks(const MarkListRequest& request, const Call& call);
  plant::Mark add_mark(const MarkAddRequest& request, const Call& call);
  DeleteResponse delete_mark(const DeleteRequest& request, const Call& call);
  ProcessSpecResponse create_process_spec(const ProcessSpecCreateRequest& request,
                                          const Call& call);
  ItemsResponse list_process_specs(const LineListRequest& request, const Call& call);
  ProcessSpecResponse show_process_spec(const ProcessSpecRequest& request, const Call& call);
  ProcessSpecResponse activate_process_spec(const ProcessSpecRequest& request, const Call& call);
  ProcessSpecResponse retire_process_spec(const ProcessSpecRequest& request, const Call& call);
  PlantApplyResponse apply_plant(const PlantApplyRequest& request, const Call& call);
  PlantShowResponse show_plant(const PlantShowRequest& request, const Call& call);
  ConfigResponse show_config(const ConfigShowRequest& request, const Call& call);
  ConfigResponse set_config(const ConfigSetRequest& request, const Call& call);
  ExplainResponse explain_right(const ExplainRequest& request, const Call& call);
  govern::User set_password(const PasswordRequest& request, const Call& call);
  ItemsResponse list_users(const ListRequest& request, const Call& call);
  govern::User add_user(const UserAddRequest& request, const Call& call);
  govern::User set_user(const UserSetRequest& request, const Call& call);
  govern::User disable_user(const UserDisableRequest& request, const Call& call);
  govern::User grant_user(const UserGrantRequest& request, const Call& call);
  ItemsResponse list_tokens(const TokenListRequest& request, const Call& call);
  TokenCreateResponse create_token(const TokenCreateRequest& request, const Call& call);
  govern::Token revoke_token(const TokenRevokeRequest& request, const Call& call);
  ItemsResponse list_approvals(const ApprovalListRequest& request, const Call& call);
  govern::Approval show_approval(const IdRequest& request, const Call& call);
  govern::Approval approve(const ApprovalDecideRequest& request, const Call& call);
  govern::Approval reject(const ApprovalDecideRequest& request, const Call& call);
  ItemsResponse list_audit(const AuditListRequest& request, const Call& call);
  AuditVerifyResponse verify_audit(const AuditVerifyRequest& request, const Call& call);
  custody::Backup backup(const BackupRequest& request, const Call& call);
  RestoreResponse restore(const RestoreRequest& request, const Call& call);
  SystemResponse system(const Empty& request, const Call& call);
  custody::RetentionRun retain(const RetentionRequest& request, const Call& call);
  JobResponse retain_in_job(const Empty& request, const Call& call);
  custody::DeepCheck verify_entities(const Empty& request, const Call& call);
  JobResponse reconcile_in_job(const ReconcileRequest& request, const Call& call);
  DeleteResponse delete_model(const DeleteRequest& request, const Call& call);
  JobResponse evaluate_in_job(const EvaluateRequest& request, const Call& call);
  ItemsResponse list_evaluations(const EvaluationListRequest& request, const Call& call);
  registry::EvaluationRow show_evaluation(const IdRequest& request, const Call& call);
  DriftReport model_drift(const IdRequest& request, const Call& call);
  ItemsResponse list_plans(const PlanListRequest& request, const Call& call);
  PlanResponse show_plan(const IdRequest& request, const Call& call);
  PlanResponse create_plan(const PlanCreateRequest& request, const Call& call);
  PlanResponse enable_plan(const IdRequest& request, const Call& call);
  PlanResponse disable_plan(const IdRequest& request, const Call& call);
  DeleteResponse delete_plan(const DeleteRequest& request, const Call& call);
  PlanResponse train_plan(const IdRequest& request, const Call& call);
  ItemsResponse plan_trainings(const PlanTrainingsRequest& request, const Call& call);
  JobResponse rebuild_report(const IdRequest& request, const Call& call);

  advise::Profile create_profile(const ProfileCreateRequest& request, const Call& call);
  ItemsResponse list_profiles(const AdviceListRequest& request, const Call& call);
  advise::Profile show_profile(const ProfileRequest& request, const Call& call);
  advise::Profile activate_profile(const ProfileRequest& request, const Call& call);
  advise::Profile retire_profile(const ProfileRequest& request, const Call& call);
  advise::Binding bind_profile(const BindRequest& request, const Call& call);
  ItemsResponse list_bindings(const AdviceListRequest& request, const Call& call);
  advise::Binding show_binding(const IdRequest& request, const Call& call);
  CapabilitiesResponse advice_capabilities(const Empty& request, const Call& call);
  advise::Card solve_advice(const SolveRequest& request, const Call& call);
  TryResponse try_advice(const TryRequest& request, const Call& call);
  ItemsResponse list_solves(const AdviceListRequest& request, const Call& call);
  AdviceRunResponse show_solve(const IdRequest& request, const Call& call);
  ItemsResponse list_advice(const AdviceListRequest& request, const Call& call);
  advise::Card show_advice(const IdRequest& request, const Call& call);
  advise::PlanView advice_plan(const IdRequest& request, const Call& call);
  advise::Recommendation accept_advice(const DecideRequest& request, const Call& call);
  advise::Recommendation reject_advice(const DecideRequest& request, const Call& call);
  advise::Recommendation apply_advice(const DecideRequest& request, const Call& call);
  advise::AdviceOutcome record_outcome(const OutcomeRequest& request, const Call& call);
  ItemsResponse list_outcomes(const IdRequest& request, const Call& call);

  /// What the job of evaluate_in_job() does: `id` names the evaluation.
  registry::EvaluationRow evaluate(const EvaluateRequest& request, const std::string& id,
                                   const std::string& by, const Call& call);
  /// In a service: settles the plans whose jobs have ended; when it `looks`, begins those that have
  /// a reason to train. What one cannot do is noted on it.
  void follow_plans(bool looks);
  /// Throws DISK_LOW.
  void check_disk();
  VersionResponse version(const Empty& request, const Call& call);

 private:
  struct Records;  ///< flyball.db and what stands on it
  /// Opens flyball.db, creating the folder when `create`; without it throws DATA_FOLDER_MISSING and
  /// opens it for reading only.
  Records& records(bool create = false);
  /// nullptr when there is no data folder yet: every setting has its default.
  registry::SettingsStore* settings();

  /// Opens historian.db, creating it when `create`; without it throws DATA_FOLDER_MISSING or
  /// HISTORIAN_MISSING.
  historian::EmbeddedHistorian& historian(bool create = false);

  /// Both, created when the call `writes`.
  Plant plant(bool writes = false);

  /// A process that was killed between the two databases left runs whose line, product, recipe or
  /// draft segments are missing: completes them.
  void reconcile(const plant::Author& author);
  /// Drafts the context segments of imported runs, and confirms them when asked to; which.
  /// Lets every model in shadow of the line predict what is new. What one cannot do does not stop
  /// the others.
  std::vector<ShadowFollowed> follow_in_shadow(const std::string& line, const Call& call);
  std::vector<std::string> draft_segments(const std::vector<std::string>& runs,
                                          const ImportRequest& request,
                                          const plant::Author& author);
  ProcessSpecResponse move_process_spec(const ProcessSpecRequest& request, plant::SpecStatus to,
                                        const Call& call);
  /// Of what is stored for a plan.
  PlanEvidence plan_evidence(const registry::TrainingPlan& plan);
  PlanResponse plan_enabled(const std::string& id, bool enabled, const Call& call);
  void audit_settled(const registry::TrainingPlan& plan);
  void begin_if_due(const registry::TrainingPlan& plan);
  /// Why the newest model of a plan no longer fits what is stored; looked at once for the same
  /// data.
  std::optional<Message> drift_of(const registry::TrainingPlan& plan, const PlanEvidence& evidence);
  /// Submits a job; without a service does it here, and waits for its end.
  template <class Ask>
  JobResponse ask(const Call& call, const Ask& submit);
  JobService& job_service();

  /// Who uses a model or dataset now: jobs that hold or name it, requests that wait for a decision.
  std::vector<std::string> users_now(const std::string& id);
  /// Throws MODEL_IN_USE, DATASET_IN_USE with `more` and users_now().
  void check_free(const char* code, const std::string& id, std::vector<std::string> more = {});

  /// Ends advice that no longer holds.
  void sweep_advice();
  advise::Card card(const advise::AdviceRun& run, const std::optional<advise::Recommendation>& rec);
  advise::Recommendation decide_advice(const DecideRequest& request,
                                       advise::RecommendationStatus to, const Call& call);
  /// One solve by a worker, within optimizer.solver.requestTimeoutMs.
  Json ask_solver(const Json& payload, const std::stop_token& stop);

  govern::Approval decide(const ApprovalDecideRequest& request, govern::Verdict verdict,
                          const Call& call);
  /// dataset.maxRows and job.diskQuotaMb.
  dataset::Limits limits();
  /// Creates line, product and recipe where they are missing; which, in words.
  std::vector<std::string> know_recipe(const historian::ImportOptions& options,
                                       const plant::Author& author);

  DataFolder data_;
  const Clock& clock_;
  std::unique_ptr<Records> records_;
  std::unique_ptr<historian::EmbeddedHistorian> historian_;
  std::unique_ptr<ModelCache> models_;  ///< of predict()
  bool historian_read_only_ = false;
  std::map<std::string, DurationUs> looked_;  ///< of drift_of(): plan → plant time
  JobService* jobs_ = nullptr;                ///< of the service
  AdviceSolver solver_;                       ///< of tests
  std::unique_ptr<JobService> own_jobs_;      ///< of a command
};

}  // namespace flyball::app
