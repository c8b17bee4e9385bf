#pragma once
// A ledger on a database of its own, with one model, one active profile and one binding.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "advise/ledger.h"
#include "advise/schema.h"
#include "jobs/process_mark.h"
#include "registry/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::advise {

/// The mark of a process that has ended and was reaped.
inline std::string gone() {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string mark = jobs::process_mark();
    const auto n = ::write(ends[1], mark.data(), mark.size());
    ::_exit(n == static_cast<ssize_t>(mark.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  (void)::waitpid(child, nullptr, 0);
  char text[512];
  const auto n = ::read(ends[0], text, sizeof(text));
  ::close(ends[0]);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

class LedgerTest : public ::testing::Test {
 protected:
  LedgerTest() {
    std::vector<store::Migration> all(registry::migrations().begin(), registry::migrations().end());
    all.push_back(migration(2));
    all.push_back(run_migration(3));
    store::migrate(db, all);
    db.exec(R"(
      INSERT INTO datasets VALUES('ds-1', 'h', 'L', 'P', 'R', 1, '{}', 0);
      INSERT INTO experiments VALUES('exp-1', 'ds-1', 't', 'gates_passed', 1, 0, '{}', NULL, NULL,
        '', 0);
      INSERT INTO models VALUES('mdl-1', 'exp-1', 'ds-1', 'L', 'P', 'R', 'production',
        'linear_state_space@1', 'art', '{}', '', 0);)");
    profile = ledger.add_profile(draft());
    profile = ledger.move_profile(profile.id, 1, ProfileStatus::active, "ann", 1);
    Binding b;
    b.profile_id = profile.id;
    b.line_id = "L";
    b.node_map = {{"u", "L/u"}, {"y", "L/y"}};
    b.recipe_version = 1;
    b.recipe_content_hash = "r";
    b.updated_by = "ann";
    b.updated_at = 2;
    binding = ledger.add_binding(b);
  }

  static Profile draft() {
    Profile p;
    p.line_id = "L";
    p.product_id = "P";
    p.recipe_id = "R";
    p.model_artifact_hash = "art";
    p.content.name = "one";
    p.content.model_id = "mdl-1";
    p.created_by = "ann";
    p.created_at = 1;
    return p;
  }

  /// A question that is being answered.
  AdviceRun asked() {
    AdviceRun r;
    r.id = "or-" + std::to_string(++n);
    r.binding_id = binding.id;
    r.binding_revision = ledger.binding(binding.id).revision;
    r.profile_id = profile.id;
    r.profile_version = 1;
    r.line_id = "L";
    r.problem_ir_hash = "p";
    r.context = {{"a", 1}};
    r.problem = {{"b", 2}};
    r.started_at = 10;
    ledger.start(r, 500);
    return r;
  }

  Concluded answered(AdviceRun r, RecommendationStatus status = RecommendationStatus::verified,
                     TimeUs valid_until = 1000) {
    Concluded c;
    r.status = RunStatus::optimal;
    r.finished_at = 20;
    r.independent_cost = 1.5;
    c.run = r;
    CandidateRow row;
    row.run_id = r.id;
    row.id = "oc-" + r.id + "-0";
    row.model_id = "mdl-1";
    row.candidate.label = "optimum";
    row.candidate.controls = {{1.0}};
    row.candidate.predicted = {{2.0}};
    row.verified = true;
    c.candidates = {row};
    Recommendation rec;
    rec.id = "rec-" + r.id;
    rec.run_id = r.id;
    rec.candidate_id = row.id;
    rec.binding_id = r.binding_id;
    rec.line_id = "L";
    rec.problem_ir_hash = "p";
    rec.model_artifact_hash = "art";
    rec.evidence = plant::EvidenceSource::simulation;
    rec.status = status;
    rec.valid_until = valid_until;
    rec.created_at = 20;
    c.recommendation = rec;
    return c;
  }

  Recommendation advised(RecommendationStatus status = RecommendationStatus::verified,
                         TimeUs valid_until = 1000) {
    const Concluded c = answered(asked(), status, valid_until);
    ledger.conclude(c);
    return ledger.recommendation(c.recommendation->id);
  }

  /// One that has come to a status by the moves that lead there.
  Recommendation brought_to(RecommendationStatus status) {
    using enum RecommendationStatus;
    const std::string id = advised(status == unverified ? unverified : verified).id;
    if (status == accepted || status == applied) ledger.decide(id, accepted, "bob", "", 30);
    if (status == applied) ledger.decide(id, applied, "bob", "", 40);
    if (status == rejected) ledger.decide(id, rejected, "bob", "no", 30);
    if (status == expired) ledger.expire(id, ExpiryCause::modelRetired, 30);
    return ledger.recommendation(id);
  }

  testing::TempFolder folder;
  store::Database db{folder.path() / "flyball.db"};
  Ledger ledger{db};
  Profile profile;
  Binding binding;
  int n = 0;
};

}  // namespace flyball::advise
