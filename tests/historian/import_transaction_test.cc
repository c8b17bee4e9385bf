// What an import does to a store that knows something already.
#include <gtest/gtest.h>

#include <clocale>
#include <locale>

#include "historian/import_plan.h"
#include "historian/memory_historian.h"
#include "support/expect_error.h"

namespace flyball::historian {
namespace {

const std::string kTable =
    "time,T,mode\n,degC,\n2026-03-01T08:00:00Z,20,AUTO\n2026-03-01T08:00:01Z,21,MAN\n";

plant::Tag tag_of(const Historian& store, const std::string& name) {
  for (const plant::Tag& tag : store.tags("default")) {
    if (tag.name == name) return tag;
  }
  ADD_FAILURE() << "no tag " << name;
  return {};
}

void put(Historian& store, const plant::Tag& tag) {
  const auto writer = store.begin();
  writer->put_tag(tag);
  writer->commit();
}

plant::Tag known(const std::string& name) {
  plant::Tag tag;
  tag.name = name;
  tag.line_id = "default";
  return tag;
}

/// What a reader sees, all of it.
std::string content(const Historian& store) {
  std::string out;
  for (const plant::Tag& tag : store.tags("")) {
    out += canonical(to_json_value(tag)) + "\n";
    PageRequest all;
    all.node_id = tag.node_id();
    for (const Sample& s : read_all(store, all))
      out += format_time(s.at) + " " + std::to_string(s.value) + "\n";
  }
  for (const plant::Run& run : store.runs({}, false)) out += canonical(to_json_value(run)) + "\n";
  for (const ImportRecord& record : store.imports("", 100)) out += record.account_json + "\n";
  return out;
}

TEST(ImportTransaction, TagsComeWithUnitKindAndStates) {
  MemoryHistorian store;
  import_text(kTable, {}, store);
  EXPECT_EQ(tag_of(store, "T").unit, "degC");
  EXPECT_EQ(tag_of(store, "T").kind, plant::TagKind::number);
  const plant::Tag mode = tag_of(store, "mode");
  EXPECT_EQ(mode.kind, plant::TagKind::digital);
  EXPECT_EQ(mode.states, (std::vector<std::string>{"AUTO", "MAN"}));
  EXPECT_EQ(mode.stepped, true);
}

TEST(ImportTransaction, WhatIsKnownOfATagStays) {
  MemoryHistorian store;
  plant::Tag temperature = known("T");
  temperature.role = plant::Role::cv;
  temperature.max = 500;
  temperature.description = "outlet";
  put(store, temperature);
  import_text(kTable, {}, store);
  temperature.unit = "degC";
  EXPECT_EQ(to_json_value(tag_of(store, "T")), to_json_value(temperature)) << "a unit is added";
}

TEST(ImportTransaction, AnotherUnitIsRefusedNamingBoth) {
  MemoryHistorian store;
  plant::Tag temperature = known("T");
  temperature.unit = "degF";
  put(store, temperature);
  const std::string before = content(store);
  try {
    import_text(kTable, {}, store);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), "IMPORT_UNIT_CHANGED");
    EXPECT_NE(std::string(e.what()).find("degF"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("degC"), std::string::npos);
  }
  EXPECT_EQ(content(store), before);
}

TEST(ImportTransaction, CodesOfADigitalTagNeverChange) {
  MemoryHistorian store;
  import_text(kTable, {}, store);
  ImportOptions next;
  next.run = "later";
  import_text("time,mode\n2026-03-02T08:00:00Z,CAS\n2026-03-02T08:00:01Z,MAN\n", next, store);
  EXPECT_EQ(tag_of(store, "mode").states, (std::vector<std::string>{"AUTO", "MAN", "CAS"}));
  PageRequest later;
  later.node_id = "default/mode";
  later.filter.run_id = "later";
  const auto samples = read_all(store, later);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].value, 2);
  EXPECT_EQ(samples[1].value, 1);
}

TEST(ImportTransaction, CodesAreTakenAsCodesOfAKnownDigitalTag) {
  MemoryHistorian store;
  import_text(kTable, {}, store);
  import_text("time,mode\n2026-03-02T08:00:00Z,1\n2026-03-02T08:00:01Z,0\n", {}, store);
  EXPECT_EQ(tag_of(store, "mode").states.size(), 2u);
  EXPECT_EQ(store.latest("default/mode")->value, 0);
}

TEST(ImportTransaction, AKnownNumberStaysANumber) {
  MemoryHistorian store;
  put(store, known("mode"));
  const ImportResult result = import_text(kTable, {}, store);
  EXPECT_EQ(tag_of(store, "mode").kind, plant::TagKind::number);
  EXPECT_EQ(result.tags[1].bad, 2);
  EXPECT_TRUE(std::ranges::any_of(result.notes,
                                  [](const Message& m) { return m.code == "IMPORT_KIND_KEPT"; }));
}

