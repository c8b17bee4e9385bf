// Every cause by which open advice ends (docs/advice.md): each at the read and in the sweep; what
// is decided for good never changes.
#include "app/advice_fixture.h"
#include "plant/plant_store.h"

namespace flyball::app {
namespace {

class ExpiryTest : public AdviceTest {
 protected:
  ExpiryTest() : line_(test_) {
    go_live(line_);
    for (const char* name : {"ann", "bob"}) {
      call("users add", {{"id", name},
                         {"right", {"view", "request", "operate"}},
                         {"allLines", "none"},
                         {"password", "correct horse battery"}});
      call("users grant", {{"id", name}, {"level", "operate"}, {"line", "L"}});
    }
    profile_ = call("optimize profile create", {{"profile", content(model_)}})["id"];
    call("optimize profile activate", {{"id", profile_}});
    binding_ = call("optimize bind", {{"profile", profile_}}, person("ann"))["id"];
  }
  std::string ask() {
    return call("optimize solve", {{"id", binding_}})["recommendationId"].get<std::string>();
  }
  void decide(const char* how, const std::string& id, const char* who = "bob") {
    call((std::string("optimize ") + how).c_str(), {{"id", id}, {"reason", "r"}}, person(who));
  }
  std::string column(const std::string& id, const std::string& name) {
    store::Database db(temp_ / "data" / "flyball.db");
    auto rows = db.query("SELECT " + name + " FROM optimizer_recommendations WHERE id = ?1", id);
    return rows.step() ? rows.text(0) : "";
  }
  /// As it is kept, whatever a read would say.
  std::string kept(const std::string& id) { return column(id, "status"); }
  static bool is_open(const std::string& status) {
    return status == "unverified" || status == "verified";
  }
  /// Open, accepted, applied and rejected advice; then `happens`; then all four are looked at.
  void ends(const std::string& cause, const std::function<void()>& happens,
            const char* accepts = "bob") {
    const std::string rejected = ask();
    decide("reject", rejected);
    const std::string applied = ask();
    decide("accept", applied, accepts);
    decide("applied", applied, accepts);
    const std::string accepted = ask();
    decide("accept", accepted, accepts);
    const std::string open = ask();
    const auto record = [&](const std::string& id) {
      return call("optimize show", {{"id", id}})["recommendation"];
    };
    ASSERT_TRUE(is_open(record(open)["status"]));
    ASSERT_EQ(record(accepted)["status"], "accepted");
    happens();
    for (const std::string& id : {open, accepted}) {
      const Json now = record(id);
      EXPECT_EQ(now["status"], "expired") << cause;
      EXPECT_EQ(now.value("expiryCause", ""), cause);
      EXPECT_EQ(kept(id), "expired") << "a read keeps what it sees";
      EXPECT_ERROR(decide("reject", id), "RECOMMENDATION_EXPIRED");
    }
    EXPECT_EQ(record(rejected)["status"], "rejected") << cause;
    EXPECT_EQ(record(applied)["status"], "applied") << cause;
    EXPECT_EQ(kept(applied), "applied");
  }
  void run_sql(const std::string& sql) {
    store::Database db(temp_ / "data" / "flyball.db");
    db.run(sql);
  }
  void confirm_condition(const char* condition) {
    store::Database db(temp_ / "data" / "flyball.db");
    plant::PlantStore plant(db);
    plant::ContextSegment s;
    s.line_id = "L";
    s.run_id = "live";
    s.product_id = "P";
    s.recipe_id = "R";
    s.condition_id = condition;
    s.from = now_ + kBeat;
    s.to = now_ + 3600 * kSecond;
    plant.confirm(plant.draft(s).id, {"ann", now_, "r"});
  }
  SimulatedLine line_;
};

TEST_F(ExpiryTest, Time) {
  ends("time", [&] { clock_.set(now_ + 901 * kSecond); });
}
TEST_F(ExpiryTest, TheBindingIsChanged) {
  ends("bindingChanged", [&] {
    call("optimize bind", {{"id", binding_}, {"enabled", false}, {"reason", "r"}});
  });
}
TEST_F(ExpiryTest, TheProfileIsRetired) {
  ends("profileRetired", [&] { call("optimize profile retire", {{"id", profile_}}); });
}
TEST_F(ExpiryTest, AnotherVersionOfTheProfileComesIntoForce) {
  ends("profileRetired", [&] {
    call("optimize profile create", {{"profile", content(model_)}, {"versionOf", profile_}});
    call("optimize profile activate", {{"id", profile_}});
  });
}
TEST_F(ExpiryTest, TheRecipeIsChanged) {
  ends("recipeChanged", [&] {
    call("recipes set", {{"line", "L"}, {"product", "P"}, {"id", "R"}, {"param", {"u1=10"}}});
  });
}
TEST_F(ExpiryTest, TheModelIsNoLongerInForce) {
  ends("modelRetired", [&] { run_sql("UPDATE models SET stage = 'retired'"); });
}
TEST_F(ExpiryTest, TheFilesOfTheModelAreRemoved) {
  ends("modelMissing", [&] { run_sql("INSERT INTO pruned_models SELECT id, 1 FROM models"); });
}
TEST_F(ExpiryTest, TheModelIsAnotherArtifact) {
  ends("modelMissing", [&] { run_sql("UPDATE models SET artifact_hash = 'another'"); });
}
TEST_F(ExpiryTest, AnotherRunBegins) {
  ends("runChanged", [&] {
    for (int t = 0; t < 3; ++t) row(line_, "next", 10, 20);
    store();
  });
}
TEST_F(ExpiryTest, AnotherOperatingConditionIsConfirmed) {
  ends("conditionChanged", [&] { confirm_condition("night"); });
}
TEST_F(ExpiryTest, WhoPutItInForceMayNotOperateTheLineAnyMore) {
  ends("permissionChanged", [&] {
    call("users grant", {{"id", "ann"}, {"level", "read"}, {"line", "L"}});
  });
}
TEST_F(ExpiryTest, WhoPutItInForceIsDisabled) {
  ends("permissionChanged", [&] { call("users disable", {{"id", "ann"}}); });
}

TEST_F(ExpiryTest, WhoAcceptedItMayNotOperateTheLineAnyMore) {
  const std::string accepted = ask();
  decide("accept", accepted);
  const std::string open = ask();
  call("users grant", {{"id", "bob"}, {"level", "read"}, {"line", "L"}});
  const auto record = [&](const std::string& id) {
    return call("optimize show", {{"id", id}})["recommendation"];
  };
  EXPECT_EQ(record(accepted).value("expiryCause", ""), "permissionChanged");
  EXPECT_TRUE(is_open(record(open)["status"])) << "he had no part in this one";
}

TEST_F(ExpiryTest, NewerAdviceEndsWhatNobodyAccepted) {
  const std::string first = ask();
  const std::string accepted = ask();
  EXPECT_EQ(call("optimize show", {{"id", first}})["recommendation"]["expiryCause"], "superseded");
  decide("accept", accepted);
  ask();
  EXPECT_EQ(call("optimize show", {{"id", accepted}})["recommendation"]["status"], "accepted");
}

TEST_F(ExpiryTest, GrantsOnOtherLinesChangeNothing) {
  const std::string id = ask();
  call("users grant", {{"id", "ann"}, {"level", "none"}});
  EXPECT_TRUE(is_open(call("optimize show", {{"id", id}})["recommendation"]["status"]));
}

/// The sweep before the next question keeps each cause, without that anybody read the advice.
TEST_F(ExpiryTest, TheSweepKeepsWhatNobodyRead) {
  const std::string id = ask();
  confirm_condition("night");
  EXPECT_TRUE(is_open(kept(id)));
  ask();
  EXPECT_EQ(kept(id), "expired");
  EXPECT_EQ(column(id, "expiry_cause"), "conditionChanged");
}

}  // namespace
}  // namespace flyball::app
