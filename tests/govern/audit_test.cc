#include "govern/audit.h"

#include <thread>

#include "govern/audit_chain.h"
#include "govern_fixture.h"

namespace flyball::govern {
namespace {

class AuditTest : public GovernTest {
 protected:
  AuditHead append(const std::string& action, const std::string& line = "L1") {
    AuditEntry e;
    e.actor = "ann";
    e.actor_kind = Kind::person;
    e.action = action;
    e.target_kind = "models";
    e.target_id = "mdl-1";
    e.line_id = line;
    e.before = {{"stage", "shadow"}};
    e.after = {{"stage", "production"}};
    e.reason = "because it is better";
    return g_.audit.append(e, kNow + ++steps_);
  }
  static AuditEntry entry(const std::string& action) {
    AuditEntry e;
    e.actor = "ann";
    e.action = action;
    e.after = {{"request", {{"id", "L3"}}}};
    return e;
  }
  void append_five() {
    for (int i = 0; i < 5; ++i) append("step" + std::to_string(i));
  }
  /// As somebody would who writes the file with another program.
  void tamper(const std::string& sql) {
    db_.exec(
        "DROP TRIGGER IF EXISTS audit_only_grows; DROP TRIGGER IF EXISTS audit_no_update; "
        "DROP TRIGGER IF EXISTS audit_no_delete; " +
        sql);
  }
  [[nodiscard]] std::string problem() const {
    const AuditVerdict v = g_.audit.verify();
    return v.problem ? v.problem->code + " " + std::to_string(*v.first_broken) : "";
  }

  TimeUs steps_ = 0;
};

TEST_F(AuditTest, RowsAreReadBackAndHold) {
  append_five();
  const AuditPage page = g_.audit.list({}, 2);
  ASSERT_EQ(page.rows.size(), 2u);
  EXPECT_EQ(page.rows[0].number, 5);
  EXPECT_EQ(page.rows[0].action, "step4");
  EXPECT_EQ(page.rows[0].at, kNow + 5);
  EXPECT_EQ(page.rows[0].before["stage"], "shadow");
  EXPECT_EQ(page.rows[0].reason, "because it is better");
  const AuditVerdict v = g_.audit.verify();
  EXPECT_FALSE(v.problem);
  EXPECT_EQ(v.rows, 5);
  EXPECT_EQ(v.head, g_.audit.head());
}

TEST_F(AuditTest, PagesShowEachRowOnce) {
  append_five();
  std::vector<std::int64_t> seen;
  for (std::optional<std::int64_t> before;;) {
    const AuditPage page = g_.audit.list({}, 2, before);
    for (const AuditRow& r : page.rows) seen.push_back(r.number);
    if (!page.next) break;
    before = page.next;
  }
  EXPECT_EQ(seen, (std::vector<std::int64_t>{5, 4, 3, 2, 1}));
}

TEST_F(AuditTest, ListsAreFiltered) {
  append("a", "L1");
  append("b", "L2");
  EXPECT_EQ(g_.audit.list({.action = "a"}, 10).rows.size(), 1u);
  EXPECT_EQ(g_.audit.list({.line_id = "L2"}, 10).rows.size(), 1u);
  EXPECT_EQ(g_.audit.list({.actor = "bob"}, 10).rows.size(), 0u);
  EXPECT_EQ(g_.audit.list({.from = kNow + 2}, 10).rows.front().action, "b");
  EXPECT_EQ(g_.audit.list({.to = kNow + 2}, 10).rows.front().action, "a");
  EXPECT_EQ(g_.audit.list({.target_id = "mdl-1"}, 10).rows.size(), 2u);
}

TEST_F(AuditTest, TheHashIsThatOfTheHeader) {
  append("a");
  const AuditRow r = g_.audit.list({}, 1).rows.front();
  StoredAuditRow stored;
  stored.number = 1;
  stored.at = r.at;
  stored.actor = "ann";
  stored.actor_kind = "person";
  stored.action = "a";
  stored.target_kind = "models";
  stored.target_id = "mdl-1";
  stored.line_id = "L1";
  stored.outcome = "done";
  stored.before = R"({"stage":"shadow"})";
  stored.after = R"({"stage":"production"})";
  stored.reason = "because it is better";
  EXPECT_EQ(r.hash, audit_hash("", stored));
  EXPECT_TRUE(audit_text(stored).starts_with("number 1:1\nat 16:1800000000000001\nactor 3:ann\n"));
}

TEST_F(AuditTest, TheDatabaseItselfRefusesToChangeRows) {
  append_five();
  EXPECT_ERROR(db_.exec("UPDATE audit SET actor = 'eve' WHERE number = 2"), "DATABASE_CONSTRAINT");
  EXPECT_ERROR(db_.exec("DELETE FROM audit WHERE number = 5"), "DATABASE_CONSTRAINT");
  EXPECT_ERROR(db_.exec("REPLACE INTO audit SELECT number, at, 'eve', actor_kind, action, "
                        "target_kind, target_id, line_id, outcome, before_json, after_json, "
                        "reason, hash FROM audit WHERE number = 3"),
               "DATABASE_CONSTRAINT");
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditTest, EveryByteOfEveryRowCounts) {
  append_five();
  int flips = 0;
  for (const std::string column :
       {"actor", "actor_kind", "action", "target_kind", "target_id", "line_id", "outcome",
        "before_json", "after_json", "reason", "hash"}) {
    for (int row = 1; row <= 5; ++row) {
      const std::string where = " WHERE number = " + std::to_string(row);
      store::Statement q = db_.query("SELECT " + column + " FROM audit" + where);
      ASSERT_TRUE(q.step());
      const std::string text = q.text(0);
      q.finish();
      for (std::size_t i = 0; i < text.size(); ++i) {
        std::string other = text;
        other[i] = static_cast<char>(other[i] ^ (1 << (i % 8)));
        tamper("SELECT 1");
        db_.run("UPDATE audit SET " + column + " = ?" + where, other);
        EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED " + std::to_string(row)) << column << " " << i;
        db_.run("UPDATE audit SET " + column + " = ?" + where, text);
        ++flips;
      }
    }
  }
  EXPECT_GT(flips, 500);
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditTest, WhatIsMovedFromOneColumnToTheNextIsFound) {
  append("a");
  tamper("UPDATE audit SET actor = 'an', actor_kind = 'nperson'");
  EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED 1");
}

TEST_F(AuditTest, ChangedTimesAndNumbersAreFound) {
  append_five();
  tamper("UPDATE audit SET at = at + 1 WHERE number = 4");
  EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED 4");
}

TEST_F(AuditTest, ARowTakenOutIsFound) {
  append_five();
  tamper("DELETE FROM audit WHERE number = 3");
  EXPECT_EQ(problem(), "AUDIT_ROW_MISSING 3");
}

TEST_F(AuditTest, ARowTakenOutWithTheOthersMovedUpIsFound) {
  append_five();
  tamper(
      "DELETE FROM audit WHERE number = 3; UPDATE audit SET number = number - 1 WHERE number > 3");
  EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED 3");
}

TEST_F(AuditTest, ARowPutInIsFound) {
  append_five();
  tamper(
      "UPDATE audit SET number = 6 WHERE number = 5; "
      "INSERT INTO audit SELECT 5, at, 'eve', actor_kind, action, target_kind, target_id, line_id, "
      "outcome, before_json, after_json, reason, hash FROM audit WHERE number = 4");
  EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED 5");
}

TEST_F(AuditTest, TwoRowsExchangedAreFound) {
  append_five();
  tamper(
      "UPDATE audit SET number = 99 WHERE number = 2; UPDATE audit SET number = 2 WHERE number = "
      "3; "
      "UPDATE audit SET number = 3 WHERE number = 99");
  EXPECT_EQ(problem(), "AUDIT_ROW_CHANGED 2");
}

TEST_F(AuditTest, AnEndCutOffIsFoundByTheKeptHead) {
  append_five();
  tamper("DELETE FROM audit WHERE number = 5");
  EXPECT_EQ(problem(), "AUDIT_CUT_OFF 5");
  tamper("DELETE FROM audit");
  EXPECT_EQ(problem(), "AUDIT_CUT_OFF 5");
}

TEST_F(AuditTest, ATrailWrittenAnewIsFoundByAHeadThatSomebodyNoted) {
  append_five();
  const AuditHead noted = g_.audit.head();
  tamper("DELETE FROM audit");
  std::filesystem::remove(head_file());
  steps_ = 100;
  append_five();
  append("one more");
  EXPECT_EQ(problem(), "");  // the file itself is without fault
  const AuditVerdict v = g_.audit.verify(noted);
  ASSERT_TRUE(v.problem);
  EXPECT_EQ(v.problem->code, "AUDIT_REWRITTEN");
  EXPECT_EQ(v.first_broken, 5);
}

TEST_F(AuditTest, AHeadThatLagsBehindHolds) {
  append("a");
  const std::string old = store::read_file(head_file());
  append_five();
  store::write_file(head_file(), old);  // killed between commit and head
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditTest, TakesPartInTheTransactionOfItsCaller) {
  append("a");
  {
    const store::Transaction transaction(db_);
    append("b");
  }
  EXPECT_EQ(g_.audit.head().number, 1);
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditTest, ManyWritersMakeOneChain) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      store::Database db(file());
      Audit audit(db, head_file());
      AuditEntry e;
      e.actor = "ann";
      for (int i = 0; i < 10; ++i) audit.append(e, kNow);
    });
  threads.clear();
  EXPECT_EQ(g_.audit.verify().rows, 40);
  EXPECT_NE(store::read_file(head_file()).find(g_.audit.head().hash), std::string::npos);
  EXPECT_EQ(problem(), "");
}

