// Who uses a model is named before it is retired or deleted; what is judged again is judged alike.
#include <fstream>

#include "registry/leases.h"
#include "stored_fixture.h"

namespace flyball::app {
namespace {

namespace fs = std::filesystem;

class UseTest : public StoredTest {
 protected:
  std::string refusal(const char* verb, const Json& request) {
    try {
      call(verb, request);
      return "";
    } catch (const Error& e) {
      return e.code() + ": " + e.what();
    }
  }
  void stage(const char* to) {
    call("models stage", {{"id", model_}, {"to", to}, {"reason", "r"}});
  }
};

TEST_F(UseTest, RetiringNamesEachHolder) {
  stage("shadow");
  store::Database db(data_ / "flyball.db");
  registry::Leases leases(db);
  leases.acquire(model_, "replay by ann", clock_.now() + kDay);
  const std::string approval =
      call("models promote", {{"id", model_}, {"reason", "better"}, {"waive", "test"}})["id"];
  const std::string said =
      refusal("models stage", {{"id", model_}, {"to", "retired"}, {"reason", "r"}});
  EXPECT_TRUE(said.starts_with("MODEL_IN_USE")) << said;
  EXPECT_NE(said.find("replay by ann"), std::string::npos) << said;
  EXPECT_NE(said.find("request " + approval), std::string::npos) << said;
  clock_.set(clock_.now() + 8 * kDay);  // the lease has run out, the request has expired
  stage("retired");
}

TEST_F(UseTest, AModelIsDeletedWhenNobodyUsesIt) {
  stage("shadow");
  EXPECT_TRUE(refusal("models delete", {{"id", model_}}).find("shadow of L") != std::string::npos);
  stage("retired");
  EXPECT_EQ(call("models delete", {{"id", model_}, {"dryRun", true}})["deleted"][0], model_);
  EXPECT_TRUE(fs::exists(data_ / "models" / model_));
  call("models delete", {{"id", model_}});
  EXPECT_FALSE(fs::exists(data_ / "models" / model_));
  EXPECT_EQ(call("models list", Json::object())["items"].size(), 0u);
  EXPECT_EQ(call("experiments list", Json::object())["items"].size(), 1u);
  EXPECT_TRUE(call("entities verify", Json::object())["ok"].get<bool>());
}

TEST_F(UseTest, WhatWasInProductionIsNeverForgotten) {
  store::Database db(data_ / "flyball.db");
  db.run(
      "INSERT INTO model_stage_moves(model_id, from_stage, to_stage, at, by, reason) "
      "VALUES(?, 'shadow', 'production', 1, 'ann', '')",
      model_);
  EXPECT_TRUE(refusal("models delete", {{"id", model_}}).starts_with("MODEL_HISTORY"));
}

TEST_F(UseTest, OnItsOwnDatasetAModelIsJudgedBitForBitAsBefore) {
  const Json model = call("models show", {{"id", model_}});
  const Json job = call("models evaluate", {{"id", model_}, {"dataset", model["datasetId"]}});
  ASSERT_EQ(job["state"], "done") << job;
  const Json found = call("evaluations list", {{"model", model_}})["items"];
  ASSERT_EQ(found.size(), 1u);
  const Json before = call("experiments show", {{"id", model["experimentId"]}})["metrics"];
  EXPECT_EQ(canonical(found[0]["metrics"]), canonical(before));
  EXPECT_EQ(call("evaluations show", {{"id", found[0]["id"]}}), found[0]);
  EXPECT_TRUE(refusal("models delete", {{"id", model_}}).starts_with("MODEL_CITED"));
  EXPECT_EQ(store::Database(data_ / "flyball.db").query("SELECT 1 FROM leases").step(), false);
}

TEST_F(UseTest, AnotherDatasetIsCitedByItsEvaluation) {
  const Json job = call("models evaluate", {{"id", model_}, {"dataset", other_}});
  ASSERT_EQ(job["state"], "done") << job;
  EXPECT_TRUE(refusal("datasets delete", {{"id", other_}}).starts_with("DATASET_REFERENCED"));
}

TEST_F(UseTest, ADatasetOfOtherVariablesOrBeatIsRefused) {
  const auto judged_on = [&](Json build) {
    build.update({{"line", "L"}, {"history", 10}, {"horizon", 10}});
    const Json job =
        call("models evaluate", {{"id", model_}, {"dataset", call("datasets build", build)["id"]}});
    EXPECT_EQ(job["state"], "failed");
    return job["code"];
  };
  EXPECT_EQ(judged_on({{"mv", {"y"}}, {"cv", {"u"}}}), "EVALUATION_VARIABLES");
  EXPECT_EQ(judged_on({{"mv", {"u"}}, {"cv", {"y"}}, {"beat", 2'000'000}}), "EVALUATION_BEAT");
}

TEST_F(UseTest, EverythingStoredIsReadByTheDeepCheck) {
  EXPECT_EQ(call("jobs reconcile", {{"deep", true}})["state"], "done");
  const fs::path file = data_ / "models" / model_ / "model.json";
  std::string bytes = store::read_file(file);
  bytes[bytes.size() / 2] ^= 1;
  std::ofstream(file, std::ios::binary) << bytes;
  const Json found = call("entities verify", Json::object());
  ASSERT_EQ(found["findings"].size(), 1u) << found;
  EXPECT_EQ(found["findings"][0]["id"], model_);
  EXPECT_EQ(call("jobs reconcile", {{"deep", true}})["code"], "DEEP_CHECK_FOUND");
  EXPECT_EQ(call("jobs reconcile", Json::object())["state"], "done") << "names only";
}

TEST_F(UseTest, ALineKeepsNoMoreThanItsQuota) {
  const Json build{{"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}, {"history", 5}, {"horizon", 5}};
  const auto set = [&](const char* key, const char* value) {
    call("config set", {{"key", key}, {"value", value}, {"line", "L"}});
  };
  set("quota.datasets", "2");
  EXPECT_TRUE(refusal("datasets build", build).starts_with("QUOTA_DATASETS"));
  set("quota.datasets", "default");
  set("quota.models", "1");
  EXPECT_TRUE(refusal("train", {{"dataset", other_}}).starts_with("QUOTA_MODELS"));
  EXPECT_TRUE(
      refusal("study", {{"line", "L"}, {"mv", {"u"}}, {"cv", {"y"}}}).starts_with("QUOTA_MODELS"));
  set("quota.models", "default");
  set("quota.mb", "0.01");
  EXPECT_TRUE(refusal("datasets build", build).starts_with("QUOTA_BYTES"));
  set("quota.mb", "default");
  EXPECT_EQ(refusal("datasets build", build), "");
}

TEST_F(UseTest, AStudyIsSignedByWhoAskedForIt) {
  Call ann;
  ann.principal = govern::Principal{"ann", govern::Kind::person, govern::Credential::session};
  ann.principal->rights = govern::all_rights();
  ann.principal->all_lines = govern::Grant::operate;
  call("study",
       {{"file", (temp_ / "a.csv").string()},
        {"line", "L7"},
        {"period", 1'000'000},
        {"mv", {"u"}},
        {"cv", {"y"}}},
       ann);
  EXPECT_EQ(call("recipes show",
                 {{"id", "default"}, {"line", "L7"}, {"product", "default"}})["versions"][0]["by"],
            "ann");
}

TEST_F(UseTest, WhatComesOverAWireWithoutACallerIsNobodys) {
  Call remote;
  remote.remote = true;
  EXPECT_ERROR(call("models list", Json::object(), remote), "UNAUTHENTICATED");
  EXPECT_ERROR(call("lines add", {{"id", "L9"}}, remote), "UNAUTHENTICATED");
}

}  // namespace
}  // namespace flyball::app
