#pragma once
// The ledger of advice in flyball.db. Each call is atomic by itself and takes part in a transaction
// that is open already. Every change of a status is compare-and-set.
#include <optional>
#include <string>
#include <vector>

#include "advise/overlap.h"
#include "advise/profile.h"
#include "advise/records.h"
#include "store/sqlite.h"

namespace flyball::advise {

/// What one solve gives; written together or not at all.
struct Concluded {
  AdviceRun run;  ///< its end: status, result, code, reason, independent cost, finishedAt
  std::vector<CandidateRow> candidates;
  std::optional<Recommendation> recommendation;
};

class Ledger {
 public:
  explicit Ledger(store::Database& db) : db_(db) {}

  // Profiles (profile_store.cc)

  /// A new profile, or the next version of `profile.id`; returns it with id and version.
  Profile add_profile(Profile profile);
  [[nodiscard]] Profile profile(const std::string& id, std::optional<std::int64_t> version = {});
  /// Newest first; of one line, or all when empty.
  [[nodiscard]] std::vector<Profile> profiles(const std::string& line_id);
  /// Activating retires the active version before it. Throws PROFILE_STATUS, PROFILE_RACE.
  Profile move_profile(const std::string& id, std::int64_t version, ProfileStatus to,
                       const std::string& by, TimeUs now);
  /// "optimizer_profile:<id>@<version>" of those that are not retired and use a model.
  [[nodiscard]] std::vector<std::string> users_of_model(const std::string& model_id);

  // Bindings (binding_store.cc)

  /// Both throw BINDING_MV_TAKEN, BINDING_MV_STEERED, BINDING_CV_MOVED when it is enabled and
  /// another one of the line decides on the same node (overlap.h).
  Binding add_binding(Binding binding);
  [[nodiscard]] Binding binding(const std::string& id);  ///< throws BINDING_MISSING
  [[nodiscard]] std::vector<Binding> bindings(const std::string& line_id);
  /// A new revision; open advice of the binding expires. `binding.revision` is the one that was
  /// read: throws BINDING_REVISION_CHANGED when another is there.
  Binding change_binding(Binding binding, ExpiryCause cause);
  /// Enabled bindings of its line, but itself, whose profile is active.
  [[nodiscard]] std::vector<InForce> in_force_beside(const Binding& binding);
  /// Throws as add_binding; its warnings.
  std::vector<Words> require_alone(const Binding& binding);

  // Runs (run_store.cc)

  /// `until`: by then it has its end. This process answers it.
  void start(const AdviceRun& run, TimeUs until);
  /// From running only, with candidates and recommendation, which ends what was open and not
  /// accepted of the binding before. Throws ADVICE_RUN_RACE (it is not running), and
  /// BINDING_REVISION_CHANGED.
  void conclude(const Concluded& concluded);
  [[nodiscard]] AdviceRun run(const std::string& id);  ///< throws ADVICE_RUN_MISSING
  /// Newest first.
  [[nodiscard]] std::vector<AdviceRun> runs(const std::string& binding_id, std::int64_t limit);
  [[nodiscard]] std::vector<CandidateRow> candidates(const std::string& run_id);
  [[nodiscard]] CandidateRow candidate(const std::string& id);
  /// Why a run that says "running" will never end by itself: its process is gone, or its time is
  /// over; none: it is answered, or somebody answers it.
  std::optional<Message> abandoned(const AdviceRun& run, TimeUs now);
  /// Those end as error.
  std::int64_t end_abandoned(TimeUs now);

  // Recommendations (recommendation_store.cc)

  [[nodiscard]] Recommendation recommendation(const std::string& id);
  /// Newest first; of one binding or line, or all.
  [[nodiscard]] std::vector<Recommendation> recommendations(const std::string& binding_id,
                                                            const std::string& line_id,
                                                            std::int64_t limit);
  [[nodiscard]] std::vector<Recommendation> open_recommendations();
  /// Accept, reject, apply. Throws RECOMMENDATION_STATUS, RECOMMENDATION_EXPIRED.
  Recommendation decide(const std::string& id, RecommendationStatus to, const std::string& by,
                        const std::string& reason, TimeUs now);
  /// Idempotent; only what is open. How many.
  std::int64_t expire(const std::string& id, ExpiryCause cause, TimeUs now);
  std::int64_t expire_binding(const std::string& binding_id, ExpiryCause cause, TimeUs now);
  /// Those whose time is over.
  std::int64_t expire_old(TimeUs now);

  // Outcomes

  void add_outcome(const AdviceOutcome& outcome);
  [[nodiscard]] std::vector<AdviceOutcome> outcomes(const std::string& recommendation_id);

 private:
  void insert(const CandidateRow& row);
  void insert(const Recommendation& r);

  store::Database& db_;
};

/// "<prefix>-<milliseconds in base 36>-<6 random>".
std::string timed_id(const std::string& prefix, TimeUs now);

}  // namespace flyball::advise
