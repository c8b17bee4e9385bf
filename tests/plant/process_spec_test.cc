#include "plant/process_spec.h"

#include <gtest/gtest.h>

#include <array>

#include "plant/plant_store.h"
#include "plant/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

Tag tag(const std::string& name, const std::string& unit = "") {
  Tag out;
  out.name = name;
  out.line_id = "L";
  out.unit = unit;
  return out;
}

SpecVariable variable(const std::string& name, Role role) {
  SpecVariable out;
  out.tag = name;
  out.role = role;
  return out;
}

class ProcessSpecTest : public ::testing::Test {
 protected:
  ProcessSpecTest() {
    const std::array migrations{migration(1), mark_migration(2), spec_migration(3)};
    store::migrate(db_, migrations);
    plant_.put(Line{"L", ""});
    plant_.put(Line{"M", ""});
    spec_.name = "dryer";
    spec_.line_id = "L";
    spec_.content.variables = {variable("steam", Role::mv), variable("moisture", Role::cv)};
    spec_.created_by = "ann";
    spec_.created_at = 7;
  }
  ProcessSpec other() const {
    ProcessSpec out = spec_;
    out.content.note = "steam is flow-controlled now";
    return out;
  }

  store::Database db_{":memory:"};
  PlantStore plant_{db_};
  ProcessSpecs specs_{db_};
  ProcessSpec spec_;
};

TEST_F(ProcessSpecTest, ADraftIsReplacedAndWhatWasInForceIsNot) {
  EXPECT_EQ(specs_.put(spec_).version, 1);
  const ProcessSpec changed = specs_.put(other());
  EXPECT_EQ(changed.version, 1) << "still a draft";
  EXPECT_EQ(changed.content.note, other().content.note);
  EXPECT_ERROR((void)specs_.cited("L", "dryer"), "PROCESS_SPEC_INACTIVE");
  EXPECT_ERROR((void)specs_.cited("L", "dryer@1"), "PROCESS_SPEC_INACTIVE");

  const ProcessSpec active = specs_.move(changed, SpecStatus::active, "bob", 9);
  EXPECT_EQ(active.activated_by, "bob");
  EXPECT_EQ(specs_.put(other()).version, 1) << "the same content is the same version";
  const ProcessSpec next = specs_.put(spec_);
  EXPECT_EQ(next.version, 2);
  EXPECT_EQ(specs_.get("L", "dryer", 1).content.note, other().content.note);
  EXPECT_EQ(specs_.cited("L", "dryer").version, 1) << "a draft takes nothing out of force";
}

TEST_F(ProcessSpecTest, OneVersionIsInForceAndRetiredOnesAreStillCitedByNumber) {
  specs_.move(specs_.put(spec_), SpecStatus::active, "ann", 8);
  specs_.move(specs_.put(other()), SpecStatus::active, "ann", 9);
  EXPECT_EQ(specs_.get("L", "dryer", 1).status, SpecStatus::retired);
  EXPECT_EQ(specs_.cited("L", "dryer").version, 2);
  EXPECT_EQ(specs_.cited("L", "dryer@1").ref, specs_.get("L", "dryer", 1).ref);
  EXPECT_ERROR((void)specs_.cited("L", "dryer@9"), "NAME_MISSING");
  EXPECT_ERROR((void)specs_.cited("L", "dryer@x"), "NAME_MISSING");
  EXPECT_ERROR((void)specs_.cited("M", "dryer"), "NAME_MISSING");
  specs_.move(specs_.get("L", "dryer"), SpecStatus::retired, "ann", 10);
  EXPECT_ERROR((void)specs_.cited("L", "dryer"), "PROCESS_SPEC_INACTIVE");
}

