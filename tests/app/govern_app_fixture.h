#pragma once
// A data folder with one object of each kind on each of the lines L1 and L2.
#include <gtest/gtest.h>

#include "app/app.h"
#include "jobs/sqlite_queue.h"
#include "store/files.h"
#include "support/expect_error.h"
#include "support/temp_folder.h"

namespace flyball::app {

inline const std::string kPassword = "seven quiet turbines";

class GovernAppTest : public ::testing::Test {
 protected:
  GovernAppTest() {
    for (const char* line : {"L1", "L2"})
      run(*find_operation("lines add"), app_, {{"id", line}}, {});
    store::Database db(temp_ / "flyball.db");
    plant::PlantStore plant(db);
    for (const std::string line : {"L1", "L2"}) {
      plant.ensure({line, "P1", "R1"}, {"ann", 1});
      plant::ContextSegment segment;
      segment.line_id = line;
      segment.run_id = "B1";
      segment.product_id = "P1";
      segment.recipe_id = "R1";
      segment.from = 1;
      segment.to = 2;
      const std::string segment_id = plant.draft(segment).id;
      plant::Mark mark;
      mark.line_id = line;
      mark.from = 1;
      mark.to = 2;
      const std::string mark_id = plant.add_mark(mark).id;
      db.run(
          "INSERT INTO datasets(id, sha256, line_id, product_id, recipe_id, row_count, "
          "summary_json, created_at) VALUES('ds-' || ?1, 'x', ?1, 'P1', 'R1', 1, '{}', 1)",
          line);
      db.run(
          "INSERT INTO experiments(id, dataset_id, trainer, status, seed, settings_version, "
          "config_json, metrics_json, gates_json, reason, created_at) "
          "VALUES('exp-' || ?1, 'ds-' || ?1, 't', 'failed', 1, 0, '{}', '{}', '{}', '', 1)",
          line);
      db.run(
          "INSERT INTO models(id, experiment_id, dataset_id, line_id, product_id, recipe_id, "
          "stage, artifact_kind, artifact_hash, files_json, label, created_at) VALUES('mdl-' || "
          "?1, "
          "'exp-' || ?1, 'ds-' || ?1, ?1, 'P1', 'R1', 'candidate', 'k', 'h', '{}', '', 1)",
          line);
      db.run(
          "INSERT INTO evaluations(id, model_id, dataset_id, line_id, by, metrics_json, created_at) "
          "VALUES('evl-' || ?1, 'mdl-' || ?1, 'ds-' || ?1, ?1, 'ann', '{}', 1)",
          line);
      db.run(
          "INSERT INTO training_plans(id, name, line_id, product_id, recipe_id, strategy, "
          "dataset_spec_json, training_spec_json, seed, min_interval_sec, min_new_rows, enabled, "
          "created_by, created_at) VALUES('plan-' || ?1, 'p', ?1, 'P1', 'R1', 'auto', '{}', '{}', "
          "7, 3600, 500, 1, 'ann', 1)",
          line);
      std::recursive_mutex guard;
      const std::string job_id =
          jobs::SqliteQueue(db, guard)
              .submit({jobs::Kind::training, line, "ann", "", Json::object()}, 1)
              .id;
      const govern::Approval approval = app_.governance(true).approvals.request(
          {"plans.run", "mdl-" + line, "d", line, "ann"}, clock_.now());
      db.run(
          "INSERT INTO optimizer_profiles(id, version, status, model_ref, model_artifact_hash, "
          "line_id, product_id, recipe_id, content_json, created_by, created_at) VALUES('prf-' || "
          "?1, 1, 'active', 'mdl-' || ?1, 'h', ?1, 'P1', 'R1', ?2, 'ann', 1)",
          line, R"({"name": "n", "modelId": "mdl", "mv": [], "cv": []})");
      db.run(
          "INSERT INTO optimizer_bindings VALUES('bnd-' || ?1, 1, 'prf-' || ?1, 1, ?1, '{}', 1, "
          "'r', 1, '', 'ann', 1)",
          line);
      db.run(
          "INSERT INTO optimizer_runs(id, binding_id, binding_revision, profile_id, "
          "profile_version, line_id, problem_hash, context_json, problem_json, status, started_at) "
          "VALUES('or-' || ?1, 'bnd-' || ?1, 1, 'prf-' || ?1, 1, ?1, 'p', '{}', '{}', 'optimal', 1)",
          line);
      db.run(
          "INSERT INTO optimizer_candidates VALUES('oc-' || ?1, 'or-' || ?1, 0, 'mdl-' || ?1, '{}', "
          "1, '{}')",
          line);
      db.run(
          "INSERT INTO optimizer_recommendations(id, run_id, candidate_id, binding_id, line_id, "
          "problem_hash, model_artifact_hash, evidence_source, no_change, status, because_json, "
          "valid_until, created_at) VALUES('rec-' || ?1, 'or-' || ?1, 'oc-' || ?1, 'bnd-' || ?1, "
          "?1, 'p', 'h', 'real', 0, 'expired', '[]', 1, 1)",
          line);
      if (line == "L1")
        ids_ = {{"datasets", "ds-L1"},    {"experiments", "exp-L1"},  {"models", "mdl-L1"},
                {"segments", segment_id}, {"marks", mark_id}, {"approvals", approval.id}, {"jobs", job_id},
                {"evaluations", "evl-L1"}, {"plans", "plan-L1"},
                {"profiles", "prf-L1"}, {"bindings", "bnd-L1"}, {"solves", "or-L1"},
                {"advice", "rec-L1"},
                {"lines", "L1"}};
    }
  }

  /// Ann in a fresh session.
  static Call as(std::vector<govern::Right> rights,
                 std::map<std::string, govern::Grant> lines = {}) {
    Call call;
    call.principal = govern::Principal{"ann", govern::Kind::person, govern::Credential::session};
    call.principal->rights = std::move(rights);
    call.principal->lines = std::move(lines);
    call.principal->fresh = true;
    return call;
  }

  void add_user(const std::string& id, std::vector<govern::Right> rights,
                std::map<std::string, govern::Grant> lines) {
    govern::User user;
    user.id = id;
    user.rights = std::move(rights);
    user.lines = std::move(lines);
    app_.governance(true).users.add(user, kPassword, clock_.now());
  }

  std::vector<govern::AuditRow> trail() { return app_.governance().audit.list({}, 100).rows; }

  const testing::TempFolder temp_;
  ManualClock clock_{1'800'000'000 * kSecond};
  App app_{{temp_.path(), "test"}, clock_};
  std::map<std::string, std::string> ids_;
};

}  // namespace flyball::app
