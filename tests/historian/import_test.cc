#include "historian/import.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "historian/memory_historian.h"
#include "store/files.h"
#include "support/expect_error.h"
#include "support/shared_data.h"

namespace flyball::historian {
namespace {

constexpr DurationUs kOneSecond = kSecond;

ImportOptions every_second() {
  ImportOptions options;
  options.period = kOneSecond;
  return options;
}

std::vector<Sample> samples(const Historian& store, const std::string& node,
                            const Filter& filter = {}) {
  PageRequest request;
  request.node_id = node;
  request.filter = filter;
  return read_all(store, request);
}

TEST(Import, NamesRunsByTheNextFreeNumberAndStartsThemAtMidnight) {
  MemoryHistorian store;
  EXPECT_EQ(import_text("u\n1\n2\n", every_second(), store).runs,
            std::vector<std::string>{"run-1"});
  EXPECT_EQ(import_text("u\n3\n4\n", every_second(), store).runs,
            std::vector<std::string>{"run-2"});
  const auto read = samples(store, "default/u");
  ASSERT_EQ(read.size(), 4u);
  EXPECT_EQ(read[0].at, 0);
  EXPECT_EQ(read[2].at, kDay);
  const auto runs = store.runs({});
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].started_at, kDay);
  EXPECT_EQ(runs[1].ended_at, kDay + 2 * kOneSecond);
}

TEST(Import, TheMidnightAfterASampleAtMidnightIsTheNext) {
  MemoryHistorian store;
  ImportOptions options = every_second();
  options.period = kDay;
  import_text("u\n1\n2\n", options, store);
  import_text("u\n3\n4\n", options, store);
  EXPECT_EQ(samples(store, "default/u")[2].at, 2 * kDay);
  options.start = -3 * kDay - 5;
  MemoryHistorian early;
  import_text("u\n1\n2\n", options, early);
  options.start.reset();
  import_text("u\n3\n4\n", options, early);
  EXPECT_EQ(samples(early, "default/u")[2].at, -2 * kDay) << "also before 1970";
}

TEST(Import, AnotherLineBeginsAnew) {
  MemoryHistorian store;
  import_text("u\n1\n2\n", every_second(), store);
  ImportOptions other = every_second();
  other.line = "L2";
  EXPECT_EQ(import_text("u\n1\n2\n", other, store).runs, std::vector<std::string>{"run-1"});
  EXPECT_EQ(samples(store, "L2/u")[0].at, 0);
}

TEST(Import, TheSameTimesAgainAreMergedRowByRow) {
  const std::string text = "time,u,y\n2026-03-01T08:00:00Z,1,2\n2026-03-01T08:00:01Z,3,4\n";
  MemoryHistorian store;
  import_text(text, {}, store);
  const auto again = import_text(text, {}, store);
  EXPECT_EQ(again.rows_in, 2);
  EXPECT_EQ(again.stored, 0);
  EXPECT_EQ(again.merged, 2);
  EXPECT_EQ(samples(store, "default/u").size(), 2u);
}

TEST(Import, ARunMayGrowAndKeepsItsProduct) {
  MemoryHistorian store;
  ImportOptions options;
  options.run = "campaign";
  import_text("time,u\n2026-03-01T08:00:00Z,1\n2026-03-01T08:00:01Z,3\n", options, store);
  import_text("time,u\n2026-03-01T07:00:00Z,1\n2026-03-01T07:00:01Z,3\n", options, store);
  const auto runs = store.runs({});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(format_time(runs[0].started_at), "2026-03-01T07:00:00Z");
  EXPECT_EQ(*runs[0].ended_at, parse_time("2026-03-01T08:00:01Z") + 1);
  options.product = "other";
  EXPECT_ERROR(
      import_text("time,u\n2026-03-01T09:00:00Z,1\n2026-03-01T09:00:01Z,3\n", options, store),
      "RUN_MISMATCH");
  EXPECT_EQ(samples(store, "default/u").size(), 4u);
}

TEST(Import, RunsThatOverlapInTimeAreReadApart) {
  MemoryHistorian store;
  ImportOptions options;
  options.run = "a";
  options.recipe = "hot";
  import_text("time,u\n2026-03-01T08:00:00Z,1\n2026-03-01T08:00:02Z,1\n", options, store);
  options.run = "b";
  options.recipe = "cold";
  import_text("time,u\n2026-03-01T08:00:01Z,2\n2026-03-01T08:00:03Z,2\n", options, store);
  for (const Sample& s : samples(store, "default/u", {.recipe_id = "hot"})) EXPECT_EQ(s.value, 1);
  for (const Sample& s : samples(store, "default/u", {.run_id = "b"})) EXPECT_EQ(s.value, 2);
  EXPECT_EQ(samples(store, "default/u").size(), 4u);
}

