// What is too old and needed by nobody goes, and nothing else; a killed run leaves left-overs only.
#include "custody/retention.h"

#include <set>

#include "jobs/sqlite_queue.h"
#include "registry/leases.h"
#include "registry/registry.h"
#include "registry/training_plans.h"
#include "stored_fixture.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

class RetentionTest : public StoredTest {
 protected:
  RetentionTest() {
    for (const char* what : {"job", "log", "experiment", "model", "plan", "dataset"}) {
      const std::string key = std::string("retention.") + what;
      set(key + "Days", "1");
      set(key + "sKept", "0");
    }
    clock_.set(clock_.now() + 10 * kDay);
  }
  void set(const std::string& key, const std::string& value) {
    call("config set", {{"key", key}, {"value", value}});
  }
  Json retain(bool dry_run = false) { return call("retention run", {{"dryRun", dry_run}}); }
  static std::set<std::string> names(const Json& run) {
    std::set<std::string> out;
    for (const Json& r : run["removed"])
      out.insert(r["what"].get<std::string>() + "/" + r["id"].get<std::string>());
    return out;
  }
  bool clean() { return call("entities list", Json::object())["ok"].get<bool>(); }
  void retire() {
    call("models stage", {{"id", model_}, {"to", "retired"}, {"reason", "old"}});
    clock_.set(clock_.now() + 10 * kDay);
  }

  std::string cited_ = call("models show", {{"id", model_}})["datasetId"];
};

TEST_F(RetentionTest, ADryRunSaysWhatARunDoesAndChangesNothing) {
  const Json models = call("models list", Json::object());
  const Json said = retain(true);
  EXPECT_EQ(names(said), std::set<std::string>{"datasets/" + other_});
  EXPECT_GT(said["removed"][0]["bytes"].get<int>(), 1000);
  EXPECT_NE(said["removed"][0]["rule"].get<std::string>().find("older than 1 days"),
            std::string::npos);
  EXPECT_EQ(call("datasets list", Json::object())["items"].size(), 2u);
  EXPECT_TRUE(fs::exists(data_ / "datasets" / other_));
  Json done = retain();
  EXPECT_EQ(done["removed"], said["removed"]);
  EXPECT_EQ(done["bytes"], said["bytes"]);
  EXPECT_FALSE(fs::exists(data_ / "datasets" / other_));
  EXPECT_EQ(call("models list", Json::object()), models) << "a candidate stays, whatever its age";
  EXPECT_TRUE(clean());
  EXPECT_TRUE(retain()["removed"].empty()) << "once is enough";
}

TEST_F(RetentionTest, WhatIsYoungOrAmongTheNewestStays) {
  set("retention.datasetDays", "20");
  EXPECT_TRUE(retain()["removed"].empty());
  set("retention.datasetDays", "1");
  set("retention.datasetsKept", "1");
  EXPECT_TRUE(retain()["removed"].empty());
  set("retention.datasetsKept", "0");
  EXPECT_EQ(retain()["removed"].size(), 1u);
}

TEST_F(RetentionTest, WhatIsLeasedOrWaitedForStays) {
  store::Database db(data_ / "flyball.db");
  registry::Leases leases(db);
  const std::int64_t lease = leases.acquire(other_, "somebody", clock_.now() + kDay);
  EXPECT_TRUE(retain()["removed"].empty());
  leases.release(lease);
  std::recursive_mutex guard;
  jobs::SqliteQueue queue(db, guard);
  jobs::Queue& port = queue;
  const std::string job =
      queue.submit({jobs::Kind::training, "L", "ann", "", {{"dataset", other_}}}, clock_.now()).id;
  EXPECT_TRUE(retain()["removed"].empty());
  ASSERT_TRUE(port.move({job, 1, jobs::State::queued, jobs::State::cancelled, clock_.now(), {}}));
  EXPECT_EQ(names(retain()), std::set<std::string>{"datasets/" + other_});
}

