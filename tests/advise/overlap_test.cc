#include <mutex>
#include <thread>

#include "advise/ledger_fixture.h"

namespace flyball::advise {
namespace {

/// The binding of the fixture moves L/u1 and steers L/y1; each test asks for another.
struct OverlapTest : LedgerTest {
  OverlapTest() { first = put({"u1"}, {"y1"}); }

  Profile active(const std::vector<std::string>& mv, const std::vector<std::string>& cv) {
    Profile p = draft();
    for (const std::string& id : mv) {
      MvSetting& m = p.content.mv.emplace_back();
      m.var_id = id;
      m.max_move = 1;
    }
    for (const std::string& id : cv) p.content.cv.emplace_back().var_id = id;
    p = ledger.add_profile(std::move(p));
    return ledger.move_profile(p.id, 1, ProfileStatus::active, "ann", 1);
  }
  Binding put(const std::vector<std::string>& mv, const std::vector<std::string>& cv,
              const std::map<std::string, std::string>& nodes = {}, bool enabled = true) {
    Binding b;
    b.profile_id = active(mv, cv).id;
    b.line_id = "L";
    b.node_map = nodes;
    b.recipe_content_hash = "r";
    b.updated_by = "ann";
    b.updated_at = 3;
    b.enabled = enabled;
    return ledger.add_binding(b);
  }
  Binding first;
};

TEST_F(OverlapTest, AnMvBelongsToOneBindingInForce) {
  try {
    put({"u2", "u1"}, {"y2"});
    FAIL() << "two that move L/u1";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "BINDING_MV_TAKEN");
    const std::string text = e.what();
    EXPECT_NE(text.find(first.id), std::string::npos) << text;
    EXPECT_NE(text.find("L/u1"), std::string::npos) << text;
    EXPECT_NE(text.find("--enabled false"), std::string::npos) << text;
  }
  EXPECT_EQ(ledger.bindings("L").size(), 2u) << "the refused one is not kept";
}

TEST_F(OverlapTest, NodesCountNotNames) {
  EXPECT_ERROR(put({"x"}, {"y2"}, {{"x", "L/u1"}}), "BINDING_MV_TAKEN");
  EXPECT_NO_THROW(put({"u1"}, {"y2"}, {{"u1", "L/elsewhere"}}));
}

TEST_F(OverlapTest, WhatOneMovesTheOtherDoesNotSteer) {
  EXPECT_ERROR(put({"y1"}, {"y2"}), "BINDING_MV_STEERED");
  EXPECT_ERROR(put({"u2"}, {"u1"}), "BINDING_CV_MOVED");
}

TEST_F(OverlapTest, ASharedCvIsAWarning) {
  const Binding b = put({"u2"}, {"y1", "y2"});
  ASSERT_EQ(b.warnings.size(), 1u);
  EXPECT_EQ(b.warnings[0].code, "BINDING_CV_SHARED");
  EXPECT_NE(b.warnings[0].text.find(first.id), std::string::npos);
  EXPECT_TRUE(put({"u3"}, {"y3"}).warnings.empty());
}

TEST_F(OverlapTest, OneThatIsSuspendedOrRetiredHoldsNothing) {
  first.enabled = false;
  ledger.change_binding(first, ExpiryCause::bindingChanged);
  const Binding second = put({"u1"}, {"y1"});
  first = ledger.binding(first.id);
  first.enabled = true;
  EXPECT_ERROR(ledger.change_binding(first, ExpiryCause::bindingChanged), "BINDING_MV_TAKEN");
  EXPECT_FALSE(ledger.binding(first.id).enabled);
  ledger.move_profile(second.profile_id, 1, ProfileStatus::retired, "ann", 4);
  EXPECT_NO_THROW(ledger.change_binding(first, ExpiryCause::bindingChanged));
}

TEST_F(OverlapTest, ItsOwnNextRevisionIsNoConflict) {
  EXPECT_NO_THROW(ledger.change_binding(first, ExpiryCause::bindingChanged));
}

TEST_F(OverlapTest, OneThatIsSuspendedMayBeKeptBesideIt) {
  EXPECT_NO_THROW(put({"u1"}, {"y1"}, {}, false));
}

/// Two connections at the same moment: the check and the row are one transaction.
TEST_F(OverlapTest, OfTwoAtTheSameMomentOneIsRefused) {
  for (int i = 0; i < 20; ++i) {
    const std::string u = "w" + std::to_string(i);
    const std::string ids[2] = {active({u}, {"y9"}).id, active({u}, {"y8"}).id};
    int refused = 0;
    std::mutex guard;
    const auto one = [&](const std::string& id) {
      store::Database own(folder.path() / "flyball.db");
      Binding b;
      b.profile_id = id;
      b.line_id = "L";
      b.updated_at = 5;
      try {
        Ledger(own).add_binding(b);
      } catch (const Error& e) {
        const std::lock_guard lock(guard);
        refused += e.code() == "BINDING_MV_TAKEN" ? 1 : 100;
      }
    };
    std::thread a(one, ids[0]), b(one, ids[1]);
    a.join();
    b.join();
    EXPECT_EQ(refused, 1);
  }
}

}  // namespace
}  // namespace flyball::advise