TEST_F(ProcessSpecTest, EveryMoveOfTheTableAndNoOther) {
  using S = SpecStatus;
  for (const S from : {S::draft, S::active, S::retired}) {
    for (const S to : {S::active, S::retired}) {
      db_.exec("DELETE FROM process_model_specs");
      ProcessSpec now = specs_.put(spec_);
      if (from != S::draft) now = specs_.move(now, S::active, "ann", 8);
      if (from == S::retired) now = specs_.move(now, S::retired, "ann", 8);
      const bool may = from == S::draft || (from == S::active && to == S::retired);
      if (may) {
        EXPECT_EQ(specs_.move(now, to, "ann", 9).status, to);
      } else {
        EXPECT_ERROR((void)specs_.move(now, to, "ann", 9), "PROCESS_SPEC_STATUS");
      }
    }
  }
}

TEST_F(ProcessSpecTest, ListsTheNewestVersionOfEachName) {
  specs_.move(specs_.put(spec_), SpecStatus::active, "ann", 8);
  specs_.put(other());
  ProcessSpec oven = spec_;
  oven.name = "oven";
  oven.line_id = "M";
  specs_.put(oven);
  ASSERT_EQ(specs_.list("").size(), 2U);
  EXPECT_EQ(specs_.list("L").at(0).version, 2);
  EXPECT_EQ(specs_.versions("L", "dryer").size(), 2U);
  EXPECT_ERROR(plant_.remove_line("M", {}), "IN_USE");
  oven.name = "no/slash";
  EXPECT_ERROR(specs_.put(oven), "NAME_INVALID");
}

TEST(ProcessSpecCheck, EveryRuleThatIsBrokenIsNamed) {
  std::vector<Tag> tags{tag("steam", "kg/h"), tag("moisture", "%"), tag("feed", "t/h"),
                        tag("odd", "scoops")};
  SpecContent c;
  c.variables = {variable("steam", Role::mv), variable("moisture", Role::cv),
                 variable("feed", Role::dv), variable("odd", Role::dv)};
  c.variables[0].unit = "t/h";
  c.variables[3].unit = "scoops";
  std::vector<Problem> problems;
  check(c, "L", tags, problems);
  EXPECT_TRUE(problems.empty()) << problems.front().message.text();

  const auto broken = [&](const auto& change) {
    SpecContent bad = c;
    change(bad);
    std::vector<Problem> found;
    check(bad, "L", tags, found);
    return found.size() == 1 ? found[0].message.code + " " + found[0].pointer
                             : std::to_string(found.size()) + " problems";
  };
  EXPECT_EQ(broken([](auto& s) { s.variables[0].tag = "stean"; }), "NAME_MISSING /variables/0/tag");
  EXPECT_EQ(broken([](auto& s) { s.variables[2].tag = "moisture"; }),
            "NAME_TWICE /variables/2/tag");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].unit = "°C"; }),
            "UNIT_DIMENSION /variables/0/unit");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].unit = "scopes"; }),
            "UNIT_UNKNOWN /variables/0/unit");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].min = s.variables[0].max = 4; }),
            "RANGE_EMPTY /variables/0/max");
  EXPECT_EQ(broken([](auto& s) { s.variables[1].delay_ms = 5; }),
            "PROCESS_SPEC_FIELD /variables/1/delayMs");
  EXPECT_EQ(broken([](auto& s) { s.variables[1].set_point = "feed"; }),
            "PROCESS_SPEC_FIELD /variables/1/setPoint");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].integrating = true; }),
            "PROCESS_SPEC_FIELD /variables/0/integrating");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].flow = "feed"; }),
            "PROCESS_SPEC_FLOW /variables/0/flow");
  EXPECT_EQ(broken([](auto& s) { s.variables[0].modes = {"AUTO"}; }),
            "MODE_TAG_UNKNOWN /variables/0/modes");
  EXPECT_EQ(broken([](auto& s) { s.variables.erase(s.variables.begin()); }),
            "PROCESS_SPEC_ROLE /variables");
}

}  // namespace
}  // namespace flyball::plant