TEST(Import, TheSameTableInAnyDressGivesTheSameSamples) {
  const std::vector<std::vector<std::string>> rows{
      {"1.5", "-20.25", "3e-7"}, {"", "1000", "0.125"}, {"7", "8.75", "Bad"}};
  const auto dressed = [&](const std::string& mark, bool comma, const std::string& end) {
    std::string text = "a" + mark + "b" + mark + "c" + end;
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < 3; ++i) {
        std::string cell = row[i].empty() && mark == " " ? "NaN" : row[i];
        if (comma) std::replace(cell.begin(), cell.end(), '.', ',');
        text += (i == 0 ? "" : mark) + cell;
      }
      text += end;
    }
    return text;
  };
  const auto stored = [](const std::string& text) {
    MemoryHistorian store;
    import_text(text, every_second(), store);
    std::vector<std::pair<double, std::uint32_t>> out;
    for (const char* node : {"default/a", "default/b", "default/c"}) {
      for (const Sample& s : samples(store, node))
        out.emplace_back(std::isnan(s.value) ? -1 : s.value, s.quality.code);
    }
    return out;
  };
  const auto plain = stored(dressed(",", false, "\n"));
  ASSERT_EQ(plain.size(), 9u);
  for (const std::string mark : {",", ";", "\t", " "}) {
    for (const bool comma : {false, true}) {
      if (mark == "," && comma) continue;
      for (const char* end : {"\n", "\r\n", "\n\n"})
        EXPECT_EQ(stored(dressed(mark, comma, end)), plain) << mark << comma;
    }
  }
}

