#include <gtest/gtest.h>

#include <array>

#include "plant/plant_store.h"
#include "plant/schema.h"
#include "store/migrations.h"
#include "support/expect_error.h"

namespace flyball::plant {
namespace {

class MarkTest : public ::testing::Test {
 protected:
  MarkTest() {
    const std::array migrations{migration(1), mark_migration(2), spec_migration(3)};
    store::migrate(db_, migrations);
    store_.put(Line{"L", ""});
  }
  static Mark mark(MarkKind kind, TimeUs from, TimeUs to, const std::string& tag = "") {
    Mark m;
    m.line_id = "L";
    m.tag = tag;
    m.kind = kind;
    m.from = from;
    m.to = to;
    m.by = "ann";
    m.reason = "the probe was out";
    m.at = 77;
    return m;
  }

  store::Database db_{":memory:"};
  PlantStore store_{db_};
};

TEST_F(MarkTest, ComesBackAsItWasGiven) {
  const Mark m = store_.add_mark(mark(MarkKind::bad, 10, 20, "T"));
  EXPECT_EQ(to_json_value(store_.mark(m.id)), to_json_value(m));
  EXPECT_EQ(m.by, "ann");
  EXPECT_EQ(store_.marks("L").size(), 1U);
  EXPECT_TRUE(store_.marks("M").empty());
}

TEST_F(MarkTest, TheSameStretchIsMarkedOnce) {
  const Mark first = store_.add_mark(mark(MarkKind::bad, 10, 20));
  Mark again = mark(MarkKind::bad, 10, 20);
  again.by = "bob";
  EXPECT_EQ(to_json_value(store_.add_mark(again)), to_json_value(first));
  EXPECT_NE(store_.add_mark(mark(MarkKind::bad, 10, 20, "T")).id, first.id);
  EXPECT_NE(store_.add_mark(mark(MarkKind::steady, 10, 20)).id, first.id);
  EXPECT_EQ(store_.marks("").size(), 3U);
}

TEST_F(MarkTest, OnlyWhatIsBadIsSaidOfOneTag) {
  EXPECT_ERROR(store_.add_mark(mark(MarkKind::steady, 10, 20, "T")), "MARK_OF_TAG");
  EXPECT_ERROR(store_.add_mark(mark(MarkKind::batch, 10, 20, "T")), "MARK_OF_TAG");
}

TEST_F(MarkTest, RefusesAnEmptyStretchAndALineThatIsNotThere) {
  EXPECT_ERROR(store_.add_mark(mark(MarkKind::bad, 20, 20)), "RANGE_EMPTY");
  Mark other = mark(MarkKind::bad, 10, 20);
  other.line_id = "M";
  EXPECT_ERROR(store_.add_mark(other), "NAME_MISSING");
  EXPECT_ERROR(store_.remove_mark("mark-0"), "NAME_MISSING");
}

TEST_F(MarkTest, GoesWithItsLine) {
  const Mark m = store_.add_mark(mark(MarkKind::bad, 10, 20));
  store_.remove_line("L", {});
  EXPECT_ERROR((void)store_.mark(m.id), "NAME_MISSING");
}

}  // namespace
}  // namespace flyball::plant