TEST_F(RetentionTest, FilesOfARetiredModelGoAndItsRowSaysSo) {
  retire();
  set("retention.modelsKept", "1");
  EXPECT_FALSE(names(retain()).contains("models/" + model_)) << "the newest of its recipe";
  set("retention.modelsKept", "0");
  EXPECT_TRUE(names(retain()).contains("models/" + model_));
  EXPECT_FALSE(fs::exists(data_ / "models" / model_));
  EXPECT_EQ(call("models show", {{"id", model_}})["stage"], "retired");
  EXPECT_EQ(call("models history", {{"id", model_}})["moves"].size(), 1u);
  EXPECT_TRUE(clean()) << "files that were removed on purpose are not missing";
  EXPECT_TRUE(call("entities verify", Json::object())["ok"].get<bool>());
  const Json verify = call("models verify", {{"id", model_}});
  EXPECT_FALSE(verify["ok"].get<bool>());
  EXPECT_NE(verify["problems"][0].get<std::string>().find("removed on"), std::string::npos);
  EXPECT_TRUE(fs::exists(data_ / "datasets" / cited_)) << "the model still cites it";
}

TEST_F(RetentionTest, NothingInShadowOrProductionEverGoes) {
  call("models stage", {{"id", model_}, {"to", "shadow"}});
  clock_.set(clock_.now() + 1000 * kDay);
  retain();
  store::Database(data_ / "flyball.db")
      .run("UPDATE models SET stage = 'production' WHERE id = ?", model_);
  clock_.set(clock_.now() + 1000 * kDay);
  retain();
  EXPECT_TRUE(call("models verify", {{"id", model_}})["ok"].get<bool>());
  EXPECT_TRUE(fs::exists(data_ / "datasets" / cited_));
}

TEST_F(RetentionTest, AForgottenExperimentHasStillSpentTheBudget) {
  store::Database db(data_ / "flyball.db");
  registry::Registry registry(db, data_ / "models");
  for (int i = 0; i < 3; ++i) {
    registry::ExperimentRow x;
    x.id = "exp-fff" + std::to_string(i);
    x.dataset_id = other_;
    x.trainer = "auto@1";
    x.created_at = clock_.now() + i;
    registry.add_experiment(x);
  }
  clock_.set(clock_.now() + 10 * kDay);
  set("retention.datasetDays", "1000");
  set("retention.experimentsKept", "1");
  EXPECT_EQ(names(retain()),
            (std::set<std::string>{"experiments/exp-fff0", "experiments/exp-fff1"}));
  EXPECT_EQ(registry.count_experiments(other_), 3);
  EXPECT_EQ(call("experiments list", Json::object())["items"].size(), 2u);
}

