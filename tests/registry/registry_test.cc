#include "registry/registry.h"

#include <gtest/gtest.h>

#include <fstream>

#include "registry/inventory.h"
#include "registry/schema.h"
#include "registry/settings_store.h"
#include "store/files.h"

namespace flyball::registry {
namespace {

namespace fs = std::filesystem;

class RegistryTest : public ::testing::Test {
 protected:
  RegistryTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    std::vector<store::Migration> all(migrations().begin(), migrations().end());
    all.push_back(stage_migration(2));
    all.push_back(keeping_migration(3));
    all.push_back(evaluation_migration(4));
    all.push_back(figures_migration(5));
    store::migrate(db_, all);
    registry_.add_dataset({"ds-1", "ab", "L", "P", "R", 700, Json{{"runs", 1}}, 5});
  }
  ~RegistryTest() override { fs::remove_all(folder_); }

  ModelRow registered(const std::string& id = "mdl-1") {
    ModelRow m{id, "exp-" + id, "ds-1", "L", "P", "R", Stage::candidate, "linear_state_space@1", "cafe", {}, "L · P · R", 7};
    registry_.place_model(m, {{"model.json", "{\"a\":1}"}, {"uq.json", "null"}});
    registry_.add_model(experiment("exp-" + id), m);
    return m;
  }
  static ExperimentRow experiment(const std::string& id) {
    ExperimentRow x;
    x.id = id;
    x.dataset_id = "ds-1";
    x.trainer = "linear_arx@1";
    x.status = ExperimentStatus::gates_passed;
    x.gates = Json{{"passed", true}};
    return x;
  }

  store::Database db_{":memory:"};
  fs::path folder_ = fs::path(::testing::TempDir()) / ("registry-" + std::to_string(getpid()) + "-" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name());
  Registry registry_{db_, folder_ / "models"};
};

TEST_F(RegistryTest, ListsTheFiguresOfExperiments) {
  ExperimentRow x = experiment("exp-a");
  x.status = ExperimentStatus::gates_failed;
  x.metrics = Json{{"oneStepTest", {{"nrmse", 0.25}}}, {"rolloutNrmse", 0.5}, {"rolloutImprovement", nullptr}};
  x.gates = Json{{"checks", {{{"id", "G1"}, {"pass", true}}, {{"id", "G3"}, {"pass", false}}}}};
  registry_.add_experiment(x);
  registry_.add_experiment(experiment("exp-b"));
  const auto rows = registry_.experiments(10, std::nullopt).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id, "exp-b");
  EXPECT_FALSE(rows[0].one_step);
  EXPECT_TRUE(rows[0].failed_gates.empty());
  EXPECT_EQ(rows[1].one_step, 0.25);
  EXPECT_EQ(rows[1].rollout, 0.5);
  EXPECT_FALSE(rows[1].better);
  EXPECT_EQ(rows[1].failed_gates, std::vector<std::string>{"G3"});
  EXPECT_EQ(rows[1].line_id, "L");
}

TEST(Migrations, GiveFiguresToExperimentsThatHadNone) {
  store::Database db(":memory:");
  std::vector<store::Migration> all(migrations().begin(), migrations().end());
  store::migrate(db, all);
  db.run("INSERT INTO datasets VALUES('ds-1', 'ab', 'L', 'P', 'R', 1, '{}', 1)");
  db.run("INSERT INTO experiments VALUES('exp-1', 'ds-1', 't', 'gates_failed', 1, 0, '{}', ?, ?, '', 1)",
         R"({"rolloutNrmse":0.75})", R"({"checks":[{"id":"G1","pass":false}]})");
  all.push_back(figures_migration(2));
  store::migrate(db, all);
  Registry registry(db, "unused");
  const auto rows = registry.experiments(10, std::nullopt).rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].rollout, 0.75);
  EXPECT_EQ(rows[0].failed_gates, std::vector<std::string>{"G1"});
}

TEST_F(RegistryTest, RegistersFilesThenRows) {
  const ModelRow m = registered();
  EXPECT_EQ(to_json_value(registry_.model("mdl-1")), to_json_value(m));
  EXPECT_EQ(registry_.model_file(m, "model.json"), "{\"a\":1}");
  EXPECT_TRUE(registry_.verify(m).empty());
  EXPECT_EQ(registry_.experiment("exp-mdl-1").gates, (Json{{"passed", true}}));
  EXPECT_TRUE(registry_.experiment("exp-mdl-1").metrics.is_null());
}

TEST_F(RegistryTest, AFlippedBitInAnyFileIsFound) {
  const ModelRow m = registered();
  for (const auto& [name, digest] : m.files) {
    const fs::path path = folder_ / "models" / "mdl-1" / name;
    std::string bytes = store::read_file(path);
    std::string flipped = bytes;
    flipped[flipped.size() / 2] ^= 1;
    std::ofstream(path) << flipped;
    EXPECT_EQ(registry_.verify(m).size(), 1u) << name;
    EXPECT_THROW((void)registry_.model_file(m, name), Error) << name;
    std::ofstream(path) << bytes;
  }
  std::ofstream(folder_ / "models" / "mdl-1" / "extra.json") << "x";
  EXPECT_EQ(registry_.verify(m).size(), 1u);
}