TEST_F(AuditTest, WhatWasBegunAndEndedIsOneRow) {
  const std::int64_t intent = g_.audit.begin(entry("lines.add"), "me", kNow);
  EXPECT_TRUE(g_.audit.list({}, 10).rows.empty()) << "nothing is known of its end yet";
  EXPECT_EQ(g_.audit.settle("me", kNow), 0) << "I may be doing it just now";
  g_.audit.end(intent, entry("lines.add"), kNow + 1);
  EXPECT_EQ(g_.audit.settle("another", kNow + 2), 0);
  ASSERT_EQ(g_.audit.list({}, 10).rows.size(), 1u);
  EXPECT_EQ(g_.audit.list({}, 10).rows[0].outcome, "done");
  EXPECT_FALSE(g_.audit.verify().problem);
}

TEST_F(AuditTest, WhatAKilledProcessBeganIsARowThatSaysSo) {
  g_.audit.begin(entry("lines.add"), "the killed one", kNow);
  g_.audit.begin(entry("lines.delete"), "the killed one", kNow + 1);
  EXPECT_EQ(g_.audit.settle("me", kNow + 5), 2);
  const auto rows = g_.audit.list({}, 10).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].action, "lines.add");
  EXPECT_EQ(rows[1].outcome, "interrupted");
  EXPECT_EQ(rows[1].after["begunAt"], kNow);
  EXPECT_EQ(rows[1].after["request"]["id"], "L3");
  EXPECT_EQ(g_.audit.settle("me", kNow + 6), 0);
  EXPECT_FALSE(g_.audit.verify().problem);
}

}  // namespace
}  // namespace flyball::govern