TEST_F(RetentionTest, ACandidateOfAPlanGoesWhenAPlanHasANewerOneAndNothingUsesIt) {
  const std::string plan =
      call("plans create", {{"name", "p"}, {"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}})["id"];
  store::Database db(data_ / "flyball.db");
  registry::TrainingPlans plans(db);
  const auto made = [&](const std::string& job, const std::string& model) {
    ASSERT_TRUE(plans.claim({plan, "why", "flyball", job, 1, 1, clock_.now()}));
    ASSERT_TRUE(plans.settle(plan, job, {cited_, model, {}, "", "", true}, clock_.now()));
  };
  const auto gone = [&] { return names(retain()).contains("models/" + model_); };
  made("job-1", model_);
  clock_.set(clock_.now() + 10 * kDay);
  EXPECT_FALSE(gone()) << "it is the plan's newest";
  made("job-2", "mdl-newer");
  registry::Leases leases(db);
  const std::int64_t lease = leases.acquire(model_, "somebody", clock_.now() + kDay);
  EXPECT_FALSE(gone()) << "it is leased";
  leases.release(lease);
  set("retention.planDays", "1000");
  EXPECT_FALSE(gone()) << "it is young";
  set("retention.planDays", "1");
  set("retention.plansKept", "1");
  EXPECT_FALSE(gone()) << "it is among the newest";
  set("retention.plansKept", "0");
  const std::set<std::string> said = names(retain(true));
  EXPECT_TRUE(said.contains("models/" + model_));
  EXPECT_EQ(names(retain()), said);
  EXPECT_ERROR(call("models show", {{"id", model_}}), "MODEL_MISSING");
  EXPECT_FALSE(fs::exists(data_ / "models" / model_));
  EXPECT_FALSE(fs::exists(data_ / "datasets" / cited_)) << "nothing cites it any more";
  EXPECT_TRUE(clean());
}

TEST_F(RetentionTest, ACandidateOfAPlanThatWentOnIsNoLongerThePlans) {
  const std::string plan =
      call("plans create", {{"name", "p"}, {"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}})["id"];
  store::Database db(data_ / "flyball.db");
  registry::TrainingPlans plans(db);
  for (const std::string& model : {model_, std::string("mdl-newer")}) {
    ASSERT_TRUE(plans.claim({plan, "why", "flyball", "job-1", 1, 1, clock_.now()}));
    ASSERT_TRUE(plans.settle(plan, "job-1", {cited_, model, {}, "", "", true}, clock_.now()));
  }
  call("models stage", {{"id", model_}, {"to", "shadow"}});
  clock_.set(clock_.now() + 1000 * kDay);
  retain();
  EXPECT_TRUE(call("models verify", {{"id", model_}})["ok"].get<bool>());
}

TEST_F(RetentionTest, EndedJobsGoWithTheirFoldersLogsBefore) {
  store::Database db(data_ / "flyball.db");
  std::recursive_mutex guard;
  jobs::SqliteQueue queue(db, guard);
  jobs::Queue& port = queue;
  std::vector<std::string> ids;
  for (int i = 0; i < 2; ++i) {
    ids.push_back(
        queue.submit({jobs::Kind::report, "L", "ann", "", Json::object()}, clock_.now()).id);
    ASSERT_TRUE(port.move({ids[i], 1, jobs::State::queued, jobs::State::failed, clock_.now(), {}}));
    store::write_file(data_ / "jobs" / ids[i] / "run.log", "said");
    store::write_file(data_ / "jobs" / ids[i] / "job.json", "{}");
    clock_.set(clock_.now() + 2 * kDay);
  }
  set("retention.datasetDays", "1000");
  set("retention.jobsKept", "1");
  EXPECT_EQ(names(retain()), (std::set<std::string>{"jobs/" + ids[0], "logs/" + ids[1]}));
  EXPECT_FALSE(fs::exists(data_ / "jobs" / ids[0]));
  EXPECT_FALSE(fs::exists(data_ / "jobs" / ids[1] / "run.log"));
  EXPECT_TRUE(fs::exists(data_ / "jobs" / ids[1] / "job.json"));
  EXPECT_TRUE(clean());
}

TEST_F(RetentionTest, ARunThatIsCutLeavesFoldersThatPruneRemoves) {
  retire();
  std::stop_source stop;
  const Call cut{[&](const Progress& p) {
                   if (p.stage == "remove") stop.request_stop();
                 },
                 stop.get_token()};
  EXPECT_ERROR(call("retention run", Json::object(), cut), "CANCELLED");
  const Json left = call("entities list", Json::object());
  ASSERT_FALSE(left["issues"].empty());
  for (const Json& issue : left["issues"]) EXPECT_EQ(issue["kind"], "orphan_dir") << issue;
  call("entities prune", Json::object());
  EXPECT_TRUE(clean());
  EXPECT_TRUE(retain()["removed"].empty());
}

TEST_F(RetentionTest, RunsAsAJobAndIsInTheTrail) {
  const Json job = call("jobs retention", Json::object());
  EXPECT_EQ(job["state"], "done") << job;
  EXPECT_FALSE(fs::exists(data_ / "datasets" / other_));
  const Json rows = call("audit list", {{"action", "retention.run"}})["items"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["targetId"], job["id"]);
  EXPECT_EQ(rows[0]["after"]["became"]["removed"][0], "datasets/" + other_);
}

}  // namespace
}  // namespace flyball::app