TEST_F(RegistryTest, AFailedTransactionLeavesNoModelInAnyList) {
  ModelRow m{"mdl-2", "exp-2", "ds-unknown", "L", "P", "R", Stage::candidate, "linear_state_space@1", "cafe", {}, "", 7};
  ExperimentRow x = experiment("exp-2");
  x.dataset_id = "ds-unknown";
  registry_.place_model(m, {{"model.json", "{}"}});
  EXPECT_THROW(registry_.add_model(x, m), Error);
  EXPECT_THROW((void)registry_.model("mdl-2"), Error);
  EXPECT_THROW((void)registry_.experiment("exp-2"), Error);
  fs::create_directories(folder_ / "datasets" / "ds-1");
  const Inventory found = take_inventory(registry_, folder_);
  EXPECT_FALSE(found.ok);
  ASSERT_EQ(found.issues.size(), 2u);
  EXPECT_EQ(found.issues[0].kind, IssueKind::contract_missing);
  EXPECT_EQ(found.issues[0].id, "ds-1");
  EXPECT_EQ(found.issues[1].kind, IssueKind::orphan_dir);
  EXPECT_EQ(found.issues[1].id, "mdl-2");
}

TEST_F(RegistryTest, PruningRemovesOrphansOnlyAndFollowsNoLink) {
  registered();
  fs::create_directories(folder_ / "models" / "mdl-orphan");
  fs::create_directories(folder_ / "elsewhere");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "models" / "mdl-link");
  const auto removed = prune(take_inventory(registry_, folder_), folder_);
  EXPECT_EQ(removed, (std::vector<std::string>{"models/mdl-orphan"}));
  EXPECT_FALSE(fs::exists(folder_ / "models" / "mdl-orphan"));
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere"));
  EXPECT_TRUE(fs::exists(folder_ / "models" / "mdl-1"));
}

TEST_F(RegistryTest, ADatasetThatIsCitedStaysAndSaysByWhom) {
  registered();
  try {
    registry_.remove_dataset("ds-1");
    ADD_FAILURE() << "removed although cited";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "DATASET_REFERENCED");
    EXPECT_NE(std::string(e.what()).find("mdl-1"), std::string::npos) << e.what();
  }
  EXPECT_EQ(registry_.dataset("ds-1").id, "ds-1");
  registry_.add_dataset({"ds-2", "cd", "L", "P", "R", 7, Json::object(), 6});
  registry_.remove_dataset("ds-2");
  EXPECT_EQ(registry_.dataset_ids(), (std::vector<std::string>{"ds-1"}));
  EXPECT_THROW(registry_.remove_dataset("ds-2"), Error);
}

TEST_F(RegistryTest, AnIdIsRegisteredOnce) {
  registered();
  EXPECT_THROW(registered(), Error);
}

TEST_F(RegistryTest, ListsPageNewestFirstWithoutLossOrRepeat) {
  for (int i = 0; i < 7; ++i) registered("mdl-" + std::to_string(i));
  std::vector<std::string> seen;
  std::optional<std::string> cursor;
  do {
    const auto page = registry_.models(3, cursor);
    for (const auto& row : page.rows) seen.push_back(row.id);
    cursor = page.next_cursor;
  } while (cursor);
  EXPECT_EQ(seen, (std::vector<std::string>{"mdl-6", "mdl-5", "mdl-4", "mdl-3", "mdl-2", "mdl-1", "mdl-0"}));
  EXPECT_THROW((void)registry_.models(3, "1; DROP TABLE models"), Error);
}

TEST_F(RegistryTest, ADatasetKeepsItsFirstRow) {
  registry_.add_dataset({"ds-1", "ab", "L", "P", "R", 700, Json{{"runs", 1}}, 99});
  EXPECT_EQ(registry_.dataset("ds-1").created_at, 5);
}

TEST_F(RegistryTest, SettingsAreVersionedAndTakenBack) {
  SettingsStore settings(db_);
  EXPECT_EQ(settings.version(), 0);
  EXPECT_FALSE(settings.get("gates.nrmse", ""));
  EXPECT_EQ(settings.set("gates.nrmse", "", 0.15, "noisy", 1), 1);
  EXPECT_EQ(settings.set("gates.nrmse", "L", 0.2, "noisier", 2), 2);
  EXPECT_EQ(settings.get("gates.nrmse", "")->value, 0.15);
  EXPECT_EQ(settings.get("gates.nrmse", "L")->reason, "noisier");
  EXPECT_EQ(settings.set("gates.nrmse", "", std::nullopt, "", 3), 3);
  EXPECT_FALSE(settings.get("gates.nrmse", ""));
}

}  // namespace
}  // namespace flyball::registry