TEST(Import, LateDecimalsAreKept) {
  std::string text = "u\n";
  for (int i = 0; i < 25'000; ++i) text += "12\n";
  text += "12.7\n";
  MemoryHistorian store;
  const auto result = import_text(text, every_second(), store);
  EXPECT_EQ(result.tags[0].max, 12.7);
  EXPECT_EQ(samples(store, "default/u").back().value, 12.7);
}

TEST(Import, LateTextsAreQualitiesOfANumberAndLateNumbersStatesOfADigitalTag) {
  std::string text = "u,m\n";
  for (int i = 0; i < 25'000; ++i) text += "12,AUTO\n";
  text += "Shutdown,7\n";
  MemoryHistorian store;
  const auto result = import_text(text, every_second(), store);
  EXPECT_EQ(result.tags[0].kind, plant::TagKind::number);
  EXPECT_EQ(result.tags[0].good, 25'000);
  ASSERT_EQ(result.tags[0].reasons.size(), 1u);
  EXPECT_EQ(result.tags[0].reasons[0].text, "Shutdown");
  EXPECT_TRUE(store.latest("default/u")->quality.bad());
  EXPECT_EQ(result.tags[1].states, (std::vector<std::string>{"AUTO", "7"}));
}

TEST(Import, ReasonsAddUpToWhatIsNotGood) {
  std::string text = "u,y\n";
  for (int i = 0; i < 1000; ++i) text += (i % 2 == 0 ? "1" : "text " + std::to_string(i)) + ",1\n";
  MemoryHistorian store;
  const auto result = import_text(text, every_second(), store);
  std::int64_t sum = 0;
  for (const BadCells& bad : result.tags[0].reasons) sum += bad.count;
  EXPECT_EQ(sum, 500);
  EXPECT_EQ(result.tags[0].bad, 500);
  EXPECT_EQ(result.tags[0].reasons[0].text, "…") << "texts of too many kinds are counted together";
  EXPECT_LE(result.tags[0].reasons.size(), 129u);
}

TEST(Import, ManyRejectedRowsAreCountedInAFewWords) {
  std::string text = "time,u\n";
  for (int i = 0; i < 300; ++i) text += format_time(i * kSecond) + ",1\n";
  for (int i = 0; i < 5000; ++i) text += "garbage,1\n";
  MemoryHistorian store;
  try {
    import_text(text, {}, store);
    FAIL() << "most rows cannot be read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "IMPORT_TOO_MANY_REJECTS");
    EXPECT_NE(std::string(error.what()).find("5000 of 5300 rows"), std::string::npos)
        << error.what();
    EXPECT_LT(std::string(error.what()).size(), 1000u);
  }
}

TEST(Import, EveryRejectedRowIsReported) {
  std::string text = "time,u\n";
  for (int i = 0; i < 300; ++i) text += format_time(i * kSecond) + (i % 3 == 0 ? "\n" : ",1\n");
  ImportOptions options;
  options.max_rejects = 0.5;
  MemoryHistorian store;
  const auto result = import_text(text, options, store);
  EXPECT_EQ(result.rejected, 100);
  ASSERT_EQ(result.rejected_rows.size(), 100u);
  EXPECT_EQ(result.rejected_rows[1].reason.text(), "line 5: 1 cells instead of 2");
  EXPECT_EQ(result.rejected_rows[1].text, "1970-01-01T00:00:03Z") << "the line itself";
  EXPECT_EQ(account_of(result).rejected_rows.size(), 100u);
  EXPECT_EQ(account_of(result).from, "1970-01-01T00:00:01Z");
  EXPECT_EQ(account_of(result).to, "1970-01-01T00:04:59Z");
}

TEST(Import, ALineWithoutEndIsRefusedBeforeItFillsTheMemory) {
  MemoryHistorian store;
  EXPECT_ERROR(import_text(std::string((1 << 20) + 2, '7'), every_second(), store),
               "IMPORT_LINE_TOO_LONG");
  EXPECT_ERROR(import_text(std::string(1 << 21, '\0'), every_second(), store), "IMPORT_NOT_TEXT");
  EXPECT_ERROR(import_text(std::string(10'000, ','), every_second(), store),
               "IMPORT_TOO_MANY_COLUMNS");
}

TEST(Import, AColumnOfNumbersIsNotTakenForRunNames) {
  std::string text = "run,u\n";
  for (int i = 0; i < 10'001; ++i) text += std::to_string(i) + ",1\n";
  ImportOptions options = every_second();
  options.run_column = "run";
  MemoryHistorian store;
  EXPECT_ERROR(import_text(text, options, store), "IMPORT_TOO_MANY_RUNS");
}

TEST(Import, TimesBeyondTheCalendarAreRefused) {
  ImportOptions options = every_second();
  options.start = parse_time("9999-12-31T23:59:59Z");
  MemoryHistorian store;
  EXPECT_ERROR(import_text("u\n1\n2\n", options, store), "FIELD_RANGE");
}

TEST(Import, StopsWhenAskedAndStoresNothing) {
  std::string text = "u\n";
  for (int i = 0; i < 100'000; ++i) text += "1\n";
  MemoryHistorian store;
  std::stop_source stop;
  const auto stop_half_way = [&](const Progress& p) {
    if (p.fraction > 0.4) stop.request_stop();
  };
  EXPECT_ERROR(import_text(text, every_second(), store, stop_half_way, stop.get_token()),
               "CANCELLED");
  EXPECT_TRUE(store.nodes("default").empty());
}

TEST(Import, ProgressRisesToOne) {
  std::string text = "u,y\n";
  for (int i = 0; i < 100'000; ++i) text += "1,2\n";
  std::vector<double> seen;
  MemoryHistorian store;
  import_text(text, every_second(), store, [&](const Progress& p) {
    EXPECT_EQ(p.stage, "import");
    seen.push_back(p.fraction);
  });
  EXPECT_GT(seen.size(), 5u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 1.0);
}

TEST(Import, TheStepIsTheMedianTimeBetweenRows) {
  std::string text = "time,u\n";
  for (int i = 0; i < 20; ++i) text += format_time(i * 5 * kSecond + (i > 10 ? kDay : 0)) + ",1\n";
  MemoryHistorian store;
  EXPECT_EQ(import_text(text, {}, store).step, 5 * kSecond);
}

TEST(ImportOptions, AreReadFromARecord) {
  const auto options = parse_record<ImportOptions>(
      parse_json(R"({"delimiter":"semicolon","decimal":"comma","period":80000})", "test"));
  EXPECT_EQ(options.delimiter, Delimiter::semicolon);
  EXPECT_EQ(options.decimal, Decimal::comma);
  EXPECT_EQ(options.period, 80'000);
}

TEST(SharedData, EveryDaisyRecordImportsWithoutABadCell) {
  const std::map<std::string, std::pair<std::int64_t, std::size_t>> shapes{
      {"ballbeam", {1000, 2}},
      {"cstr", {7500, 4}},
      {"destill", {90, 33}},
      {"distill2", {251, 7}},
      {"dryer", {1000, 2}},
      {"evaporator", {6305, 6}},
      {"exchanger", {4000, 3}},
      {"powerplant", {200, 12}},
      {"robot_arm", {1024, 2}},
      {"steamgen", {9600, 9}},
      {"thermic_res_wall", {1680, 3}},
      {"winding", {2500, 7}}};
  const auto folder = testing::shared_data() / "daisy";
  FLYBALL_NEEDS_DATA(folder);
  for (const auto& [name, shape] : shapes) {
    const store::MappedFile file(folder / (name + ".dat"));
    MemoryHistorian store;
    const auto result = import_text(file.text(), every_second(), store);
    EXPECT_EQ(result.rows_in, shape.first) << name;
    EXPECT_EQ(result.stored, shape.first) << name;
    EXPECT_EQ(result.tags.size(), shape.second) << name;
    for (const TagAccount& tag : result.tags)
      EXPECT_EQ(tag.good, shape.first) << name << " " << tag.tag;
  }
}

}  // namespace
}  // namespace flyball::historian