TEST(ImportTransaction, TheRecordNamesTheSourceAndTheAccount) {
  MemoryHistorian store;
  const ImportResult result = import_text(kTable, {}, store, {}, {}, {"march.csv", "abc", 42});
  const auto imports = store.imports("default", 10);
  ASSERT_EQ(imports.size(), 1u);
  EXPECT_EQ(imports[0].source, "march.csv");
  EXPECT_EQ(imports[0].sha256, "abc");
  EXPECT_EQ(imports[0].at, 42);
  EXPECT_EQ(imports[0].account_json, canonical(to_json_value(account_of(result))));
}

TEST(ImportTransaction, AnImportThatIsStoppedAtAnyMomentStoresNothing) {
  std::string table = "time";
  for (int tag = 0; tag < 20; ++tag) table += ",t" + std::to_string(tag);
  for (int row = 0; row < 50; ++row) {
    table += "\n" + format_time(row * kSecond);
    for (int tag = 0; tag < 20; ++tag) table += ",1";
  }
  MemoryHistorian store;
  import_text(kTable, {}, store);
  const std::string before = content(store);
  for (const double fraction : {0.0, 0.9, 0.93, 0.99}) {
    std::stop_source stop;
    const auto stop_there = [&](const Progress& p) {
      if (p.fraction >= fraction) stop.request_stop();
    };
    EXPECT_ERROR(import_text(table, {}, store, stop_there, stop.get_token()), "CANCELLED");
    EXPECT_EQ(content(store), before) << fraction;
  }
  EXPECT_EQ(import_text(table, {}, store).stored, 50) << "and the store is free for the next";
}

TEST(ImportTransaction, APlanShowsWhatAnImportWouldDo) {
  MemoryHistorian store;
  import_text(kTable, {}, store);
  const std::string before = content(store);
  const ImportPlan plan = plan_text(
      "time;T;T.quality\n2026-03-02T08:00:01Z;1,5;Good\n2026-03-02T08:00:00Z;2,5;Bad\n", {}, store);
  EXPECT_EQ(content(store), before);
  EXPECT_EQ(plan.delimiter, "semicolon");
  EXPECT_EQ(plan.decimal, "comma");
  ASSERT_EQ(plan.columns.size(), 3u);
  EXPECT_EQ(plan.columns[2].role, ColumnRole::quality);
  EXPECT_EQ(plan.columns[2].of, "T");
  ASSERT_EQ(plan.first_rows.size(), 2u);
  EXPECT_EQ(plan.first_rows[0].time, "2026-03-02T08:00:01Z") << "in the order of the file";
  EXPECT_EQ(plan.first_rows[0].values.at("T"), 1.5);
  EXPECT_TRUE(plan.first_rows[1].values.at("T").is_null()) << "its quality is bad";
  ASSERT_EQ(plan.runs.size(), 1u);
  EXPECT_EQ(plan.runs[0].run, "run-2");
  EXPECT_EQ(plan.runs[0].from, "2026-03-02T08:00:00Z");
  EXPECT_EQ(plan.runs[0].to, "2026-03-02T08:00:01Z");
  EXPECT_EQ(plan.account.tags[0].unit, "degC") << "what is known of the tag";
  EXPECT_EQ(plan.account.from, "2026-03-02T08:00:00Z");
}

TEST(ImportTransaction, APlanShowsTheFirstRowsOfALongTableAndStatesByName) {
  const MemoryHistorian store;
  const ImportPlan plan = plan_text(
      "time,tag,value\n2026-03-01T08:00:00Z,m,AUTO\n2026-03-01T08:00:00Z,T,20\n"
      "2026-03-01T08:00:01Z,m,MAN\n",
      {}, store);
  EXPECT_TRUE(plan.long_table);
  ASSERT_EQ(plan.first_rows.size(), 3u);
  EXPECT_EQ(plan.first_rows[0].values, (std::map<std::string, Json>{{"m", "AUTO"}}));
  EXPECT_EQ(plan.first_rows[1].values, (std::map<std::string, Json>{{"T", 20}}));
}

TEST(ImportTransaction, RowsOfALongTableThatComeAgainAreMerged) {
  const std::string table = "time,tag,value\n2026-03-01T08:00:00Z,a,1\n2026-03-01T08:00:00Z,b,2\n";
  MemoryHistorian store;
  ImportOptions options;
  options.run = "r";
  EXPECT_EQ(import_text(table, options, store).stored, 2);
  const ImportResult again = import_text(
      "time,tag,value\n2026-03-01T08:00:00Z,a,1\n2026-03-01T09:00:00Z,b,2\n", options, store);
  EXPECT_EQ(again.merged, 1);
  EXPECT_EQ(again.stored, 1);
}

TEST(ImportTransaction, NumbersDoNotDependOnTheLocale) {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string table = "u;y\n1234567.25;1.5\n1e3;2.5\n";
  ImportOptions options;
  options.period = kSecond;
  MemoryHistorian plain, german;
  import_text(table, options, plain);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new German));
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  import_text(table, options, german);
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(content(plain), content(german));
  EXPECT_EQ(german.latest("default/u")->value, 1000);
}

}  // namespace
}  // namespace flyball::historian
